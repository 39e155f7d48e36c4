// SPDX-License-Identifier: Apache-2.0
#include "strata/source_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata::report {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();

/// What segments lead to, as running sums.
struct Reached {
  std::int64_t line = 0;
  std::int64_t column = 0;
  std::int64_t source = 0;
  std::int64_t source_line = 0;
  std::int64_t source_column = 0;
  std::int64_t name = 0;
};

/// Where decoding can begin: at a segment.
struct Checkpoint {
  std::int64_t line;
  std::int64_t column;
  std::size_t offset;
  Reached before;
};

constexpr std::array<std::int8_t, 256> make_digits() {
  std::array<std::int8_t, 256> digits{};
  digits.fill(-1);
  std::int8_t value = 0;
  for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"))
    digits[static_cast<unsigned char>(c)] = value++;
  return digits;
}
constexpr std::array<std::int8_t, 256> kDigits = make_digits();

struct Fields {
  std::array<std::int64_t, 5> values{};
  std::size_t count = 0;
};

/// Reads one segment, to its `,` or `;` or the end. The problem, or null.
const char* read_segment(std::string_view mappings, std::size_t& at, Fields& fields) {
  constexpr unsigned kContinues = 32;
  while (at < mappings.size() && mappings[at] != ',' && mappings[at] != ';') {
    if (fields.count == fields.values.size()) return "a segment has more than five fields";
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 5) {
      if (at == mappings.size()) return "a number does not end";
      const std::int8_t digit = kDigits[static_cast<unsigned char>(mappings[at])];
      if (digit < 0) return "this is not a base64 digit";
      const auto bits = static_cast<unsigned>(static_cast<unsigned char>(digit));
      number |= static_cast<std::uint64_t>(bits & (kContinues - 1)) << shift;
      // The sign and 31 bits.
      if (number > std::numeric_limits<std::uint32_t>::max() || (shift >= 30 && bits >= kContinues))
        return "a number has more than 32 bits";
      ++at;
      if (bits < kContinues) break;
    }
    const auto size = static_cast<std::int64_t>(number >> 1U);
    fields.values[fields.count++] = (number & 1U) == 0 ? size : size == 0 ? -kMost - 1 : -size;
  }
  return fields.count == 1 || fields.count == 4 || fields.count == 5 ? nullptr
                                                                     : "a segment has one, four or five fields";
}

void advance(Reached& reached, const Fields& fields) {
  reached.column += fields.values[0];
  if (fields.count < 4) return;
  reached.source += fields.values[1];
  reached.source_line += fields.values[2];
  reached.source_column += fields.values[3];
  if (fields.count == 5) reached.name += fields.values[4];
}

/// Decodes `%41`; what is no such thing stays.
std::string decoded(std::string_view url) {
  const auto hex = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < url.size(); ++i) {
    const int high = url[i] == '%' && i + 2 < url.size() ? hex(url[i + 1]) : -1;
    const int low = high < 0 ? -1 : hex(url[i + 2]);
    if (low < 0) {
      out += url[i];
      continue;
    }
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

/// Whether a URL begins with a scheme: it is no path.
bool has_scheme(std::string_view url) {
  const std::size_t end = url.find_first_of(":/?#");
  return end != std::string_view::npos && end != 0 && url[end] == ':';
}

/// The path of a source of a map, whose own name is `map_file`.
std::string file_of(const std::string& map_file, std::string_view url) {
  if (has_scheme(url)) return std::string(url);
  std::string path = decoded(url);
  if (path.starts_with('<') && path.ends_with('>')) return path;
  return (std::filesystem::path(map_file).parent_path() / path).lexically_normal().string();
}

/// The characters of a text that are two units of UTF-16: their lines, and their columns in units.
std::vector<std::pair<std::uint32_t, std::uint32_t>> astral_characters(std::string_view text) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool ends_line = byte == '\n' || (byte == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (ends_line) {
      ++line;
      column = 0;
    } else if (byte >= 0xF0) {
      out.emplace_back(line, column);
      column += 2;
    } else if ((byte & 0xC0U) != 0x80U) {
      ++column;
    }
  }
  return out;
}

}  // namespace

std::string SourceMap::Target::to_string() const {
  return Place{.file = file, .part = part, .line = line, .column = column, .via = {}}.to_string();
}

struct SourceMap::State {
  struct Source {
    bool is_known = false;  ///< Maps may leave sources unnamed.
    std::string file;
    std::string part;
    /// Of the text, if the map has it.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> astral;

    /// A column in code points, from one in UTF-16 units; both from 0.
    [[nodiscard]] std::uint32_t code_points(std::uint32_t line, std::uint32_t column) const {
      const auto first = std::ranges::lower_bound(astral, std::pair(line, std::uint32_t{0}));
      const auto last = std::ranges::lower_bound(astral, std::pair(line, column));
      return column - static_cast<std::uint32_t>(last - first);
    }
  };

