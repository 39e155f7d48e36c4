// SPDX-License-Identifier: Apache-2.0
#include "analysis/secrets/node_masks.hpp"

#include <algorithm>
#include <cstdint>

#include "analysis/secrets/text_forms.hpp"
#include "strata/report.hpp"

// Recursion: bounded by Limits::depth.
namespace strata::analysis {
namespace {

/// Where a scalar ends that begins at `at`, as far as comments show it: no line with a comment goes on with it. In
/// doubt, nowhere.
std::size_t end_of_scalar(std::string_view text, std::size_t at) {
  const char first = at < text.size() ? text[at] : '|';
  if (first == '|' || first == '>' || text.substr(at).starts_with(R"(""")")) return SIZE_MAX;
  if (first != '"' && first != '\'') return at;
  for (++at; at < text.size() && (text[at] != first || (first == '\'' && text.substr(at + 1).starts_with('\'')));
       ++at) {
    if (text[at] == first || (first == '"' && text[at] == '\\')) ++at;
  }
  return at;
}

/// A mask in place of a node and of what follows up to the next one; what leads to that stays where it cannot be a part
/// of the secret. So do the comments behind `comments`.
void append_mask(std::string& out, std::string_view hidden, bool is_last, std::size_t comments) {
  out += report::kMask;
  std::size_t at = hidden.find('\n');
  if (at == std::string_view::npos) {
    if (!is_last) out += hidden.find(',') != std::string_view::npos ? ", " : " ";
    return;
  }
  while (at != std::string_view::npos) {
    const std::size_t begin = at + 1;
    at = hidden.find('\n', begin);
    std::string_view line = hidden.substr(begin, at == std::string_view::npos ? at : at - begin);
    out += '\n';
    const bool leads = at == std::string_view::npos && line.find_first_not_of(" \t-?") == std::string_view::npos;
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::size_t content = line.find_first_not_of(" \t");
    const bool is_comment = begin > comments && content != std::string_view::npos && line[content] == '#';
    if (leads || is_comment || content == std::string_view::npos || line == "---" || line == "...") {
      out.append(line);
    } else {
      out += report::kMask;
    }
  }
}

}  // namespace

NodeMasks::NodeMasks(const edit::Reading& reading, const edit::Form& form)
    : reading_(reading), sources_(*reading.sources), tells_all_(tells_all(form)) {}

std::string NodeMasks::masked(bool shows_comments) {
  for (const text::Document& document : reading_.documents) {
    if (!document.root) continue;
    list(document.root);
    if (document.origin) add_start(document.origin);
  }
  for (const text::Document& document : reading_.documents) {
    find_repeated(document);
    if (document.root && (!tells_all_ || !repeated_.empty())) hide_repeated(document.root);
  }
  std::ranges::sort(starts_);
  const std::string_view text = reading_.text();
  std::string out;
  std::size_t done = 0;
  for (const auto& [begin, last] : secrets_) {
    const auto next = std::ranges::upper_bound(starts_, last);
    const std::size_t end = next == starts_.end() ? text.size() : *next;
    if (end <= done) continue;
    const std::size_t first =
        std::max(begin, done);  // Of two members of one name, the later value can come after other members.
    out.append(text.substr(done, first - done));
    const std::size_t comments =
        shows_comments && last >= first ? end_of_scalar(text.substr(first, end - first), last - first) : SIZE_MAX;
    append_mask(out, text.substr(first, end - first), next == starts_.end(), comments);
    done = end;
  }
  out.append(text.substr(done));
  return out;
}

void NodeMasks::hide(std::span<const TextPlace> places) {
  std::map<std::size_t, std::vector<std::size_t>> columns;  // By line.
  for (const TextPlace& one : places) columns[one.line].push_back(one.column);
  const std::string_view text = reading_.text();
  std::size_t begin = 0;
  std::size_t number = 1;
  for (const auto& [line, of_line] : columns) {
    for (; number < line && begin < text.size(); ++number)
      begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
    for (const std::size_t column : of_line) {
      const std::size_t at = begin + offset_of_column(text.substr(begin, text.find('\n', begin) - begin), column);
      secrets_.try_emplace(at, at);
      given_.insert(at);
    }
  }
}

void NodeMasks::add_start(Origin origin) {
  if (const auto at = own_offset(origin)) starts_.push_back(*at);
}

/// No value: it is from nowhere, or stands somewhere else.
std::optional<std::size_t> NodeMasks::own_offset(Origin origin) const {
  const std::size_t size = reading_.text().size();
  const std::size_t base = sources_.at(reading_.source, 0).location;
  if (!origin || origin.through_alias() || origin.location < base || origin.location > base + size) return std::nullopt;
  return origin.location - base;
}

/// The same, through an alias, too.
std::optional<std::size_t> NodeMasks::offset(Origin origin) const {
  if (!origin || !origin.through_alias()) return own_offset(origin);
  const auto position = sources_.position(origin);
  if (!position || position->source != reading_.source) return std::nullopt;
  const std::string_view text = reading_.text();
  std::size_t at = 0;
  for (std::uint32_t line = 0; line < position->line; ++line) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  // Columns are UTF-16 code units.
  for (std::uint32_t column = 0; column < position->column && at < text.size();) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    column += length == 4 ? 2 : 1;
    at += length;
  }
  return std::min(at, text.size());
}

void NodeMasks::find_last(const Value& value, std::size_t& last) const {
  const auto count = [&](Origin origin) {
    if (const auto at = own_offset(origin)) last = std::max(last, *at);
  };
  count(value.origin());
  if (value.is_sequence()) {
    for (const Value& item : value.items()) find_last(item, last);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) {
      count(entry.key.origin());
      find_last(entry.value, last);
    }
  }
}

