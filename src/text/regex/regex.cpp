// SPDX-License-Identifier: Apache-2.0
// Regular expressions on Oniguruma, with bounded work.
//
// The engine counts retries within one match attempt and stops at a limit. It does not count what lookaheads,
// lookbehinds and atomic groups do, and the attempts of one search have no common limit that suits both short and long
// strings. A pattern such as `(?=(a+))a*b` takes quadratic time on a long string although each attempt is cheap.
//
// Each pattern therefore has up to two programs with the same meaning. Strings of at most `kShortString` bytes run the
// plain one, and longer strings do where the pattern is simple enough (longest_without_checkpoints). All others run the
// bounded one, compiled on first use, which has a checkpoint (an empty callout of the engine, `(?{})`) at its start and
// before each of these groups. A checkpoint always succeeds and takes no characters, so it cannot change what matches.
// After every `kCheckpointsPerLook` checkpoints it looks at the processor time of the thread and ends the search when
// `kLongestSearch` is over.
//
// A search always passes the end of the string as its range. In Oniguruma 6.9.8 the range bounds the whole match and
// not only its start, so a search in windows misses every match that crosses the end of one.
//
// Cost: one call of a few nanoseconds per attempt on long strings. Tested by regex_test.cpp (limits) and
// regex_property_test.cpp (equal results).
#include "text/regex/regex.hpp"

#include <fmt/format.h>
#include <oniguruma.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <mutex>
#include <new>
#include <utility>

#include "strata/error.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "text/regex/python_pattern.hpp"
#include "text/regex/ruby_pattern.hpp"
#include "value/once_flag.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kLongestPattern = std::size_t{1} << 14U;  ///< Without case, compiling is quadratic.
constexpr unsigned kDeepestPattern = 250;          ///< Levels of groups; the engine recurses over them several times.
constexpr unsigned kMostStack = 1'000'000;         ///< Entries that one match may pile up (some 50 bytes each).
constexpr unsigned long kMostRetries = 2'000'000;  ///< Of one match; a search has 16 more per byte.
constexpr std::size_t kShownPattern = 100;
constexpr std::size_t kShortString = 512;          ///< Bytes. The limit on retries alone bounds a search in these.
constexpr unsigned kCheckpointsPerLook = 64;       ///< What happens between two checkpoints is linear in the string.
constexpr std::chrono::seconds kLongestSearch{3};  ///< Of processor time: other work on the machine does not count.
constexpr int kTimeIsOver = -10'000;  ///< Status of a search that a checkpoint ended. No status of the engine's own.

const OnigUChar* bytes(const char* at) noexcept { return reinterpret_cast<const OnigUChar*>(at); }

OnigSyntaxType ruby_with_checkpoints;  // Set once by initialize().

void initialize() {
  static const int status = [] {
    std::array<OnigEncoding, 1> encodings{ONIG_ENCODING_UTF8};
    onig_set_parse_depth_limit(kDeepestPattern);
    onig_copy_syntax(&ruby_with_checkpoints, ONIG_SYNTAX_RUBY);
    onig_set_syntax_op2(&ruby_with_checkpoints,
                        onig_get_syntax_op2(ONIG_SYNTAX_RUBY) | ONIG_SYN_OP2_QMARK_BRACE_CALLOUT_CONTENTS);
    return onig_initialize(encodings.data(), static_cast<int>(encodings.size()));
  }();
  if (status != ONIG_NORMAL) throw std::bad_alloc();
}

std::string shown_pattern(std::string_view pattern) {
  if (pattern.size() <= kShownPattern) return std::string(pattern);
  std::size_t end = kShownPattern;
  while (end > 0 && (static_cast<unsigned char>(pattern[end]) & 0xC0U) == 0x80U) --end;
  return std::string(pattern.substr(0, end)) + "…";
}

/// The longest string for which the plain program needs no checkpoints.
///
/// A short pattern without loops, recursion and groups that look around does the same work for each attempt, whatever
/// the string. One loop makes an attempt linear in the string and a search quadratic, which is under a second up to
/// `kQuadraticString`. Two loops, or a loop within another group whose work the engine does not count, make it worse.
std::size_t longest_without_checkpoints(std::string_view pattern) noexcept {
  constexpr std::size_t kShortPattern = 64;
  constexpr std::size_t kQuadraticString = std::size_t{1} << 14U;
  if (pattern.size() > kShortPattern || pattern.find("(?") != std::string_view::npos ||
      pattern.find("\\g") != std::string_view::npos)
    return kShortString;
  const auto loops = std::ranges::count_if(pattern, [](char c) { return c == '*' || c == '+' || c == '{'; });
  if (loops == 0) return std::numeric_limits<std::size_t>::max();
  // A group may be a loop's body or the name of a back reference, whose comparison is not counted.
  return loops == 1 && pattern.find('(') == std::string_view::npos ? kQuadraticString : kShortString;
}

