// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cassert>
#include <cstring>
#include <map>
#include <mutex>
#include <shared_mutex>

#include "append_only.hpp"
#include "ranges.hpp"
#include "shown_url.hpp"
#include "strata/error.hpp"
#include "strata/origin.hpp"
#include "tree_path.hpp"
#include "value/ascii.hpp"
#include "value/once_flag.hpp"

namespace strata {
namespace {

constexpr std::uint32_t kFirstVia = Origin::kFirstVia;

std::uint32_t count_code_points(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(bytes, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Characters that are two units in UTF-16: those of four bytes.
std::uint32_t count_astral(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0xF0U; }));
}

/// Calls `use` with the place of each line feed. Lines are short: a call of `memchr` for each takes longer.
template <class Use>
void each_line_feed(std::string_view text, const Use& use) {
  constexpr std::uint64_t kLows = 0x7F7F7F7F7F7F7F7FULL;
  constexpr std::uint64_t kFeeds = 0x0A0A0A0A0A0A0A0AULL;
  std::size_t at = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
      std::memcpy(&word, text.data() + at, sizeof word);
      word ^= kFeeds;
      // The high bit of each byte that is zero.
      for (std::uint64_t found = ~(((word & kLows) + kLows) | word | kLows); found != 0; found &= found - 1) {
        use(at + static_cast<std::size_t>(std::countr_zero(found)) / 8);
      }
    }
  }
  for (; at < text.size(); ++at) {
    if (text[at] == '\n') use(at);
  }
}

/// One text, or one bare name. Never changes once it is in, but for its line index and its secrecy.
struct Source {
  std::string file;
  std::string part;
  std::string text;
  std::vector<Segment> segments;
  std::uint32_t base = 0;
  SourceId id{};
  bool named_only = false;
  mutable std::atomic<bool> secret = false;

  /// Number, from 0, of the line that holds a byte.
  [[nodiscard]] std::size_t line_at(std::uint32_t offset) const {
    if (!is_indexed_.load(std::memory_order_acquire)) indexed_.call([this] { index_lines(); });
    std::size_t line = block_lines_[offset / kBlock];
    while (line + 1 < lines_.size() && lines_[line + 1] <= offset) ++line;
    return line;
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
    counted_.call([this] { count_strides(); });
    return code_points_before(end) - code_points_before(begin);
  }
  /// UTF-16 code units between two bytes of an indexed text. As `code_points`.
  [[nodiscard]] std::uint32_t utf16_units(std::uint32_t begin, std::uint32_t end) const {
    if (is_ascii_) return end - begin;
    if (const std::string_view bytes = std::string_view(text).substr(begin, end - begin); bytes.size() < kStride) {
      return detail::is_ascii(bytes) ? end - begin : count_code_points(bytes) + count_astral(bytes);
    }
    return code_points(begin, end) + astral_before(end) -
           astral_before(begin);  // The first of them counts the strides.
  }

 private:
  static constexpr std::size_t kStride = 1024;

  void count_strides() const {
    Counts sum;
    for (std::size_t at = 0; at <= text.size(); at += kStride) {
      strides_.push_back(sum);
      const std::string_view stride = std::string_view(text).substr(at, kStride);
      sum.code_points += count_code_points(stride);
      sum.astral += count_astral(stride);
    }
  }
  [[nodiscard]] std::uint32_t code_points_before(std::uint32_t offset) const {
    const std::size_t stride = offset / kStride;
    return strides_[stride].code_points +
           count_code_points(std::string_view(text).substr(stride * kStride, offset % kStride));
  }
  [[nodiscard]] std::uint32_t astral_before(std::uint32_t offset) const {
    const std::size_t stride = offset / kStride;
    return strides_[stride].astral + count_astral(std::string_view(text).substr(stride * kStride, offset % kStride));
  }