void NodeMasks::hide(const Value& value) {
  // A null that is not written is where its key is.
  if (!value || value.is_null()) return;
  if (const auto first = offset(value.origin())) hide_from(*first, value);
}

/// From a place, with all of a value.
void NodeMasks::hide_from(std::size_t first, const Value& value) {
  std::size_t last = first;
  find_last(value, last);
  std::size_t& known = secrets_.try_emplace(first, first).first->second;
  known = std::max(known, last);
}

void NodeMasks::find_repeated(const text::Document& document) {
  constexpr std::size_t kMostTold = 1000;
  repeated_.clear();
  for (const text::RepeatedKey& key : document.repeated_keys) {
    if (const auto at = own_offset(key.later)) repeated_.push_back(*at);
  }
  std::ranges::sort(repeated_);
  tells_repeated_ = document.repeated_keys.size() < kMostTold;
}

/// Whether the value of an earlier member of the same name can stand between a key and its value.
bool NodeMasks::is_repeated(std::size_t key, std::size_t value) const {
  if (!tells_all_) return reading_.text().substr(key, value - key).find_first_of(",\n") != std::string_view::npos;
  const auto next = std::ranges::upper_bound(repeated_, key);
  return !tells_repeated_ || (next != repeated_.end() && *next < value);
}

/// No result has such an earlier value: it is secret where the later one is.
void NodeMasks::hide_repeated(const Value& value) {
  if (value.origin().through_alias()) return;
  if (value.is_sequence()) {
    for (const Value& item : value.items()) hide_repeated(item);
  }
  if (!value.is_mapping()) return;
  for (const Entry& entry : value.entries()) {
    hide_repeated(entry.value);
    const auto key = own_offset(entry.key.origin());
    const auto begin = own_offset(entry.value.origin());
    if (!key || !begin || *begin <= *key || !is_repeated(*key, *begin)) continue;
    std::size_t last = *begin;
    find_last(entry.value, last);
    const auto secret = secrets_.lower_bound(*begin);
    if (secret != secrets_.end() && secret->first <= last) hide_from(*key, entry.value);
  }
}

void NodeMasks::list(const Value& value) {
  if (value.origin().through_alias()) return;
  add_start(value.origin());
  if (value.is_sequence()) {
    for (const Value& item : value.items()) list(item);
  } else if (value.is_container()) {
    for (const Entry& entry : value.entries()) {
      add_start(entry.key.origin());
      if (const auto key = given_.empty() ? std::nullopt : own_offset(entry.key.origin()); key && given_.contains(*key))
        hide_from(*key, entry.value);
      list(entry.value);
    }
  }
}

}  // namespace strata::analysis
