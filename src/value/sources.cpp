#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "strata/error.hpp"
#include "strata/origin.hpp"

namespace strata {
namespace {

constexpr std::uint32_t kFirstVia = Origin::kFirstVia;

std::uint32_t count_code_points(std::string_view bytes) {
  return static_cast<std::uint32_t>(std::ranges::count_if(bytes, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

struct Sources::Source {
  std::string file;
  std::string part;
  std::string text;
  std::vector<Segment> segments;
  std::uint32_t base = 0;
  bool named_only = false;
  bool secret = false;
  mutable std::vector<std::uint32_t> lines;  ///< First byte of each line; made when first asked for.

  void index_lines() const {
    if (!lines.empty()) return;
    lines.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'))) lines.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  /// Number, from 0, of the line that holds a byte.
  [[nodiscard]] std::size_t line_at(std::uint32_t offset) const {
    index_lines();
    return static_cast<std::size_t>(std::ranges::upper_bound(lines, offset) - lines.begin()) - 1;
  }
};

struct Sources::Via {
  Origin target;
  Origin alias;
};

std::string Place::to_string() const {
  std::string result = file;
  if (!part.empty()) result += fmt::format("[{}]", part);
  if (line) result += fmt::format(":{}", *line);
  if (line && column) result += fmt::format(":{}", *column);
  return result;
}

Sources::Sources() = default;
Sources::~Sources() = default;

SourceId Sources::insert(Source source) {
  const std::lock_guard lock(mutex_);
  const std::size_t size = source.text.size() + 1;
  if (size > kFirstVia - next_) {
    throw Error("limit.sources", "the texts of this run are larger than 3 GiB together")
        .in(source.file)
        .hint("read fewer or smaller files in one run");
  }
  source.base = next_;
  next_ += static_cast<std::uint32_t>(size);
  sources_.push_back(std::move(source));
  return static_cast<SourceId>(sources_.size() - 1);
}

SourceId Sources::add(std::string file, std::string text) {
  return insert({.file = std::move(file), .part = {}, .text = std::move(text), .segments = {}, .lines = {}});
}

SourceId Sources::add_decoded(SourceId outer, std::string part, std::string text) {
  return insert({.file = file(outer), .part = std::move(part), .text = std::move(text), .segments = {}, .lines = {}});
}

SourceId Sources::add_derived(SourceId outer, std::string part, std::string text, std::vector<Segment> segments) {
  return insert({.file = file(outer), .part = std::move(part), .text = std::move(text), .segments = std::move(segments), .lines = {}});
}

SourceId Sources::add_excerpt(SourceId outer, std::string part, std::size_t begin, std::size_t end) {
  return add_derived(outer, std::move(part), std::string(text(outer).substr(begin, end - begin)), {{.inner = 0, .outer = at(outer, begin)}});
}

Origin Sources::add_name(std::string name) {
  const SourceId source = insert({.file = std::move(name), .part = {}, .text = {}, .segments = {}, .named_only = true, .lines = {}});
  return at(source, 0);
}

Origin Sources::add_via(Origin target, Origin alias) {
  const std::lock_guard lock(mutex_);
  if (vias_.size() >= UINT32_MAX - kFirstVia) throw Error("limit.sources", "the documents of this run hold too many aliases");
  vias_.push_back({.target = target, .alias = alias});
  return {kFirstVia + static_cast<std::uint32_t>(vias_.size() - 1)};
}

// A deque never moves its elements, and a Source never changes once it is in: only the deque itself is guarded.
std::string_view Sources::text(SourceId source) const {
  const std::lock_guard lock(mutex_);
  return sources_[static_cast<std::size_t>(source)].text;
}

const std::string& Sources::file(SourceId source) const {
  const std::lock_guard lock(mutex_);
  return sources_[static_cast<std::size_t>(source)].file;
}

const std::string& Sources::part(SourceId source) const {
  const std::lock_guard lock(mutex_);
  return sources_[static_cast<std::size_t>(source)].part;
}

Origin Sources::at(SourceId source, std::size_t offset) const {
  const std::lock_guard lock(mutex_);
  const Source& entry = sources_[static_cast<std::size_t>(source)];
  return {entry.base + static_cast<std::uint32_t>(std::min(offset, entry.text.size()))};
}

const Sources::Source* Sources::find(std::uint32_t location) const {
  const auto after = std::ranges::upper_bound(sources_, location, {}, &Source::base);
  return after == sources_.begin() ? nullptr : &*std::prev(after);
}

/// Follows derived texts outwards to the origin in a text that has lines of its own.
Origin Sources::resolve(Origin origin) const {
  for (const Source* source = find(origin.location); source != nullptr && !source->segments.empty(); source = find(origin.location)) {
    const std::uint32_t offset = origin.location - source->base;
    const auto after = std::ranges::upper_bound(source->segments, offset, {}, &Segment::inner);
    const Segment& segment = after == source->segments.begin() ? source->segments.front() : *std::prev(after);
    origin = segment.outer;
    if (segment.verbatim) origin.location += offset - segment.inner;
  }
  return origin;
}

Place Sources::place(Origin origin) const {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<const Place> via;
  const auto spell = [this](Origin point) {
    const Source* named = find(point.location);
    if (named == nullptr || !point) return Place{};
    Place result{.file = named->file, .part = named->part, .line = {}, .column = {}, .via = {}};
    if (named->named_only) return result;
    const Origin resolved = resolve(point);
    const Source* source = find(resolved.location);
    const std::uint32_t offset = resolved.location - source->base;
    const std::size_t line = source->line_at(offset);
    const std::uint32_t start = source->lines[line];
    result.line = static_cast<std::uint32_t>(line + 1);
    result.column = count_code_points(std::string_view(source->text).substr(start, offset - start)) + 1;
    return result;
  };
  while (origin.location >= kFirstVia) {
    const Via& pair = vias_[origin.location - kFirstVia];
    via = std::make_shared<const Place>(spell(pair.alias.location >= kFirstVia ? vias_[pair.alias.location - kFirstVia].alias : pair.alias));
    origin = pair.target;
  }
  Place result = spell(origin);
  result.via = std::move(via);
  return result;
}

std::string Sources::line_of(Origin origin) const {
  const std::lock_guard lock(mutex_);
  while (origin.location >= kFirstVia) origin = vias_[origin.location - kFirstVia].target;
  const Source* named = find(origin.location);
  if (named == nullptr || !origin || named->named_only || named->secret) return {};
  const Origin resolved = resolve(origin);
  const Source* source = find(resolved.location);
  if (source->secret) return {};
  const std::size_t line = source->line_at(resolved.location - source->base);
  const std::size_t begin = source->lines[line];
  const std::size_t end = line + 1 < source->lines.size() ? source->lines[line + 1] : source->text.size();
  std::string result = source->text.substr(begin, end - begin);
  while (result.ends_with('\n') || result.ends_with('\r')) result.pop_back();
  return result;
}

std::optional<SourceId> Sources::source_of(Origin origin) const {
  const std::lock_guard lock(mutex_);
  while (origin.location >= kFirstVia) origin = vias_[origin.location - kFirstVia].target;
  const Source* source = origin ? find(origin.location) : nullptr;
  if (source == nullptr || source->named_only) return std::nullopt;
  const auto after = std::ranges::upper_bound(sources_, origin.location, {}, &Source::base);
  return static_cast<SourceId>(after - sources_.begin() - 1);
}

void Sources::mark_secret(SourceId source) {
  const std::lock_guard lock(mutex_);
  sources_[static_cast<std::size_t>(source)].secret = true;
}

}  // namespace strata
