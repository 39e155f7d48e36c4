#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cassert>
#include <mutex>

#include "append_only.hpp"
#include "strata/error.hpp"
#include "strata/origin.hpp"
#include "tree_path.hpp"

namespace strata {
namespace {

constexpr std::uint32_t kFirstVia = Origin::kFirstVia;
// Children have the upper part of each range of numbers for themselves.
constexpr std::uint32_t kFirstOfChild = 0x80000000U;
constexpr std::uint32_t kFirstViaOfChild = 0xE0000000U;
constexpr std::uint32_t kFirstIdOfChild = 0x80000000U;

std::uint32_t count_code_points(std::string_view bytes) {
  return static_cast<std::uint32_t>(std::ranges::count_if(bytes, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// One text, or one bare name. Never changes once it is in, but for its line index and its secrecy.
struct Source {
  std::string file;
  std::string part;
  std::string text;
  std::vector<Segment> segments;
  std::uint32_t base = 0;
  bool named_only = false;
  mutable std::atomic<bool> secret = false;

  /// Number, from 0, of the line that holds a byte.
  [[nodiscard]] std::size_t line_at(std::uint32_t offset) const {
    std::call_once(indexed_, [this] { index_lines(); });
    return static_cast<std::size_t>(std::ranges::upper_bound(lines_, offset) - lines_.begin()) - 1;
  }
  [[nodiscard]] std::uint32_t line_begin(std::size_t line) const { return lines_[line]; }
  /// The text of a line with its line break.
  [[nodiscard]] std::string_view line(std::size_t number) const {
    const std::size_t end = number + 1 < lines_.size() ? lines_[number + 1] : text.size();
    return std::string_view(text).substr(lines_[number], end - lines_[number]);
  }
  /// Code points between two bytes. Long lines are counted once: PuppetDB sends all of its answer in one.
  [[nodiscard]] std::uint32_t code_points(std::uint32_t begin, std::uint32_t end) const {
    if (end - begin < kStride) return count_code_points(std::string_view(text).substr(begin, end - begin));
    std::call_once(counted_, [this] { count_strides(); });
    return code_points_before(end) - code_points_before(begin);
  }

 private:
  static constexpr std::size_t kStride = 1024;

  void count_strides() const {
    std::uint32_t sum = 0;
    for (std::size_t at = 0; at <= text.size(); at += kStride) {
      strides_.push_back(sum);
      sum += count_code_points(std::string_view(text).substr(at, kStride));
    }
  }
  [[nodiscard]] std::uint32_t code_points_before(std::uint32_t offset) const {
    const std::size_t stride = offset / kStride;
    return strides_[stride] + count_code_points(std::string_view(text).substr(stride * kStride, offset % kStride));
  }

  void index_lines() const {
    lines_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
      if (text[i] == '\n' || lone_return) lines_.push_back(static_cast<std::uint32_t>(i + 1));
    }
  }

  mutable std::once_flag indexed_;
  mutable std::vector<std::uint32_t> lines_;  ///< First byte of each line.
  mutable std::once_flag counted_;
  mutable std::vector<std::uint32_t> strides_;  ///< Code points before each stride of bytes.
};

struct Via {
  Origin target;
  Origin alias;
};

}  // namespace

namespace {

/// Below the working folder relative, else absolute. Rule: docs/provenance.md.
std::string shown_name(std::string_view folder, std::string_view file) {
  if (folder.empty() || file.empty() || file.front() == '<') return std::string(file);
  const std::string whole = file.front() == '/' ? std::string(file) : fmt::format("{}/{}", folder, file);
  const std::string absolute = fmt::format("/{}", detail::parse_tree_path(whole).join());
  const std::string prefix = fmt::format("{}{}", folder, folder.back() == '/' ? "" : "/");
  return absolute.compare(0, prefix.size(), prefix) == 0 ? absolute.substr(prefix.size()) : absolute;
}

}  // namespace

struct Sources::State {
  const State* shared = nullptr;  ///< Of a child.
  std::string folder;             ///< The working folder.
  std::mutex writing;
  detail::AppendOnly<std::unique_ptr<const Source>> sources;
  detail::AppendOnly<Via> vias;
  std::uint32_t next = 1;
  mutable std::atomic<bool> has_children = false;

  [[nodiscard]] const Source& at(SourceId source) const {
    const auto number = static_cast<std::uint32_t>(source);
    if (shared == nullptr) return *sources[number];
    return number < kFirstIdOfChild ? shared->at(source) : *sources[number - kFirstIdOfChild];
  }
  [[nodiscard]] const Via& via(Origin origin) const {
    if (shared == nullptr) return vias[origin.location - kFirstVia];
    return origin.location < kFirstViaOfChild ? shared->via(origin) : vias[origin.location - kFirstViaOfChild];
  }

  SourceId insert(std::unique_ptr<Source> source) {
    const std::lock_guard lock(writing);
    const std::size_t size = source->text.size() + 1;
    const std::uint32_t end = has_children.load() ? kFirstOfChild : kFirstVia;
    if (next > end || size > end - next) {
      throw Error("limit.sources", fmt::format("the texts of this run are larger than {} GiB together", shared != nullptr     ? 1
                                                                                                        : has_children.load() ? 2
                                                                                                                              : 3))
          .in(source->file)
          .hint("read fewer or smaller files in one run");
    }
    source->base = next;
    next += static_cast<std::uint32_t>(size);
    return static_cast<SourceId>(sources.push(std::move(source)) + (shared == nullptr ? 0 : kFirstIdOfChild));
  }

  Origin insert(Via via) {
    const std::lock_guard lock(writing);
    const std::uint32_t first = shared == nullptr ? kFirstVia : kFirstViaOfChild;
    const std::uint32_t end = has_children.load() ? kFirstViaOfChild : UINT32_MAX;
    if (first + vias.size() >= end) throw Error("limit.sources", "the documents of this run hold too many aliases");
    return {first + static_cast<std::uint32_t>(vias.push(via))};
  }

  /// The source whose range holds a location (no alias); none for "nowhere".
  [[nodiscard]] std::optional<SourceId> find(Origin origin) const {
    if (!origin) return std::nullopt;
    if (shared != nullptr && origin.location < kFirstOfChild) return shared->find(origin);
    std::size_t low = 0;
    for (std::size_t high = sources.size(); low < high;) {
      const std::size_t middle = low + (high - low) / 2;
      if (sources[middle]->base <= origin.location) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? std::nullopt : std::optional(static_cast<SourceId>(low - 1 + (shared == nullptr ? 0 : kFirstIdOfChild)));
  }

  /// Where it was written, whatever aliases led there.
  [[nodiscard]] Origin target(Origin origin) const {
    while (origin.through_alias()) origin = via(origin).target;
    return origin;
  }
  /// Where the outermost alias of an origin stands.
  [[nodiscard]] Origin alias(Origin origin) const {
    while (origin.through_alias()) origin = via(origin).alias;
    return origin;
  }

  /// Follows derived texts outwards to the origin in a text that has lines of its own.
  [[nodiscard]] Origin resolve(Origin origin) const {
    for (auto id = find(origin); id && !at(*id).segments.empty(); id = find(origin)) {
      const Source& source = at(*id);
      const std::uint32_t offset = origin.location - source.base;
      const auto after = std::ranges::upper_bound(source.segments, offset, {}, &Segment::inner);
      const Segment& segment = after == source.segments.begin() ? source.segments.front() : *std::prev(after);
      origin = target(segment.outer);
      if (segment.verbatim && origin) origin.location += offset - segment.inner;
    }
    return origin;
  }

  /// The place of an origin that is no alias.
  [[nodiscard]] Place spell(Origin origin) const {
    const auto named = find(origin);
    if (!named) return {};
    Place result{.file = at(*named).file, .part = at(*named).part, .line = {}, .column = {}, .via = {}};
    const Origin resolved = resolve(origin);
    const auto id = find(resolved);
    if (!id || at(*id).named_only) return result;
    const Source& source = at(*id);
    const std::uint32_t offset = resolved.location - source.base;
    const std::size_t line = source.line_at(offset);
    const std::uint32_t begin = source.line_begin(line);
    result.line = static_cast<std::uint32_t>(line + 1);
    result.column = source.code_points(begin, offset) + 1;
    return result;
  }
};

std::string Place::to_string() const {
  std::string result = file;
  if (!part.empty()) result += fmt::format("[{}]", part);
  if (line) result += fmt::format(":{}", *line);
  if (line && column) result += fmt::format(":{}", *column);
  return result;
}

Sources::Sources(std::string folder) : state_(std::make_unique<State>()) { state_->folder = std::move(folder); }
Sources::Sources(const Sources* shared) : state_(std::make_unique<State>()) {
  state_->shared = shared->state_.get();
  state_->folder = state_->shared->folder;
  state_->next = kFirstOfChild;
  state_->shared->has_children = true;
}
Sources::~Sources() = default;

SourceId Sources::add(std::string_view file, std::string text) {
  auto source = std::make_unique<Source>();
  source->file = shown_name(state_->folder, file);
  source->text = std::move(text);
  return state_->insert(std::move(source));
}

SourceId Sources::add_decoded(SourceId outer, std::string part, std::string text) { return add_derived(outer, std::move(part), std::move(text), {}); }

SourceId Sources::add_derived(SourceId outer, std::string part, std::string text, std::vector<Segment> segments) {
  auto source = std::make_unique<Source>();
  source->file = file(outer);
  source->part = std::move(part);
  source->text = std::move(text);
  source->segments = std::move(segments);
  source->secret = state_->at(outer).secret.load();
  return state_->insert(std::move(source));
}

SourceId Sources::add_excerpt(SourceId outer, std::string part, std::size_t begin, std::size_t end) {
  return add_derived(outer, std::move(part), std::string(text(outer).substr(begin, end - begin)), {{.inner = 0, .outer = at(outer, begin)}});
}

Origin Sources::add_name(std::string name) {
  auto source = std::make_unique<Source>();
  source->file = std::move(name);
  source->named_only = true;
  return at(state_->insert(std::move(source)), 0);
}

Origin Sources::add_via(Origin target, Origin alias) { return state_->insert(Via{.target = target, .alias = alias}); }

std::string_view Sources::text(SourceId source) const { return state_->at(source).text; }
const std::string& Sources::file(SourceId source) const { return state_->at(source).file; }
const std::string& Sources::part(SourceId source) const { return state_->at(source).part; }

Origin Sources::at(SourceId source, std::size_t offset) const {
  const Source& entry = state_->at(source);
  return {entry.base + static_cast<std::uint32_t>(std::min(offset, entry.text.size()))};
}

Place Sources::place(Origin origin) const {
  std::shared_ptr<const Place> via;
  for (; origin.through_alias(); origin = state_->via(origin).target) {
    via = std::make_shared<const Place>(state_->spell(state_->alias(origin)));
  }
  Place result = state_->spell(origin);
  result.via = std::move(via);
  return result;
}

std::string Sources::line_of(Origin origin) const {
  const Origin written = state_->target(origin);
  const auto named = state_->find(written);
  if (!named || state_->at(*named).secret) return {};
  const Origin resolved = state_->resolve(written);
  const auto id = state_->find(resolved);
  if (!id || state_->at(*id).named_only || state_->at(*id).secret) return {};
  const Source& source = state_->at(*id);
  std::string_view line = source.line(source.line_at(resolved.location - source.base));
  while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
  return std::string(line);
}

std::optional<SourceId> Sources::source_of(Origin origin) const {
  const auto id = state_->find(state_->target(origin));
  return !id || state_->at(*id).named_only ? std::nullopt : id;
}

void Sources::mark_secret(SourceId source) { state_->at(source).secret = true; }

}  // namespace strata