  void index_lines() const {
    lines_.push_back(0);
    if (text.find('\r') == std::string::npos) {
      each_line_feed(text, [this](std::size_t at) { lines_.push_back(static_cast<std::uint32_t>(at + 1)); });
    } else {
      for (std::size_t i = 0; i < text.size(); ++i) {
        const bool lone_return = text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n');
        if (text[i] == '\n' || lone_return) lines_.push_back(static_cast<std::uint32_t>(i + 1));
      }
    }
    lines_.shrink_to_fit();
    block_lines_.resize(text.size() / kBlock + 1);
    for (std::size_t block = 0, line = 0; block < block_lines_.size(); ++block) {
      while (line + 1 < lines_.size() && lines_[line + 1] <= block * kBlock) ++line;
      block_lines_[block] = static_cast<std::uint32_t>(line);
    }
    is_ascii_ = detail::is_ascii(text);
    is_indexed_.store(true, std::memory_order_release);
  }

  static constexpr std::size_t kBlock = 64;  ///< Bytes.

  mutable OnceFlag indexed_;
  mutable std::atomic<bool> is_indexed_ = false;    ///< As `indexed_`, where it is asked for often.
  mutable std::vector<std::uint32_t> lines_;        ///< First byte of each line.
  mutable std::vector<std::uint32_t> block_lines_;  ///< The line that holds the first byte of each block.
  mutable bool is_ascii_ = false;                   ///< The whole text.
  mutable OnceFlag counted_;
  struct Counts {
    std::uint32_t code_points = 0;
    std::uint32_t astral = 0;
  };
  mutable std::vector<Counts> strides_;  ///< What is before each stride of bytes.
};

struct Via {
  Origin target;
  Origin alias;
};

/// Aliases with consecutive locations.
struct ViaBlock {
  std::uint32_t base;
  std::uint32_t capacity;
  std::uint32_t size = 0;
  std::unique_ptr<Via[]> vias;  // NOLINT(modernize-avoid-c-arrays)
};

}  // namespace

namespace {

/// Below the working folder relative, else absolute. Rule: docs/provenance.md.
std::string shown_name(std::string_view folder, std::string_view file) {
  if (folder.empty() || file.empty() || file.front() == '<' || is_url(file)) return std::string(file);
  const std::string whole = file.front() == '/' ? std::string(file) : fmt::format("{}/{}", folder, file);
  const std::string absolute = fmt::format("/{}", detail::parse_tree_path(whole).join());
  const std::string prefix = fmt::format("{}{}", folder, folder.back() == '/' ? "" : "/");
  return absolute.compare(0, prefix.size(), prefix) == 0 ? absolute.substr(prefix.size()) : absolute;
}

std::uint64_t next_standing() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

struct Locations::State {
  mutable std::shared_mutex mutex;  ///< Of the ranges and the two maps.
  /// No two spaces have the same, and none has one again: all texts of a space stay while it stands. It is a new one
  /// before a text goes.
  std::atomic<std::uint64_t> standing = next_standing();
  detail::Ranges texts{1, kFirstVia};
  detail::Ranges aliases{kFirstVia, UINT32_MAX};
  std::map<std::uint32_t, const Source*> by_base;
  std::map<std::uint32_t, const ViaBlock*> blocks;
  std::size_t leased = 0;
  // Numbers of texts: read without the lock. A number is used again once its text is gone.
  detail::AppendOnly<std::unique_ptr<std::atomic<const Source*>>> numbers;
  std::vector<SourceId> unused;

  [[nodiscard]] const Source& at(SourceId source) const {
    const Source* known = numbers[static_cast<std::uint32_t>(source)]->load(std::memory_order_acquire);
    assert(known != nullptr && "the owner of the text is gone");
    return *known;
  }

  void insert(Source& source) {
    const std::unique_lock lock(mutex);
    const std::size_t size = source.text.size() + 1;
    const std::optional<std::uint32_t> base =
        size < kFirstVia ? texts.lease(static_cast<std::uint32_t>(size)) : std::nullopt;
    if (!base) {
      throw Error("limit.sources", "the texts of this run are larger than 3 GiB together")
          .in(source.file)
          .hint("read fewer or smaller files in one run");
    }
    source.base = *base;
    by_base.emplace(source.base, &source);
    leased += size;
    if (unused.empty()) {
      source.id = static_cast<SourceId>(numbers.push(std::make_unique<std::atomic<const Source*>>(&source)));
    } else {
      source.id = unused.back();
      unused.pop_back();
      numbers[static_cast<std::uint32_t>(source.id)]->store(&source, std::memory_order_release);
    }
  }

