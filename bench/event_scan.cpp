// SPDX-License-Identifier: Apache-2.0
// The baseline of every whole-program benchmark: reads the files and lets libyaml scan their events, nothing else.
#include <yaml.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

int main(int argc, char** argv) {
  long events = 0;
  for (int i = 1; i < argc; ++i) {
    std::ifstream file(argv[i], std::ios::binary);
    std::stringstream stream;
    stream << file.rdbuf();
    const std::string text = stream.str();
    yaml_parser_t parser;
    yaml_parser_initialize(&parser);
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    for (bool done = false; !done; ++events) {
      yaml_event_t event;
      if (yaml_parser_parse(&parser, &event) == 0) return 1;
      done = event.type == YAML_STREAM_END_EVENT;
      yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
  }
  std::printf("%ld events\n", events);
  return 0;
}