  std::shared_ptr<const Arena> memory;  ///< Of the texts.
  std::string file;
  std::vector<Source> sources;
  std::vector<std::string_view> names;
  std::string_view mappings;
  std::vector<Checkpoint> checkpoints;
};

namespace {

/// Reads the members of a map.
class MapReader {
 public:
  explicit MapReader(const Sources& sources) : sources_(sources) {}

  [[noreturn]] void fail(const Value& at, std::string message) const {
    throw Error("map.read", std::move(message)).at(sources_, at.origin());
  }

  /// A member that must have a kind; null where it is missing.
  [[nodiscard]] const Value* member(const Value& map, std::string_view name, Kind kind) const {
    const Value* value = map.find(name);
    if (value != nullptr && value->kind() != kind) {
      fail(*value,
           fmt::format("'{}' of a source map must be {}, not {}", name, describe(kind), describe(value->kind())));
    }
    return value;
  }
  [[nodiscard]] const Value& needed(const Value& map, std::string_view name, Kind kind) const {
    const Value* value = member(map, name, kind);
    if (value == nullptr) fail(map, fmt::format("this is not a source map: it has no '{}'", name));
    return *value;
  }
  /// The items of a list of texts; an item may be null where `or_null`.
  [[nodiscard]] std::span<const Value> texts(const Value& list, std::string_view name, bool or_null) const {
    for (const Value& item : list.items()) {
      if (!item.is_text() && !(or_null && item.is_null()))
        fail(item, fmt::format("'{}' of a source map must be a list of texts", name));
    }
    return list.items();
  }

 private:
  const Sources& sources_;
};

/// Checks all segments, and notes where decoding can begin.
class MappingsReader {
 public:
  MappingsReader(std::string_view mappings, std::size_t sources, std::size_t names)
      : mappings_(mappings), sources_(sources), names_(names) {}

  /// The problem at `offset`, or null.
  const char* read(std::vector<Checkpoint>& checkpoints) {
    bool after_segment = false;
    while (at_ < mappings_.size()) {
      if (mappings_[at_] == ';') {
        if (reached_.line == kMost) return "there are too many lines";
        ++reached_.line;
        reached_.column = 0;
        after_segment = false;
        ++at_;
        continue;
      }
      if (mappings_[at_] == ',') {
        const bool ends = at_ + 1 == mappings_.size() || mappings_[at_ + 1] == ',' || mappings_[at_ + 1] == ';';
        if (!after_segment || ends) return "a segment is empty";
        ++at_;
      }
      const Reached before = reached_;
      const std::size_t begin = at_;
      if (const char* problem = segment()) return problem;
      after_segment = true;
      constexpr std::size_t kSegments = 64;
      constexpr std::size_t kBytes = 1024;
      if (segments_++ % kSegments == 0 || begin - last_checkpoint_ >= kBytes) {
        checkpoints.push_back({.line = reached_.line, .column = reached_.column, .offset = begin, .before = before});
        last_checkpoint_ = begin;
      }
    }
    return nullptr;
  }
  [[nodiscard]] std::size_t offset() const noexcept { return at_; }

 private:
  const char* segment() {
    Fields fields;
    if (const char* problem = read_segment(mappings_, at_, fields)) return problem;
    if (fields.values[0] < 0) return "segments are not in the order of their columns";
    advance(reached_, fields);
    const auto is_within = [](std::int64_t number, std::int64_t end) { return number >= 0 && number < end; };
    if (!is_within(reached_.column, kMost + 1)) return "a column is too large";
    if (fields.count == 1) return nullptr;
    if (!is_within(reached_.source, static_cast<std::int64_t>(sources_)))
      return "a segment leads to a source that the map does not have";
    if (!is_within(reached_.source_line, kMost) || !is_within(reached_.source_column, kMost))
      return "a segment leads to a line or column that cannot be";
    if (fields.count == 5 && !is_within(reached_.name, static_cast<std::int64_t>(names_)))
      return "a segment has a name that the map does not have";
    return nullptr;
  }

  std::string_view mappings_;
  std::size_t sources_;
  std::size_t names_;
  std::size_t at_ = 0;
  Reached reached_;
  std::size_t segments_ = 0;
  std::size_t last_checkpoint_ = 0;
};

text::Document read_document(Sources& sources, SourceId source, const Limits& limits) {
  constexpr text::JsonDialect kStrict{};
  try {
    return text::read_json(sources, source, limits, 0, kStrict);
  } catch (const Error& error) {
    if (error.ends_request() || error.category() == Category::limit) throw;
    Diagnostic told = error.diagnostic();
    told.code = "map.read";
    told.message.insert(0, "this is not a source map: ");
    throw Error(std::move(told));
  }
}

}  // namespace

