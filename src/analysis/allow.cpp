// SPDX-License-Identifier: Apache-2.0
#include "analysis/allow.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "analysis/statement_spans.hpp"
#include "edit/lines.hpp"
#include "edit/target.hpp"
#include "puppet/language/lexer.hpp"
#include "strata/check.hpp"
#include "text/comments.hpp"

namespace strata::analysis {
namespace {

constexpr std::string_view kBlanks = " \t";

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size())); }

bool skip(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

std::string_view take_code(std::string_view& text) {
  constexpr std::string_view kCode = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  const std::string_view code = text.substr(0, text.find_first_not_of(kCode));
  text.remove_prefix(code.size());
  return code_name(code);
}

/// What a comment allows. No value: it is none for checks.
std::optional<Allow> parse(std::string_view comment) {
  if (!skip(comment, "#") && !skip(comment, "//")) return std::nullopt;
  skip_blanks(comment);
  if (!skip(comment, "strata:")) return std::nullopt;
  skip_blanks(comment);
  Allow out;
  out.is_for_file = comment.starts_with("allow-file");
  if (!skip(comment, out.is_for_file ? "allow-file" : "allow")) return std::nullopt;
  if (!comment.empty() && kBlanks.find(comment.front()) == std::string_view::npos) return std::nullopt;
  do {
    skip_blanks(comment);
    if (const std::string_view code = take_code(comment); !code.empty()) out.codes.emplace_back(code);
    skip_blanks(comment);
  } while (skip(comment, ","));
  out.reason = comment.substr(0, comment.find_last_not_of(kBlanks) + 1);
  if (out.codes.empty()) out.reason.clear();
  return out;
}

bool is_manifest(std::string_view name) { return name.ends_with(".pp"); }
bool is_hocon(std::string_view name) { return name.ends_with(".conf"); }

std::vector<text::Stretch> manifest_comments(const Sources& sources, SourceId source, const Limits& limits) {
  puppet::SyntaxTree tree(sources.text(source).size());
  puppet::Lexer lexer(sources, source, tree, limits);
  while (lexer.next().kind != puppet::TokenKind::end) {
  }
  std::vector<text::Stretch> out;
  for (const puppet::Lexer::Comment& comment : lexer.comments()) out.push_back({comment.begin, comment.end});
  // Those inside heredocs are read before what follows the heredoc's tag.
  std::ranges::sort(out, {}, &text::Stretch::begin);
  return out;
}

}  // namespace

edit::Form form_by_name(std::string_view name) {
  if (name.ends_with(".json")) return {.syntax = edit::Syntax::json, .profile = nullptr, .json = text::kRubyJson};
  if (is_manifest(name) || is_hocon(name)) return {.syntax = edit::Syntax::other};
  return {.syntax = edit::Syntax::yaml, .profile = &text::core12()};
}

/// Finds the comments of one text, and what they hold for.
class Allows::Reader {
 public:
  Reader(Allows& out, const std::string& name, const std::string& text, const edit::Form& form, const Limits& limits)
      : out_(out) {
    if (form.syntax == edit::Syntax::hocon) read_hocon(name, text, form, limits);
    if (reading_) {
      comments_ = text::hocon_comments(*sources_, source_);
      spans_.emplace(*reading_);
    } else if (form.syntax == edit::Syntax::other || form.syntax == edit::Syntax::hocon) {
      source_ = own_.add(name, text);
      sources_ = &own_;
      if (is_hocon(name)) comments_ = text::hocon_comments(own_, source_);
      if (is_manifest(name)) comments_ = manifest_comments(own_, source_, limits);
    } else {
      reading_ = std::make_unique<edit::Reading>(name, text, form, limits);
      sources_ = reading_->sources.get();
      source_ = reading_->source;
      if (form.syntax == edit::Syntax::yaml) {
        comments_ = text::yaml_comments(*reading_->sources, source_, edit::profile_of(form), limits,
                                        reading_->documents.size());
      } else if (form.json.comments) {
        comments_ = text::json_comments(text);
      }
      spans_.emplace(*reading_);
    }
    text_ = sources_->text(source_);
    lines_.emplace(text_);
    sign_ = form.syntax == edit::Syntax::json ? "//" : "#";
  }

  void read() {
    std::erase_if(comments_, [this](const text::Stretch& one) { return !text_.substr(one.begin).starts_with(sign_); });
    for (const text::Stretch& comment : comments_) {
      if (lines_->is_first_in_line(comment.begin)) alone_.push_back(lines_->begin(comment.begin));
    }
    head_end_ = end_of_comments(lines_->begin(0), true);
    for (const text::Stretch& comment : comments_) {
      const std::size_t end = std::min(text_.find_first_of("\r\n", comment.begin), comment.end);
      if (auto allow = parse(text_.substr(comment.begin, end - comment.begin))) add(std::move(*allow), comment.begin);
    }
    nest();
  }