  void insert(ViaBlock& block) {
    const std::unique_lock lock(mutex);
    const std::optional<std::uint32_t> base = aliases.lease(block.capacity);
    if (!base) throw Error("limit.sources", "the documents of this run hold too many aliases");
    block.base = *base;
    blocks.emplace(block.base, &block);
  }

  void erase(const std::vector<std::unique_ptr<Source>>& sources, const std::vector<std::unique_ptr<ViaBlock>>& vias) {
    const std::unique_lock lock(mutex);
    if (!sources.empty()) standing.store(next_standing(), std::memory_order_release);
    for (const auto& source : sources) {
      const std::size_t size = source->text.size() + 1;
      by_base.erase(source->base);
      texts.give_back(source->base, static_cast<std::uint32_t>(size));
      leased -= size;
      numbers[static_cast<std::uint32_t>(source->id)]->store(nullptr, std::memory_order_release);
      unused.push_back(source->id);
    }
    for (const auto& block : vias) {
      blocks.erase(block->base);
      aliases.give_back(block->base, block->capacity);
    }
  }

  /// What an alias was made of; nothing where its owner is gone.
  [[nodiscard]] Via via(Origin origin) const {
    const std::shared_lock lock(mutex);
    const auto after = blocks.upper_bound(origin.location);
    if (after == blocks.begin()) return {};
    const ViaBlock& block = *std::prev(after)->second;
    const std::uint32_t index = origin.location - block.base;
    return index < block.capacity ? block.vias[index] : Via{};
  }

  /// The text whose range holds a location (no alias); null for "nowhere".
  [[nodiscard]] const Source* find(Origin origin) const {
    if (!origin) return nullptr;
    // Who asks for many places asks for neighbours, and needs no lock for them.
    struct Last {
      std::uint64_t standing = 0;
      std::uint32_t base = 0;
      std::uint32_t size = 0;
      const Source* source = nullptr;
    };
    static thread_local Last last;
    if (last.standing == standing.load(std::memory_order_acquire) && origin.location - last.base <= last.size)
      return last.source;
    const std::shared_lock lock(mutex);
    const auto after = by_base.upper_bound(origin.location);
    if (after == by_base.begin()) return nullptr;
    const Source* source = std::prev(after)->second;
    const auto size = static_cast<std::uint32_t>(source->text.size());
    if (origin.location - source->base > size) return nullptr;
    last = {.standing = standing.load(std::memory_order_relaxed), .base = source->base, .size = size, .source = source};
    return source;
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
    for (const Source* source = find(origin); source != nullptr && !source->segments.empty(); source = find(origin)) {
      const std::uint32_t offset = origin.location - source->base;
      const auto after = std::ranges::upper_bound(source->segments, offset, {}, &Segment::inner);
      const Segment& segment = after == source->segments.begin() ? source->segments.front() : *std::prev(after);
      origin = target(segment.outer);
      const Source* outer = find(origin);
      // A stretch never leads past the end of the text that contains it.
      if (segment.verbatim && outer != nullptr) {
        const auto end = static_cast<std::uint32_t>(outer->base + outer->text.size());
        origin.location += std::min(offset - segment.inner, end - origin.location);
      }
    }
    return origin;
  }

  /// A line without its line break, and where in it an origin is.
  struct Line {
    const Source* source = nullptr;
    std::uint32_t begin = 0;
    std::uint32_t offset = 0;
    std::string_view text = {};
  };
  /// Empty where nothing may be shown.
  [[nodiscard]] Line line(Origin origin) const {
    const Origin written = target(origin);
    const Source* named = find(written);
    if (named == nullptr || named->secret) return {};
    const Origin resolved = resolve(written);
    const Source* source = find(resolved);
    if (source == nullptr || source->named_only || source->secret) return {};
    const std::uint32_t offset = resolved.location - source->base;
    const std::size_t number = source->line_at(offset);
    const std::uint32_t begin = source->line_begin(number);
    std::string_view text = source->line(number);
    while (text.ends_with('\n') || text.ends_with('\r')) text.remove_suffix(1);
    return {.source = source, .begin = begin, .offset = offset - begin, .text = text};
  }

