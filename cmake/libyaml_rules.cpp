// SPDX-License-Identifier: Apache-2.0
// Whether libyaml reads these texts as libyaml 0.2.5 does. Configuring runs it: YamlScanner has the rules of 0.2.5, and
// beside a libyaml with other rules the program reads without it. Prints the texts that are read in another way; exit
// status 1 if there are some.
#include <yaml.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

namespace {

struct Rule {
  const char* text;
  const char* events;  ///< Of each event: kind, flags, begin and end, properties, style and text.
};

// Where mappings, collections and empty nodes begin and end; properties; pairs; plain, quoted and block scalars; what
// ends a scalar in flow.
constexpr Rule kRules[] = {
    {"a: 1\n# end\n", "1@0-0 3+@0-0 9+1@0-0 6+-1=a@0-1 6+-1=1@3-4 10@11-11 4+@11-11 2@11-11 "},
    {"&k a: 1\n", "1@0-0 3+@0-0 9+1@0-0 6+-1&k=a@0-4 6+-1=1@6-7 10@8-8 4+@8-8 2@8-8 "},
    {"a:\n- b\n# c\nd: e\n",
     "1@0-0 3+@0-0 9+1@0-0 6+-1=a@0-1 7+1@3-4 6+-1=b@5-6 8@11-11 6+-1=d@11-12 6+-1=e@14-15 10@16-16 4+@16-16 2@16-16 "},
    {"-\n- b\n-", "1@0-0 3+@0-0 7+1@0-0 6+-1=@1-1 6+-1=b@4-5 6+-1=@7-7 8@7-7 4+@7-7 2@7-7 "},
    {"--- a\n---\n...\n# c\n", "1@0-0 3-@0-3 6+-1=a@4-5 4+@6-6 3-@6-9 6+-1=@10-10 4-@10-13 2@18-18 "},
    {"a: &x\nb: !t\n",
     "1@0-0 3+@0-0 9+1@0-0 6+-1=a@0-1 6+-1&x=@3-5 6+-1=b@6-7 6--1<!t>=@9-11 10@12-12 4+@12-12 2@12-12 "},
    {"&m\n&n a: !!str *n \n", "1@0-0 3+@0-0 9+1&m@0-3 6+-1&n=a@3-7 6--1<tag:yaml.org,2002:str>=@9-14 !"},
    {"[a: b, {c, d: , \"e\":1}, f: ]",
     "1@0-0 3+@0-0 7+2@0-1 9+2@1-1 6+-1=a@1-2 6+-1=b@4-5 10@5-5 9+2@7-8 6+-1=c@8-9 6+-1=@9-9 6+-1=d@11-12 6+-1=@14-14 "
     "6-+3=e@16-19 6+-1=1@20-21 "
     "10@21-22 9+2@24-24 6+-1=f@24-25 6+-1=@27-27 10@27-27 8@27-28 4+@28-28 2@28-28 "},
    {"[a:b, -1, a?b, http://x:80/, b#c]",
     "1@0-0 3+@0-0 7+2@0-1 6+-1=a:b@1-4 6+-1=-1@6-8 6+-1=a?b@10-13 6+-1=http://x:80/@15-27 6+-1=b#c@29-32 8@32-33 "
     "4+@33-33 2@33-33 "},
    {"{a: [ ], ? }",
     "1@0-0 3+@0-0 9+2@0-1 6+-1=a@1-2 7+2@4-5 8@6-7 6+-1=@11-11 6+-1=@11-11 10@11-12 4+@12-12 2@12-12 "},
    {"- |2-\n    b\n   c\n\n- >+\n\n     \n      d\n      e\n\n       f\n\n      g\n",
     "1@0-0 3+@0-0 7+1@0-0 6-+4=  b\n c@2-18 6-+5=\n\nd e\n\n f\n\ng\n@20-65 8@65-65 4+@65-65 2@65-65 "},
    {"a: b\n  c\n\n  d # e\n", "1@0-0 3+@0-0 9+1@0-0 6+-1=a@0-1 6+-1=b c\nd@3-13 10@18-18 4+@18-18 2@18-18 "},
    {"'a\n b\n\n  c''d'", "1@0-0 3+@0-0 6-+2=a b\nc'd@0-14 4+@14-14 2@14-14 "},
    {"\"a\\\n  b\\x41\\u263A \n c\"#d", "1@0-0 3+@0-0 6-+3=abA☺ c@0-22 4+@24-24 2@24-24 "},
    {"- - a\n  - b:\n    - c\n  -\td\n",
     "1@0-0 3+@0-0 7+1@0-0 7+1@2-2 6+-1=a@4-5 9+1@10-10 6+-1=b@10-11 7+1@17-18 6+-1=c@19-20 8@23-23 10@23-23 !"},
};

std::string texts_of(const yaml_char_t* anchor, const yaml_char_t* tag, const yaml_char_t* text = nullptr) {
  std::string out;
  if (anchor != nullptr) out += std::string("&") + reinterpret_cast<const char*>(anchor);
  if (tag != nullptr) out += std::string("<") + reinterpret_cast<const char*>(tag) + ">";
  if (text != nullptr) out += std::string("=") + reinterpret_cast<const char*>(text);
  return out;
}

std::string described(const yaml_event_t& event) {
  const auto flag = [](int is_set) { return is_set != 0 ? "+" : "-"; };
  std::string out = std::to_string(event.type);
  switch (event.type) {
    case YAML_DOCUMENT_START_EVENT:
      out += flag(event.data.document_start.implicit);
      break;
    case YAML_DOCUMENT_END_EVENT:
      out += flag(event.data.document_end.implicit);
      break;
    case YAML_ALIAS_EVENT:
      out += texts_of(event.data.alias.anchor, nullptr);
      break;
    case YAML_SCALAR_EVENT:
      out += flag(event.data.scalar.plain_implicit);
      out += flag(event.data.scalar.quoted_implicit);
      out += std::to_string(event.data.scalar.style);
      out += texts_of(event.data.scalar.anchor, event.data.scalar.tag, event.data.scalar.value);
      break;
    case YAML_SEQUENCE_START_EVENT:
      out += flag(event.data.sequence_start.implicit) + std::to_string(event.data.sequence_start.style);
      out += texts_of(event.data.sequence_start.anchor, event.data.sequence_start.tag);
      break;
    case YAML_MAPPING_START_EVENT:
      out += flag(event.data.mapping_start.implicit) + std::to_string(event.data.mapping_start.style);
      out += texts_of(event.data.mapping_start.anchor, event.data.mapping_start.tag);
      break;
    default:
      break;
  }
  return out + "@" + std::to_string(event.start_mark.index) + "-" + std::to_string(event.end_mark.index) + " ";
}

/// All events of a text; `!` for an error.
std::string events_of(const char* text) {
  yaml_parser_t parser;
  if (yaml_parser_initialize(&parser) == 0) return "!";
  yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char*>(text), std::strlen(text));
  std::string out;
  for (bool is_done = false; !is_done;) {
    yaml_event_t event;
    if (yaml_parser_parse(&parser, &event) == 0) {
      out += "!";
      break;
    }
    out += described(event);
    is_done = event.type == YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return out;
}

}  // namespace

int main() {
  int others = 0;
  for (const Rule& rule : kRules) {
    const std::string events = events_of(rule.text);
    if (events == rule.events) continue;
    ++others;
    std::printf("%s\n  gives %s\n  and not %s\n", rule.text, events.c_str(), rule.events);
  }
  return others == 0 ? 0 : 1;
}
