// SPDX-License-Identifier: Apache-2.0
// Reads YAML and JSON texts for another reader to check. Standard input: a line a text, `PROFILE HEX`, where
// `ruby_json` is JSON as Ruby reads it; standard output: a line a text, `ok` with a typed dump of the value, or the
// error's code, place and message. yaml_reader.py and psych_reader.py drive it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "support/hex.hpp"

namespace strata {
namespace {

/// Brackets say which container it is, a letter which scalar; the members of sets are sorted, since Python's have no
/// order.
// Recursion: bounded by Limits::depth.
std::string dump(const Value& value) {
  std::vector<std::string> members;
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.as_boolean() ? "true" : "false";
    case Kind::integer:
      return fmt::format("i{}", value.as_integer());
    case Kind::big_integer:
      return fmt::format("i{}", value.text());
    case Kind::floating:
      return value.as_floating() != value.as_floating()
                 ? "nan"
                 : fmt::format("f{:016x}", std::bit_cast<std::uint64_t>(value.as_floating()));
    case Kind::text:
      return "t" + testing::to_hex(value.text());
    case Kind::binary:
      return "b" + testing::to_hex(value.text());
    case Kind::date:
      return fmt::format("d{}-{}-{}", value.as_date().year, value.as_date().month, value.as_date().day);
    case Kind::timestamp: {
      const Timestamp& at = value.as_timestamp();
      return fmt::format("s{}-{}-{}-{}-{}-{}-{}-{}", at.date.year, at.date.month, at.date.day, at.hour, at.minute,
                         at.second, at.microsecond, at.has_zone ? fmt::format("{}", at.zone_seconds) : "none");
    }
    case Kind::sequence:
      for (const Value& item : value.items()) members.push_back(dump(item));
      return fmt::format("[{}]", fmt::join(members, ","));
    case Kind::mapping:
      for (const Entry& entry : value.entries()) members.push_back(dump(entry.key) + ":" + dump(entry.value));
      return fmt::format("{{{}}}", fmt::join(members, ","));
    case Kind::set:
      for (const Entry& entry : value.entries()) members.push_back(dump(entry.key));
      std::ranges::sort(members);
      return fmt::format("<{}>", fmt::join(members, ","));
    case Kind::object:
      return "y" + testing::to_hex(value.as_object().to_string());
  }
  return "";
}

std::string answer(std::string_view profile, std::string bytes) {
  Sources sources;
  try {
    const SourceId source = sources.add("f", std::move(bytes));
    const text::Document document = profile == "ruby_json"
                                        ? text::read_json(sources, source, {}, 0, text::kRubyJson)
                                        : text::read_yaml(sources, source, *text::find_profile(profile), {});
    return "ok " + dump(document.root);
  } catch (const Error& error) {
    std::string out = fmt::format("{} {} {}", error.code(), error.diagnostic().where.place.to_string(), error.what());
    std::ranges::replace(out, '\n', ' ');
    return out;
  }
}

}  // namespace
}  // namespace strata

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t blank = line.find(' ');
    const std::string out = strata::answer(std::string_view(line).substr(0, blank),
                                           strata::testing::from_hex(std::string_view(line).substr(blank + 1))) +
                            "\n";
    std::fwrite(out.data(), 1, out.size(), stdout);
    std::fflush(stdout);
  }
}
