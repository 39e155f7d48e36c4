// SPDX-License-Identifier: Apache-2.0
// Edits arbitrary texts. Either an error comes out that says why not, or a text that reads as the old one with the
// operation done to it. Input: a byte for the form, a byte for the operation, the pointer, a zero byte, the value, a
// zero byte, the text.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../tests/edit/model.hpp"

namespace {

using namespace strata;

constexpr std::array<std::string_view, 6> kProfiles{"pyyaml", "psych", "heat", "core12", "pyyaml-json", "pyyaml-c"};

edit::Form form_of(unsigned byte) {
  switch (byte % 8) {
    case 6:
      return {.syntax = edit::Syntax::json};
    case 7:
      return {.syntax = edit::Syntax::json, .json = text::kRubyJson};
    default:
      return {.profile = text::find_profile(kProfiles[byte % 8])};
  }
}

std::string_view take(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(rest.size(), part.size() + 1));
  return part;
}

bool is_expected(const Error& error) {
  const std::string_view code = error.code();
  for (const std::string_view family : {"yaml.", "json.", "limit.", "pointer."}) {
    if (code.starts_with(family)) return true;
  }
  return edit::testing::is_refusal(code) && !error.diagnostic().hint.empty() &&
         !error.diagnostic().where.place.file.empty();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .aliases = 2000};
  std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  const edit::Form form = form_of(data[0]);
  edit::Change change{.operation = (data[1] & 1U) != 0 ? edit::Operation::remove : edit::Operation::set,
                      .pointer = std::string(take(rest)),
                      .spelling = std::string(take(rest)),
                      .make_parents = (data[1] & 2U) != 0};
  if ((data[1] & 4U) != 0) change.document = data[1] >> 6U;
  try {
    Sources sources;
    const text::Profile& profile = form.profile != nullptr ? *form.profile : text::pyyaml();
    const text::Document value = text::read_yaml(sources, sources.add("<value>", change.spelling), profile, limits);
    change.value = value.root ? value.root : Value::null();
    if ((data[1] & 8U) != 0) change.spelling.clear();
    const edit::Edited edited = edit::apply("f", rest, form, change, limits);
    const std::string mistake = edit::testing::mistake(rest, form, change, edited, limits);
    if (mistake.empty()) return 0;
    std::fprintf(stderr, "%s\n", mistake.c_str());
    std::abort();
  } catch (const Error& error) {
    if (is_expected(error)) return 0;
    std::fprintf(stderr, "%s\n", format(error.diagnostic(), "error").c_str());
    std::abort();
  }
}
