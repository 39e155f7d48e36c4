#include "text/regex/regex.hpp"

#include <fmt/format.h>
#include <oniguruma.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <new>
#include <utility>

#include "strata/error.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "text/regex/python_pattern.hpp"
#include "text/regex/ruby_pattern.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kLongestPattern = std::size_t{1} << 14U;  ///< Without case, compiling is quadratic.
constexpr unsigned kDeepestPattern = 250;                       ///< Levels of groups; the engine recurses over them several times.
constexpr unsigned kMostStack = 1'000'000;                      ///< Entries that one match may pile up (some 50 bytes each).
constexpr unsigned long kMostRetries = 2'000'000;               ///< Of one match; a search has some for each byte besides.
constexpr std::size_t kShownPattern = 100;
/// Places where a match may begin, between two looks at the clock: the engine counts no steps of lookaheads. Short texts end anyway.
constexpr std::size_t kFirstWindow = 16;
constexpr std::size_t kShortText = 512;

const OnigUChar* bytes(const char* at) noexcept { return reinterpret_cast<const OnigUChar*>(at); }

void initialize() {
  static const int status = [] {
    std::array<OnigEncoding, 1> encodings{ONIG_ENCODING_UTF8};
    onig_set_parse_depth_limit(kDeepestPattern);
    return onig_initialize(encodings.data(), static_cast<int>(encodings.size()));
  }();
  if (status != ONIG_NORMAL) throw std::bad_alloc();
}

std::string shown(std::string_view pattern) {
  if (pattern.size() <= kShownPattern) return std::string(pattern);
  std::size_t end = kShownPattern;
  while (end > 0 && (static_cast<unsigned char>(pattern[end]) & 0xC0U) == 0x80U) --end;
  return std::string(pattern.substr(0, end)) + "…";
}

std::string reason(int status, OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int length = info != nullptr ? onig_error_code_to_str(buffer.data(), status, info) : onig_error_code_to_str(buffer.data(), status);
  return {reinterpret_cast<const char*>(buffer.data()), static_cast<std::size_t>(std::max(length, 0))};
}

bool is_limit(int status) noexcept {
  switch (status) {
    case ONIGERR_PARSE_DEPTH_LIMIT_OVER:
    case ONIGERR_MATCH_STACK_LIMIT_OVER:
    case ONIGERR_RETRY_LIMIT_IN_MATCH_OVER:
    case ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER:
    case ONIGERR_SUBEXP_CALL_LIMIT_IN_SEARCH_OVER:
      return true;
    default:
      return false;
  }
}

Error limit_error(std::string_view pattern, std::string_view why) {
  return Error("limit.regex", fmt::format("the regular expression '{}' takes too long: {}", shown(pattern), why))
      .hint("quantifiers inside of quantifiers are the usual cause; write it with fewer, or with possessive ones (`a++`)");
}

std::string spelled_python(std::string_view pattern) {
  try {
    return spell_out_python(pattern, kDeepestPattern);
  } catch (const PythonPatternTooDeep&) {
    throw limit_error(pattern, fmt::format("nested deeper than {} levels", kDeepestPattern));
  } catch (const PythonPatternError& error) {
    throw Error("regex.syntax", fmt::format("the regular expression '{}' is wrong: {}", shown(pattern), error.what()));
  }
}

/// What a match needs besides the pattern. One a thread, kept for the next match.
struct Workplace {
  OnigRegion* region = onig_region_new();
  OnigMatchParam* parameters = onig_new_match_param();