std::string reason(int status, OnigErrorInfo* info) {
  std::array<OnigUChar, ONIG_MAX_ERROR_MESSAGE_LEN> buffer{};
  const int length = info != nullptr ? onig_error_code_to_str(buffer.data(), status, info)
                                     : onig_error_code_to_str(buffer.data(), status);
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
  return Error("limit.regex",
               fmt::format("the regular expression '{}' takes too long: {}", shown_pattern(pattern), why))
      .hint(
          "quantifiers inside of quantifiers are the usual cause; write it with fewer, or with possessive ones "
          "(`a++`)");
}

std::string spelled_python(std::string_view pattern, std::string_view checkpoint) {
  try {
    return spell_out_python(pattern, kDeepestPattern, checkpoint);
  } catch (const PythonPatternTooDeep&) {
    throw limit_error(pattern, fmt::format("nested deeper than {} levels", kDeepestPattern));
  } catch (const PythonPatternError& error) {
    throw Error("regex.syntax",
                fmt::format("the regular expression '{}' is wrong: {}", shown_pattern(pattern), error.what()));
  }
}

std::chrono::nanoseconds thread_time() noexcept {
  std::timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Decides at checkpoints whether a search has used up its time. The clock of the thread costs a system call, so it is
/// read only when the cheap clock says that the time may be over.
class TimeBudget {
 public:
  void start() noexcept {
    left_ = kCheckpointsPerLook;
    is_started_ = false;
  }

  /// What a checkpoint returns to the engine.
  int check() noexcept { return --left_ == 0 ? look() : ONIG_CALLOUT_SUCCESS; }

 private:
  int look() noexcept {
    left_ = kCheckpointsPerLook;
    const auto now = std::chrono::steady_clock::now();
    if (!is_started_) {
      is_started_ = true;
      wall_start_ = now;
      thread_start_ = thread_time();
      return ONIG_CALLOUT_SUCCESS;
    }
    return now - wall_start_ > kLongestSearch && thread_time() - thread_start_ > kLongestSearch ? kTimeIsOver
                                                                                                : ONIG_CALLOUT_SUCCESS;
  }

  unsigned left_ = kCheckpointsPerLook;
  bool is_started_ = false;
  std::chrono::steady_clock::time_point wall_start_;
  std::chrono::nanoseconds thread_start_{};
};

int at_checkpoint(OnigCalloutArgs* /*arguments*/, void* budget) { return static_cast<TimeBudget*>(budget)->check(); }

/// The state of one match attempt. Each thread has one and reuses it.
struct MatchState {
  OnigRegion* region = onig_region_new();
  OnigMatchParam* parameters = onig_new_match_param();
  TimeBudget budget;

  MatchState() {
    if (region == nullptr || parameters == nullptr) throw std::bad_alloc();
    onig_initialize_match_param(parameters);
    onig_set_match_stack_limit_size_of_match_param(parameters, kMostStack);
    onig_set_retry_limit_in_match_of_match_param(parameters, kMostRetries);
    onig_set_progress_callout_of_match_param(parameters, at_checkpoint);
    onig_set_callout_user_data_of_match_param(parameters, &budget);
  }
  MatchState(const MatchState&) = delete;
  MatchState& operator=(const MatchState&) = delete;
  ~MatchState() {
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

}  // namespace

void Regex::Free::operator()(re_pattern_buffer* program) const noexcept { onig_free(program); }

struct Regex::Bounded {
  OnceFlag once;
  Program program;  ///< Null where the engine does not take the checkpoints.
};

Regex::Program Regex::compile(bool with_checkpoints) const {
  const bool is_ruby = syntax_ == Syntax::ruby;
  const std::string_view checkpoint = with_checkpoints ? "(?{})" : "";
  std::string spelled(checkpoint);
  spelled += is_ruby ? spell_out(pattern_, checkpoint) : spelled_python(pattern_, checkpoint);
  regex_t* compiled = nullptr;
  OnigErrorInfo info{};
  // Python knows no characters that are several in the other case (`\u00df` and `SS`).
  OnigCompileInfo settings{
      .num_of_elements = 5,
      .pattern_enc = ONIG_ENCODING_UTF8,
      .target_enc = ONIG_ENCODING_UTF8,
      .syntax = !is_ruby           ? ONIG_SYNTAX_ONIGURUMA
                : with_checkpoints ? &ruby_with_checkpoints
                                   : ONIG_SYNTAX_RUBY,
      .option = static_cast<OnigOptionType>(is_ruby ? ONIG_OPTION_NONE : ONIG_OPTION_CAPTURE_GROUP),
      .case_fold_flag = is_ruby ? onig_get_default_case_fold_flag() : 0};
  const int status =
      onig_new_deluxe(&compiled, bytes(spelled.data()), bytes(spelled.data() + spelled.size()), &settings, &info);
  if (status == ONIG_NORMAL) return Program(compiled);
  if (status == ONIGERR_MEMORY) throw std::bad_alloc();
  if (is_limit(status)) throw limit_error(pattern_, fmt::format("nested deeper than {} levels", kDeepestPattern));
  throw Error("regex.syntax",
              fmt::format("the regular expression '{}' is wrong: {}", shown_pattern(pattern_), reason(status, &info)));
}

Regex::Regex(std::string_view pattern, Syntax syntax)
    : pattern_(pattern),
      syntax_(syntax),
      longest_for_plain_(longest_without_checkpoints(pattern)),
      bounded_(std::make_unique<Bounded>()) {
  initialize();
  if (pattern.size() > kLongestPattern)
    throw Error("limit.regex", fmt::format("a regular expression of {} bytes is longer than {}: '{}'", pattern.size(),
                                           kLongestPattern, shown_pattern(pattern)));
  if (find_invalid_utf8(pattern) != std::string_view::npos)
    throw Error("regex.syntax", "a regular expression is not UTF-8");
  // What the engine's own recursions take.
  constexpr std::size_t kLevels = 100;
  check_stack(kLevels);
  plain_ = compile(false);
}

re_pattern_buffer* Regex::program_for(std::size_t size) const {
  if (size <= longest_for_plain_) return plain_.get();
  bounded_->once.call([this] {
    try {
      bounded_->program = compile(true);
    } catch (const Error&) {
      // The checkpoints add depth, which the engine limits. The limit on retries still holds for the plain program.
    }
  });
  return bounded_->program ? bounded_->program.get() : plain_.get();
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
  std::string mended;
  if (find_invalid_utf8(text) != std::string_view::npos) text = mended = mend_utf8(text);
  // Neither what is done with the matches counts, nor that others work meanwhile; the time of the thread alone costs a
  // call of the system each time.
  using Clock = std::chrono::steady_clock;
  const auto began = thread_time();
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
    if (spent > kLongestSearch && thread_time() - began > kLongestSearch)
      throw limit_error(pattern_, "all matches in one string take seconds");
    visit(match);
    begin = Clock::now();
    was_empty = match.groups[0]->begin == match.groups[0]->end;
    from = match.groups[0]->end;
  }
}

std::size_t Regex::groups() const noexcept { return static_cast<std::size_t>(onig_number_of_captures(plain_.get())); }

bool Regex::has_names() const noexcept { return onig_number_of_names(plain_.get()) > 0; }

std::optional<std::size_t> Regex::group(std::string_view name) const noexcept {
  int* numbers = nullptr;
  const int count =
      onig_name_to_group_numbers(plain_.get(), bytes(name.data()), bytes(name.data() + name.size()), &numbers);
  if (count <= 0) return std::nullopt;
  return static_cast<std::size_t>(numbers[0]);
}

bool Regex::run_valid(std::string_view text, std::size_t from, Anchor anchor, Match* match) const {
  thread_local MatchState state;
  re_pattern_buffer* const program = program_for(text.size());
  // The limit on retries of a whole search would end long searches that are merely slow. Checkpoints or the pattern
  // itself bound their time.
  const bool is_bounded = text.size() > kShortString && (text.size() <= longest_for_plain_ || program != plain_.get());
  onig_set_retry_limit_in_search_of_match_param(
      state.parameters, is_bounded ? std::numeric_limits<unsigned long>::max()
                                   : kMostRetries + 16 * static_cast<unsigned long>(text.size()));
  state.budget.start();
  const char* const data = text.data() != nullptr ? text.data() : "";
  const OnigUChar* const begin = bytes(data);
  const OnigUChar* const end = begin + text.size();
  OnigRegion* const region = match != nullptr ? state.region : nullptr;
  const int status =
      anchor == Anchor::anywhere
          ? onig_search_with_param(program, begin, end, begin + from, end, region, ONIG_OPTION_NONE, state.parameters)
          : onig_match_with_param(program, begin, end, begin + from, region,
                                  anchor == Anchor::here ? ONIG_OPTION_FIND_NOT_EMPTY : ONIG_OPTION_NONE,
                                  state.parameters);
  if (status == ONIG_MISMATCH) return false;
  if (status == ONIGERR_MEMORY) throw std::bad_alloc();
  if (status == kTimeIsOver) throw limit_error(pattern_, "a search in one string takes seconds");
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
