// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "ruby/inspect.hpp"
#include "ruby/ruby.hpp"
#include "value/growth_charge.hpp"

namespace strata::ruby {
namespace {

// Recursion: bounded by Limits::depth, which every maker of values keeps.
void dump(std::string& out, const Value& value, std::size_t indent, detail::GrowthCharge& growth) {
  growth.look(out.size());
  if (value.is_leaf()) return append_inspect(out, value);
  constexpr std::size_t kStep = 2;
  const std::size_t inner = indent + kStep;
  const char* separator = "";
  const auto begin_line = [&] {
    out += separator;
    out += '\n';
    out.append(inner, ' ');
    separator = ",";
  };
  out += value.is_sequence() ? '[' : '{';
  if (value.is_sequence()) {
    for (const Value& item : value.items()) {
      begin_line();
      dump(out, item, inner, growth);
    }
  } else {
    for (const Entry& entry : value.entries()) {
      begin_line();
      dump(out, entry.key, inner, growth);
      out += " => ";
      dump(out, entry.value, inner, growth);
    }
  }
  out += '\n';
  out.append(indent, ' ');
  out += value.is_sequence() ? ']' : '}';
}

}  // namespace

std::string interpolated(const Value& value, Release release) {
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return {};
    case Kind::text:
    case Kind::binary:
      return std::string(value.text());
    default:
      return inspect(value, release);
  }
}

void append_dump(std::string& out, const Value& value, int indent) {
  detail::GrowthCharge growth(out.size());
  dump(out, value, static_cast<std::size_t>(indent), growth);
}

std::string s(const Value& value, Release release) {
  std::string out = interpolated(value, release);
  if (!out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace strata::ruby
