#include "text/regex.hpp"

#include <oniguruma.h>

#include <string>

#include "strata/error.hpp"

namespace strata::text {
namespace {

const OnigUChar* bytes(std::string_view text) noexcept { return reinterpret_cast<const OnigUChar*>(text.data()); }

}  // namespace

Regex::Regex(std::string_view pattern, Syntax /*syntax*/) {
  regex_t* compiled = nullptr;
  OnigErrorInfo info{};
  const int status = onig_new(&compiled, bytes(pattern), bytes(pattern) + pattern.size(),
                              ONIG_OPTION_CAPTURE_GROUP | ONIG_OPTION_WORD_IS_ASCII | ONIG_OPTION_DIGIT_IS_ASCII | ONIG_OPTION_SPACE_IS_ASCII,
                              ONIG_ENCODING_UTF8, ONIG_SYNTAX_RUBY, &info);
  if (status != ONIG_NORMAL) throw Error("regex.syntax", "the regular expression cannot be used");
  program_ = std::shared_ptr<const void>(compiled, [](const void* program) { onig_free(static_cast<regex_t*>(const_cast<void*>(program))); });
}

bool Regex::search(std::string_view text) const {
  auto* compiled = static_cast<regex_t*>(const_cast<void*>(program_.get()));
  const OnigUChar* start = bytes(text);
  const OnigUChar* end = start + text.size();
  OnigMatchParam* parameters = onig_new_match_param();
  onig_initialize_match_param(parameters);
  onig_set_retry_limit_in_match_of_match_param(parameters, 1'000'000);
  const int found = onig_search_with_param(compiled, start, end, start, end, nullptr, ONIG_OPTION_NONE, parameters);
  onig_free_match_param(parameters);
  if (found < ONIG_MISMATCH) throw Error("limit.regex", "a regular expression takes too long");
  return found >= 0;
}

}  // namespace strata::text