 private:
  /// A text with substitutions that only its reader knows has comments for the file alone.
  void read_hocon(const std::string& name, const std::string& text, const edit::Form& form, const Limits& limits) {
    try {
      reading_ = std::make_unique<edit::Reading>(name, text, form, limits);
      sources_ = reading_->sources.get();
      source_ = reading_->source;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
  }

  struct Target {
    std::size_t number;
    std::optional<LinePlace> place;  ///< Of its first statement. No value: there is none.
  };

  [[nodiscard]] LinePlace place(std::size_t at) const {
    const Place found = sources_->place(sources_->at(source_, at));
    return {found.line.value_or(1), found.column.value_or(1)};
  }

  void add(Allow allow, std::size_t at) {
    const Origin origin = sources_->at(source_, at);
    allow.where = excerpt_at(*sources_, origin);
    const std::size_t number = out_.allows_.size();
    if (allow.is_for_file) {
      if (at < head_end_) Allows::add(out_.for_file_, allow, number);
    } else if (const auto line = line_of_target(at)) {
      const auto [known, is_new] =
          targets_.try_emplace(*line, Target{.number = out_.targets_.size(), .place = std::nullopt});
      if (is_new) {
        out_.targets_.emplace_back();
        add_ranges(*line, known->second.number);
        name_target(*line, allow);
        known->second.place = allow.target;
      }
      allow.target = known->second.place;
      Allows::add(out_.targets_[known->second.number], allow, number);
    }
    out_.allows_.push_back(std::move(allow));
  }

  /// Of several comments for a statement, the first has its pointer.
  void name_target(std::size_t line, Allow& allow) const {
    if (!spans_) {
      allow.target = place(line);
    } else if (const auto first = spans_->first_in(line, lines_->end(line))) {
      allow.target = place(spans_->all()[*first].begin);
      allow.pointer = spans_->pointer(*first);
      if (reading_->documents.size() > 1) allow.document = spans_->all()[*first].document;
    }
  }

  [[nodiscard]] bool is_comment_line(std::size_t begin) const { return std::ranges::binary_search(alone_, begin); }

  /// Behind the lines from `line` on that hold nothing but a comment, or also but blanks.
  [[nodiscard]] std::size_t end_of_comments(std::size_t line, bool skips_blanks) const {
    while (line < text_.size() && (is_comment_line(line) || (skips_blanks && lines_->is_blank(line))))
      line = lines_->next(line);
    return line;
  }

  /// Where the line of the statements begins that a comment is about.
  [[nodiscard]] std::optional<std::size_t> line_of_target(std::size_t at) {
    if (!is_comment_line(lines_->begin(at))) return lines_->begin(at);
    // Comments of one block have one target.
    if (at >= block_end_) block_end_ = end_of_comments(lines_->begin(at), false);
    return block_end_ < text_.size() ? std::optional(block_end_) : std::nullopt;
  }

  void add_ranges(std::size_t line, std::size_t target) {
    const std::size_t line_end = lines_->end(line);
    if (!spans_) {
      out_.ranges_.push_back({.begin = place(line), .end = place(lines_->next(line)), .target = target});
      if (lines_->next(line) == text_.size()) ++out_.ranges_.back().end.line;
      return;
    }
    // One reaches up to the next one, so that all but the last are one range, within the line.
    const auto first = spans_->first_in(line, line_end);
    if (!first) return;
    std::size_t last = *first;
    for (std::size_t i = *first; i < spans_->all().size() && spans_->all()[i].begin < line_end; ++i) {
      if (spans_->all()[i].begin >= spans_->all()[last].end && !spans_->all()[i].is_document()) last = i;
    }
    const StatementSpans::Span& span = spans_->all()[last];
    const LinePlace begin = place(span.begin);
    if (last != *first)
      out_.ranges_.push_back({.begin = place(spans_->all()[*first].begin), .end = begin, .target = target});
    out_.ranges_.push_back({.begin = begin, .end = end_of(span), .target = target});
  }

  /// Nothing follows the last statement.
  [[nodiscard]] LinePlace end_of(const StatementSpans::Span& span) const {
    return span.end < text_.size() ? place(span.end) : LinePlace{UINT32_MAX, UINT32_MAX};
  }

  void nest() {
    std::vector<Range>& ranges = out_.ranges_;
    std::ranges::sort(ranges, {}, &Range::begin);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      while (!open.empty() && ranges[open.back()].end <= ranges[i].begin) open.pop_back();
      if (!open.empty()) ranges[i].around = open.back();
      open.push_back(i);
    }
  }

  Allows& out_;
  Sources own_;  ///< Of a text without a Reading.
  std::unique_ptr<edit::Reading> reading_;
  const Sources* sources_ = nullptr;
  SourceId source_{};
  std::string_view text_;
  std::string_view sign_;
  std::optional<edit::Lines> lines_;
  std::optional<StatementSpans> spans_;  ///< No value: statements are lines.
  std::vector<text::Stretch> comments_;
  std::vector<std::size_t> alone_;         ///< Where lines begin that hold nothing but a comment.
  std::map<std::size_t, Target> targets_;  ///< By where its line begins.
  std::size_t head_end_ = 0;               ///< Behind the comments and blank lines that begin the text.
  std::size_t block_end_ = 0;              ///< Behind the last lines of comments that were looked at.
};

Allows::Allows(const std::string& name, const std::string& text, const edit::Form& form, const Limits& limits) {
  // Most files hold none.
  if (text.find("strata:") != std::string::npos) Reader(*this, name, text, form, limits).read();
}

void Allows::add(ByCode& to, const Allow& allow, std::size_t number) {
  if (allow.reason.empty()) return;
  for (const std::string& code : allow.codes) to.try_emplace(code, number);
}

void Allows::find(const ByCode& in, std::string_view code, std::vector<std::size_t>& out) {
  for (const std::string_view name : {code, kAllCodes}) {
    if (const auto found = in.find(name); found != in.end()) out.push_back(found->second);
  }
}

std::vector<std::size_t> Allows::allowing(std::string_view code, const std::optional<LinePlace>& place) const {
  std::vector<std::size_t> out;
  code = code_name(code);
  if (place) {
    const auto behind = std::ranges::upper_bound(ranges_, *place, {}, &Range::begin);
    std::size_t at = behind == ranges_.begin() ? kNone : static_cast<std::size_t>(behind - ranges_.begin()) - 1;
    for (; at != kNone; at = ranges_[at].around) {
      if (*place < ranges_[at].end) find(targets_[ranges_[at].target], code, out);
    }
  }
  find(for_file_, code, out);
  return out;
}

}  // namespace strata::analysis