  /// The place of an origin that is not an alias.
  [[nodiscard]] Place spell(Origin origin) const {
    const Source* named = find(origin);
    if (named == nullptr) return {};
    Place result{.file = named->file, .part = named->part, .line = {}, .column = {}, .via = {}};
    const Origin resolved = resolve(origin);
    const Source* source = find(resolved);
    if (source == nullptr || source->named_only) return result;
    const std::uint32_t offset = resolved.location - source->base;
    const std::size_t line = source->line_at(offset);
    const std::uint32_t begin = source->line_begin(line);
    result.line = static_cast<std::uint32_t>(line + 1);
    result.column = source->code_points(begin, offset) + 1;
    return result;
  }
};

Locations::Locations() : state_(std::make_unique<State>()) {}
Locations::~Locations() = default;

std::size_t Locations::leased() const {
  const std::shared_lock lock(state_->mutex);
  return state_->leased;
}

/// What one Sources has leased, to be given back with it.
struct Sources::Leases {
  std::shared_ptr<Locations> locations;
  std::string folder;  ///< The working folder.
  std::mutex mutex;    ///< Of both lists.
  std::vector<std::unique_ptr<Source>> texts;
  std::vector<std::unique_ptr<ViaBlock>> aliases;

  [[nodiscard]] Locations::State& state() const noexcept { return *locations->state_; }

  SourceId add(std::unique_ptr<Source> source) {
    const std::lock_guard lock(mutex);
    texts.push_back(std::move(source));
    try {
      state().insert(*texts.back());
    } catch (...) {
      texts.pop_back();
      throw;
    }
    return texts.back()->id;
  }