  Workplace() {
    if (region == nullptr || parameters == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(parameters);
    onig_set_match_stack_limit_size_of_match_param(parameters, kMostStack);
    onig_set_retry_limit_in_match_of_match_param(parameters, kMostRetries);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  ~Workplace() {
    onig_region_free(region, 1);
    onig_free_match_param(parameters);
  }
};

/// A text with each byte that is not UTF-8 replaced by a control character, so that offsets stay.
std::string mend_utf8(std::string_view text) {
  std::string mended(text);
  std::size_t from = 0;
  for (;;) {
    const std::size_t bad = find_invalid_utf8(std::string_view(mended).substr(from));
    if (bad == std::string_view::npos) return mended;
    from += bad;
    mended[from++] = '\x1A';
  }
}

std::chrono::nanoseconds time_of_thread() noexcept {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

void Regex::Free::operator()(re_pattern_buffer* regex) const noexcept { onig_free(regex); }

Regex::Regex(std::string_view pattern, Syntax syntax)
    : pattern_(pattern), begins_where_search_begins_(pattern.find("\\G") != std::string_view::npos) {
  initialize();
  if (pattern.size() > kLongestPattern)
    throw Error("limit.regex",
                fmt::format("a regular expression of {} bytes is longer than {}: '{}'", pattern.size(), kLongestPattern, shown(pattern)));
  if (find_invalid_utf8(pattern) != std::string_view::npos) throw Error("regex.syntax", "a regular expression is not UTF-8");
  // What the engine's own recursions take.
  constexpr std::size_t kLevels = 100;
  check_stack(kLevels);
  const std::string spelled = syntax == Syntax::ruby ? spell_out(pattern) : spelled_python(pattern);
  regex_t* compiled = nullptr;
  OnigErrorInfo info{};
  // Python knows no characters that are several in the other case (`\u00df` and `SS`).
  OnigCompileInfo settings{.num_of_elements = 5,
                           .pattern_enc = ONIG_ENCODING_UTF8,
                           .target_enc = ONIG_ENCODING_UTF8,
                           .syntax = syntax == Syntax::ruby ? ONIG_SYNTAX_RUBY : ONIG_SYNTAX_ONIGURUMA,
                           .option = static_cast<OnigOptionType>(syntax == Syntax::ruby ? ONIG_OPTION_NONE : ONIG_OPTION_CAPTURE_GROUP),
                           .case_fold_flag = syntax == Syntax::ruby ? onig_get_default_case_fold_flag() : 0};
  const int status = onig_new_deluxe(&compiled, bytes(spelled.data()), bytes(spelled.data() + spelled.size()), &settings, &info);
  if (status == ONIG_NORMAL) {
    compiled_.reset(compiled);
    return;
  }
  if (status == ONIGERR_MEMORY) throw std::bad_alloc();
  if (is_limit(status)) throw limit_error(pattern, fmt::format("nested deeper than {} levels", kDeepestPattern));
  throw Error("regex.syntax", fmt::format("the regular expression '{}' is wrong: {}", shown(pattern), reason(status, &info)));
}

Regex::Regex(Regex&& other) noexcept = default;
Regex& Regex::operator=(Regex&& other) noexcept = default;
Regex::~Regex() = default;

bool Regex::search(std::string_view text) const { return run(text, 0, Anchor::anywhere, nullptr); }

bool Regex::match_from_start(std::string_view text) const { return run(text, 0, Anchor::start, nullptr); }

std::optional<Regex::Match> Regex::find(std::string_view text, std::size_t from) const {
  Match match;
  if (from > text.size() || !run(text, from, Anchor::anywhere, &match)) return std::nullopt;
  return match;
}

bool Regex::run(std::string_view text, std::size_t from, Anchor anchor, Match* match) const {
  if (find_invalid_utf8(text) != std::string_view::npos) return run_valid(mend_utf8(text), from, anchor, match);
  return run_valid(text, from, anchor, match);
}

void Regex::each_match(std::string_view text, const std::function<void(const Match&)>& visit) const {
  constexpr std::chrono::seconds kLongest{3};
  std::string mended;
  if (find_invalid_utf8(text) != std::string_view::npos) text = mended = mend_utf8(text);
  // Neither what is done with the matches counts, nor that others work meanwhile; the time of the thread alone costs a call of the system each time.
  using Clock = std::chrono::steady_clock;
  const auto began = time_of_thread();
  Clock::time_point begin = Clock::now();
  Clock::duration spent{};
  Match match;
  bool was_empty = false;
  for (std::size_t from = 0;;) {
    if (!was_empty || !run_valid(text, from, Anchor::here, &match)) {
      if (was_empty) {
        if (from >= text.size()) return;
        ++from;
        while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0U) == 0x80U) ++from;
      }
      if (!run_valid(text, from, Anchor::anywhere, &match)) return;
    }
    spent += Clock::now() - begin;
    if (spent > kLongest && time_of_thread() - began > kLongest) throw limit_error(pattern_, "all matches in one text take seconds");
    visit(match);
    begin = Clock::now();
    was_empty = match.groups[0]->begin == match.groups[0]->end;
    from = match.groups[0]->end;
  }
}

std::size_t Regex::groups() const noexcept { return static_cast<std::size_t>(onig_number_of_captures(compiled_.get())); }

bool Regex::has_names() const noexcept { return onig_number_of_names(compiled_.get()) > 0; }

std::optional<std::size_t> Regex::group(std::string_view name) const noexcept {
  int* numbers = nullptr;
  const int count = onig_name_to_group_numbers(compiled_.get(), bytes(name.data()), bytes(name.data() + name.size()), &numbers);
  if (count <= 0) return std::nullopt;
  return static_cast<std::size_t>(numbers[0]);
}

int Regex::search_in_windows(std::string_view text, std::size_t from,
                             const std::function<int(std::size_t first, std::size_t last)>& search_in) const {
  constexpr std::chrono::seconds kLongest{3};  // Of processor time: others that work are no reason.
  constexpr std::chrono::milliseconds kShort{5};
  const std::chrono::nanoseconds began = time_of_thread();
  std::chrono::nanoseconds before = began;
  std::size_t widest = std::size_t{1} << 20U;
  for (std::size_t window = kFirstWindow;;) {
    std::size_t last = std::min(from + window, text.size());
    while (last < text.size() && (static_cast<unsigned char>(text[last]) & 0xC0U) == 0x80U) ++last;
    const int status = search_in(from, last);
    // The engine counts the steps of all places together, and how many these are depends on how fast the machine is: what is found must not.
    const bool is_too_wide = status == ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER && window > 1;
    if (!is_too_wide && (status != ONIG_MISMATCH || last == text.size())) return status;
    const std::chrono::nanoseconds now = time_of_thread();
    if (now - began > kLongest) throw limit_error(pattern_, "a search in one text takes seconds");
    if (is_too_wide) {
      window = widest = window / 2;
    } else {
      from = last;
      window = std::min(now - before < kShort ? window * 2 : kFirstWindow, widest);
    }
    before = now;
  }
}

bool Regex::run_valid(std::string_view text, std::size_t from, Anchor anchor, Match* match) const {
  thread_local const Workplace place;
  onig_set_retry_limit_in_search_of_match_param(place.parameters, kMostRetries + 16 * static_cast<unsigned long>(text.size()));
  const char* const data = text.data() != nullptr ? text.data() : "";
  const OnigUChar* const begin = bytes(data);
  const OnigUChar* const end = begin + text.size();
  OnigRegion* const region = match != nullptr ? place.region : nullptr;
  const auto search_in = [&](const OnigUChar* first, const OnigUChar* last) {
    return onig_search_with_param(compiled_.get(), begin, end, first, last, region, ONIG_OPTION_NONE, place.parameters);
  };
  const auto search_all = [&] {
    if (text.size() - from <= kShortText || begins_where_search_begins_) return search_in(begin + from, end);
    return search_in_windows(text, from, [&](std::size_t first, std::size_t last) { return search_in(begin + first, begin + last); });
  };
  const int status = anchor == Anchor::anywhere
                         ? search_all()
                         : onig_match_with_param(compiled_.get(), begin, end, begin + from, region,
                                                 anchor == Anchor::here ? ONIG_OPTION_FIND_NOT_EMPTY : ONIG_OPTION_NONE, place.parameters);
  if (status == ONIG_MISMATCH) return false;
  if (status == ONIGERR_MEMORY) throw std::bad_alloc();
  if (status < 0) throw limit_error(pattern_, reason(status, nullptr));
  if (match == nullptr) return true;
  const auto count = static_cast<std::size_t>(region->num_regs);
  match->groups.assign(count, std::nullopt);
  for (std::size_t i = 0; i < count; ++i) {
    if (region->beg[i] != ONIG_REGION_NOTPOS)
      match->groups[i] = Span{static_cast<std::size_t>(region->beg[i]), static_cast<std::size_t>(region->end[i])};
  }
  return true;
}

}  // namespace strata::text