SourceMap SourceMap::read(Sources& sources, SourceId source, const Limits& limits) {
  const text::Document document = read_document(sources, source, limits);
  const MapReader reader(sources);
  const Value& map = document.root;
  if (!map.is_mapping())
    reader.fail(map, fmt::format("this is not a source map: it is {}, not a mapping", describe(map.kind())));
  if (const Value* sections = map.find("sections")) {
    Error error = Error("map.read", "this is an index map: it has 'sections'").at(sources, sections->origin());
    throw std::move(error).hint("give the maps of its sections one by one");
  }
  if (const Value& version = reader.needed(map, "version", Kind::integer); version.as_integer() != 3) {
    reader.fail(version, fmt::format("this is a source map of version {}, not 3", version.as_integer()));
  }
  auto state = std::make_shared<State>();
  state->memory = document.arena;
  if (const Value* file = reader.member(map, "file", Kind::text)) state->file = file->text();
  std::string root;
  if (const Value* given = map.find("sourceRoot"); given != nullptr && !given->is_null()) {
    root = reader.member(map, "sourceRoot", Kind::text)->text();
    if (!root.empty() && !root.ends_with('/')) root += '/';
  }
  for (const Value& each : reader.texts(reader.needed(map, "sources", Kind::sequence), "sources", true)) {
    State::Source& known = state->sources.emplace_back();
    if (each.is_null()) continue;
    known.is_known = true;
    const std::string url = root + std::string(each.text());
    const std::size_t part = url.find('#');
    known.file = file_of(sources.file(source), std::string_view(url).substr(0, part));
    if (part != std::string::npos) known.part = decoded(std::string_view(url).substr(part + 1));
  }
  if (const Value* contents = reader.member(map, "sourcesContent", Kind::sequence)) {
    const std::span<const Value> texts = reader.texts(*contents, "sourcesContent", true);
    for (std::size_t i = 0; i < std::min(texts.size(), state->sources.size()); ++i) {
      if (texts[i].is_text()) state->sources[i].astral = astral_characters(texts[i].text());
    }
  }
  if (const Value* names = reader.member(map, "names", Kind::sequence)) {
    for (const Value& name : reader.texts(*names, "names", false)) state->names.push_back(name.text());
  }
  const Value& mappings = reader.needed(map, "mappings", Kind::text);
  state->mappings = mappings.text();
  MappingsReader segments(state->mappings, state->sources.size(), state->names.size());
  if (const char* problem = segments.read(state->checkpoints)) {
    reader.fail(mappings,
                fmt::format("'mappings' of a source map is wrong at character {}: {}", segments.offset() + 1, problem));
  }
  return SourceMap(std::move(state));
}

const std::string& SourceMap::file() const noexcept { return state_->file; }

std::optional<SourceMap::Target> SourceMap::find(std::uint64_t line, std::uint64_t column) const {
  if (line == 0 || column == 0) return std::nullopt;
  const auto most = static_cast<std::uint64_t>(kMost);
  const std::pair wanted(static_cast<std::int64_t>(std::min(line - 1, most)),
                         static_cast<std::int64_t>(std::min(column - 1, most)));
  const auto place_of = [](const auto& at) { return std::pair(at.line, at.column); };
  const auto after = std::ranges::upper_bound(state_->checkpoints, wanted, {}, place_of);
  if (after == state_->checkpoints.begin()) return std::nullopt;
  const Checkpoint& from = *std::prev(after);
  Reached reached = from.before;
  Reached found;
  std::size_t count = 0;  // Of its fields.
  for (std::size_t at = from.offset; at < state_->mappings.size();) {
    if (state_->mappings[at] == ';') {
      ++reached.line;
      reached.column = 0;
      ++at;
    } else if (state_->mappings[at] == ',') {
      ++at;
    } else {
      Fields fields;
      (void)read_segment(state_->mappings, at, fields);
      advance(reached, fields);
      if (place_of(reached) > wanted) break;
      found = reached;
      count = fields.count;
    }
    if (reached.line > wanted.first) break;
  }
  if (found.line != wanted.first || count < 4) return std::nullopt;
  const State::Source& source = state_->sources[static_cast<std::size_t>(found.source)];
  if (!source.is_known) return std::nullopt;
  Target target{.file = source.file,
                .part = source.part,
                .line = static_cast<std::uint32_t>(found.source_line) + 1,
                .column = 1,
                .name = {}};
  target.column = source.code_points(target.line - 1, static_cast<std::uint32_t>(found.source_column)) + 1;
  if (count == 5) target.name = state_->names[static_cast<std::size_t>(found.name)];
  return target;
}

}  // namespace strata::report