  Origin add(Via via) {
    constexpr std::uint32_t kFirst = 16;
    constexpr std::uint32_t kLargest = 1U << 16U;
    const std::lock_guard lock(mutex);
    if (aliases.empty() || aliases.back()->size == aliases.back()->capacity) {
      const std::uint32_t capacity = aliases.empty() ? kFirst : std::min(aliases.back()->capacity * 2, kLargest);
      aliases.push_back(std::make_unique<ViaBlock>(
          ViaBlock{.base = 0, .capacity = capacity, .vias = std::make_unique<Via[]>(capacity)}));  // NOLINT
      try {
        state().insert(*aliases.back());
      } catch (...) {
        aliases.pop_back();
        throw;
      }
    }
    ViaBlock& block = *aliases.back();
    block.vias[block.size] = via;
    return {block.base + block.size++};
  }
};

std::string Place::to_string() const {
  std::string result = file;
  if (!part.empty()) result += fmt::format("[{}]", part);
  if (line) result += fmt::format(":{}", *line);
  if (line && column) result += fmt::format(":{}", *column);
  return result;
}

Sources::Sources(std::string folder) : Sources(std::make_shared<Locations>(), std::move(folder)) {}
Sources::Sources(std::shared_ptr<Locations> locations, std::string folder) : leases_(std::make_unique<Leases>()) {
  leases_->locations = std::move(locations);
  leases_->folder = std::move(folder);
}
Sources::Sources(const Sources* beside) : Sources(beside->leases_->locations, beside->leases_->folder) {}
Sources::~Sources() { leases_->state().erase(leases_->texts, leases_->aliases); }

const std::shared_ptr<Locations>& Sources::locations() const noexcept { return leases_->locations; }
const std::string& Sources::folder() const noexcept { return leases_->folder; }

SourceId Sources::add(std::string_view file, std::string text) {
  auto source = std::make_unique<Source>();
  source->file = shown_name(leases_->folder, file);
  source->text = std::move(text);
  return leases_->add(std::move(source));
}

SourceId Sources::add_decoded(SourceId outer, std::string part, std::string text) {
  return add_derived(outer, std::move(part), std::move(text), {});
}

SourceId Sources::add_derived(SourceId outer, std::string part, std::string text, std::vector<Segment> segments) {
  auto source = std::make_unique<Source>();
  source->file = file(outer);
  source->part = std::move(part);
  source->text = std::move(text);
  source->segments = std::move(segments);
  source->secret = leases_->state().at(outer).secret.load();
  return leases_->add(std::move(source));
}

SourceId Sources::add_excerpt(SourceId outer, std::string part, std::size_t begin, std::size_t end) {
  assert(begin <= end && end <= text(outer).size());
  return add_derived(outer, std::move(part), std::string(text(outer).substr(begin, end - begin)),
                     {{.inner = 0, .outer = at(outer, begin)}});
}

Origin Sources::add_name(std::string name) {
  auto source = std::make_unique<Source>();
  source->file = std::move(name);
  source->named_only = true;
  return at(leases_->add(std::move(source)), 0);
}

Origin Sources::add_via(Origin target, Origin alias) { return leases_->add(Via{.target = target, .alias = alias}); }

std::string_view Sources::text(SourceId source) const { return leases_->state().at(source).text; }
const std::string& Sources::file(SourceId source) const { return leases_->state().at(source).file; }
const std::string& Sources::part(SourceId source) const { return leases_->state().at(source).part; }

Origin Sources::at(SourceId source, std::size_t offset) const {
  const Source& entry = leases_->state().at(source);
  return {entry.base + static_cast<std::uint32_t>(std::min(offset, entry.text.size()))};
}

Place Sources::place(Origin origin) const {
  const Locations::State& state = leases_->state();
  std::shared_ptr<const Place> via;
  for (; origin.through_alias(); origin = state.via(origin).target) {
    via = std::make_shared<const Place>(state.spell(state.alias(origin)));
  }
  Place result = state.spell(origin);
  result.via = std::move(via);
  return result;
}

std::optional<Position> Sources::position(Origin origin) const {
  const Locations::State& state = leases_->state();
  origin = state.target(origin);
  const Source* source = state.find(origin);
  if (source != nullptr && !source->segments.empty()) {
    origin = state.resolve(origin);
    source = state.find(origin);
  }
  if (source == nullptr || source->named_only) return std::nullopt;
  const std::uint32_t offset = origin.location - source->base;
  const std::size_t line = source->line_at(offset);
  return Position{.source = source->id,
                  .line = static_cast<std::uint32_t>(line),
                  .column = source->utf16_units(source->line_begin(line), offset)};
}

std::string Sources::line_of(Origin origin) const { return std::string(leases_->state().line(origin).text); }

Sources::LinePart Sources::line_around(Origin origin) const {
  const Locations::State::Line line = leases_->state().line(origin);
  const auto is_inside = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; };
  const std::size_t at = std::min<std::size_t>(line.offset, line.text.size());
  // What is not UTF-8 may have no code points at all.
  const std::size_t first = at - std::min(at, 4 * kLinePart);
  const std::size_t last = std::min(line.text.size(), at + 4 * kLinePart);
  std::size_t begin = at;
  std::size_t end = at;
  for (std::size_t points = 0; points < kLinePart && begin > first; ++points) {
    --begin;
    while (begin > first && is_inside(line.text[begin])) --begin;
  }
  for (std::size_t points = 0; points < kLinePart && end < last; ++points) {
    ++end;
    while (end < last && is_inside(line.text[end])) ++end;
  }
  return {.text = std::string(line.text.substr(begin, end - begin)),
          .cut = begin == 0 ? 0 : line.source->code_points(line.begin, line.begin + static_cast<std::uint32_t>(begin))};
}

std::optional<SourceId> Sources::source_of(Origin origin) const {
  const Source* source = leases_->state().find(leases_->state().target(origin));
  return source == nullptr || source->named_only ? std::nullopt : std::optional(source->id);
}

void Sources::mark_secret(SourceId source) { leases_->state().at(source).secret = true; }

bool Sources::is_secret(SourceId source) const { return leases_->state().at(source).secret; }

}  // namespace strata
