// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/stored_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "service/buckets/failure.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "text/keyed_entries.hpp"

namespace strata::service::buckets {
namespace {

class StoredWriter {
 public:
  StoredWriter(std::string& out, const Limits& limits, LineCounter* lines, bool is_sorted)
      : out_(out), stop_(limits.stop), lines_(lines), is_sorted_(is_sorted) {}

  // Recursion: bounded by Limits::depth, which the reader keeps.
  void write(const Value& value) {
    stop_.tick();
    if (out_.size() > kMostStoredText)
      throw Failure(413, "HTTPPayloadTooLarge", "The documents are too large when their aliases are written out.");
    if (value.is_leaf()) move_to(value);
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null:
        out_ += "null";
        break;
      case Kind::boolean:
        out_ += value.as_boolean() ? "true" : "false";
        break;
      case Kind::integer: {
        const fmt::format_int digits(value.as_integer());
        out_.append(digits.data(), digits.size());
        break;
      }
      case Kind::big_integer:
        out_ += value.text();
        break;
      case Kind::floating:
        write_float(value);
        break;
      case Kind::text:
        text::append_json_text(out_, value.text());
        break;
      case Kind::sequence:
        write_items(value);
        break;
      case Kind::mapping:
      case Kind::set:
        write_entries(value);
        break;
      default:
        text::append_json(out_, value, {.indent = -1});
    }
  }

 private:
  void move_to(const Value& value) {
    if (lines_ != nullptr) out_.append(lines_->advance(value.origin()), '\n');
  }

  void write_float(const Value& value) {
    const double number = value.as_floating();
    if (std::isnan(number)) {
      out_ += "NaN";
    } else if (std::isinf(number)) {
      out_ += number < 0 ? "-Infinity" : "Infinity";
    } else {
      text::append_json(out_, value, {.indent = -1});
    }
  }

  void write_items(const Value& value) {
    out_ += '[';
    bool is_first = true;
    for (const Value& item : value.items()) {
      if (!is_first) out_ += ',';
      is_first = false;
      write(item);
    }
    out_ += ']';
  }

  void write_entry(const Entry& entry, bool is_first) {
    if (!is_first) out_ += ',';
    move_to(entry.key);
    if (entry.key.is_text()) {
      text::append_json_text(out_, entry.key.text());
    } else {
      text::append_json(out_, entry.key, {.indent = -1});
    }
    out_ += ':';
    write(entry.value);
  }

  void write_entries(const Value& value) {
    out_ += '{';
    bool is_first = true;
    if (is_sorted_) {
      const std::size_t begin = sorted_.size();
      text::append_sorted_by_key_text(value, sorted_);
      const std::size_t end = sorted_.size();
      for (std::size_t i = begin; i < end; ++i) {
        write_entry(*sorted_[i], is_first);
        is_first = false;
      }
      sorted_.resize(begin);
    } else {
      for (const Entry& entry : value.entries()) {
        write_entry(entry, is_first);
        is_first = false;
      }
    }
    out_ += '}';
  }

  std::string& out_;
  StopCheck stop_;
  LineCounter* lines_;
  bool is_sorted_;
  std::vector<const Entry*> sorted_;
};

}  // namespace

LineCounter::LineCounter(const Sources& sources, SourceId source)
    : text_(sources.text(source)), base_(sources.at(source, 0).location) {}

std::size_t LineCounter::advance(Origin to) {
  if (to.through_alias() || to.location < base_ + at_ || to.location > base_ + text_.size()) return 0;
  const std::size_t end = to.location - base_;
  const std::string_view between = text_.substr(at_, end - at_);
  at_ = end;
  return static_cast<std::size_t>(std::ranges::count(between, '\n'));
}

void append_stored(std::string& out, const Value& value, const Limits& limits, LineCounter* lines) {
  StoredWriter(out, limits, lines, false).write(value);
}

void append_canonical(std::string& out, const Value& value, const Limits& limits) {
  StoredWriter(out, limits, nullptr, true).write(value);
}

}  // namespace strata::service::buckets
