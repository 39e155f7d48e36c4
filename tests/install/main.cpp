// Uses an installed strata through its public headers only.
#include <strata/limits.hpp>
#include <strata/text.hpp>

#include <iostream>

int main() {
  strata::Sources sources;
  const auto source = sources.add("sample.yaml", "ntp:\n  servers: [a, b]\n");
  const auto document = strata::text::read_yaml(sources, source, strata::text::pyyaml(), strata::Limits{});
  std::cout << strata::text::write_json(document.root, {.sort_keys = false, .indent = -1});
  return sources.place(document.root.find("ntp")->find("servers")->origin()).to_string() == "sample.yaml:2:12" ? 0 : 1;
}
