#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <filesystem>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "strata/path.hpp"
#include "strata/source_map.hpp"

namespace strata::report {
namespace {

constexpr std::size_t kOpen = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kSeparator = ", ";
constexpr std::string_view kBeforeName = R"(, ")";
constexpr std::uint32_t kNoSource = std::numeric_limits<std::uint32_t>::max();

/// UTF-16 code units. Writers give UTF-8 alone.
std::size_t utf16_units(std::string_view text) noexcept {
  constexpr std::uint64_t kHighs = 0x8080808080808080ULL;
  std::size_t units = 0;
  for (std::uint64_t word = 0; text.size() >= sizeof word; text.remove_prefix(sizeof word), units += sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & kHighs) != 0) break;
  }
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += static_cast<std::size_t>((byte & 0xC0U) != 0x80U) + static_cast<std::size_t>(byte >= 0xF0U);
  }
  return units;
}

constexpr std::array<bool, 256> make_escaped() {
  std::array<bool, 256> escaped{};
  for (std::size_t i = 0; i < escaped.size(); ++i) escaped[i] = i < 0x20 || i >= 0x80 || i == '"' || i == '\\' || i == '~' || i == '/';
  return escaped;
}
constexpr std::array<bool, 256> kEscaped = make_escaped();

/// Whether a token of a JSON Pointer is itself in a JSON literal.
bool stands_for_itself(std::string_view token) noexcept {
  bool escaped = false;
  for (const char c : token) escaped |= kEscaped[static_cast<unsigned char>(c)];
  return !escaped;
}

/// What JSON writes between the quotes.
std::string json_characters(std::string_view text) {
  std::string out;
  text::append_json_text(out, text);
  return out.substr(1, out.size() - 2);
}

/// As the path of a URL: what must be encoded is percent-encoded.
void append_encoded(std::string& out, std::string_view path) {
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  static constexpr std::string_view kKept = "-._~/@!$&'()*+,;=";
  bool in_first = true;  // A colon there would end a scheme.
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '/') in_first = false;
    const bool is_word = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_word || kKept.find(c) != std::string_view::npos || (c == ':' && !in_first)) {
      out += c;
    } else {
      out += '%';
      out += kHex[byte >> 4U];
      out += kHex[byte & 15U];
    }
  }
}

/// A file as seen from the folder of a map.
std::string relative_to(const std::string& folder, const std::string& map_file, const std::string& file) {
  namespace fs = std::filesystem;
  if (file.empty() || file.front() == '<') return file;  // `<stdin>` is in no folder.
  const auto whole = [&folder](const std::string& path) { return (fs::path(folder) / path).lexically_normal(); };
  const fs::path from = whole(map_file.empty() ? "map" : map_file).parent_path();
  const fs::path to = whole(file);
  const fs::path relative = from.empty() ? to : to.lexically_relative(from);
  return relative.empty() ? file : relative.string();
}

/// A text that grows and is then read from its beginning: nothing of it is copied meanwhile.
class Pieces {
 public:
  /// Room for some bytes, which stand together.
  char* add(std::size_t size) {
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    if (pieces_.empty() || pieces_.back().capacity - pieces_.back().size < size) {
      const std::size_t capacity = std::max(kPiece, size);
      pieces_.push_back({.bytes = std::make_unique_for_overwrite<char[]>(capacity), .capacity = capacity});  // NOLINT(modernize-avoid-c-arrays)
    }
    Piece& last = pieces_.back();
    char* const out = last.bytes.get() + last.size;
    last.size += size;
    return out;
  }
  void add(std::string_view text) { std::memcpy(add(text.size()), text.data(), text.size()); }
  /// Gives back the end of the last room.
  void cut(std::size_t size) noexcept { pieces_.back().size -= size; }

  [[nodiscard]] bool empty() const noexcept { return pieces_.empty(); }
  template <class Use>
  void each(const Use& use) const {
    for (const Piece& piece : pieces_) use(std::string_view(piece.bytes.get(), piece.size));
  }

 private:
  struct Piece {
    std::unique_ptr<char[]> bytes;  // NOLINT(modernize-avoid-c-arrays): they are not cleared first
    std::size_t capacity;
    std::size_t size = 0;
  };
  std::vector<Piece> pieces_;
};

}  // namespace

class SourceMapBuilder::State {
 public:
  State(const Sources& sources, SourceMapStyle style) : sources_(sources), style_(std::move(style)) {}

  // The path of what is written.

  void enter(const Value& key) {
    steps_.push_back({.size = path_.size(), .is_text = key.is_text()});
    if (!key.is_text()) {
      know_names();
      return push(key_text(key));
    }
    push(key.text());
  }
  void enter(std::size_t index) {
    steps_.push_back({.size = path_.size(), .is_text = true});
    path_ += '/';
    path_ += std::to_string(index);
  }
  void leave() {
    path_.resize(steps_.back().size);
    steps_.pop_back();
  }

  // The leaves.

  void leaf(const Value& leaf, std::size_t begin, bool goes_on) {
    Target target;
    if (const auto position = sources_.position(leaf.origin())) {
      target = {.source = index_of(position->source), .line = position->line, .column = position->column, .name = name()};
      if (leaf.is_secret()) hide(position->source);
    }
    leaves_.push_back({.begin = base_ + begin, .end = goes_on ? kOpen : base_ + begin, .target = target});
  }
  void end(std::size_t end) {
    if (!leaves_.empty()) {
      leaves_.back().end = base_ + end;
    } else if (several_lines_) {
      several_lines_->end = base_ + end;
    }
  }

  void hide_secrets_of(const Value& value) {
    if (value.is_secret()) {
      if (const auto position = sources_.position(value.origin())) hide(position->source);
    }
    if (value.is_sequence()) {
      for (const Value& item : value.items()) hide_secrets_of(item);
    } else if (value.is_container()) {
      for (const Entry& entry : value.entries()) {
        hide_secrets_of(entry.key);
        hide_secrets_of(entry.value);
      }
    }
  }

  // The text.

  void add_head(std::string_view text) {
    add(text);
    base_ = offset_;
  }
  void add(std::string_view piece) {
    while (!piece.empty()) {
      const std::size_t size = std::min(piece.find('\n'), piece.size());
      take(piece.substr(0, size));
      piece.remove_prefix(size);
      if (piece.empty()) return;
      piece.remove_prefix(1);
      ++offset_;
      end_line();
    }
  }

  void finish(const text::Sink& sink) {
    if (offset_ > line_begin_) end_line();
    put_waiting(last_ ? &*last_ : nullptr);
    std::string out = R"({"version": 3)";
    const std::string name = style_.map_file.substr(style_.map_file.rfind('/') + 1);
    constexpr std::string_view kEnding = ".map";
    if (name.size() > kEnding.size() && name.ends_with(kEnding)) {
      out += R"(, "file": )";
      text::append_json_text(out, std::string_view(name).substr(0, name.size() - kEnding.size()));
    }
    append_sources(out);
    out += R"(, "names": [)";
    sink(out);
    std::size_t before_first = kSeparator.size();
    names_.each([&](std::string_view piece) { sink(piece.substr(std::exchange(before_first, 0))); });
    sink(R"(], "mappings": ")");
    mappings_.each(sink);
    out = '"';
    if (!style_.revision.empty()) {
      out += R"(, "x_strata": {"at": )";
      text::append_json_text(out, style_.revision);
      out += '}';
    }
    out += "}\n";
    sink(out);
  }

 private:
  /// Where a leaf comes from.
  struct Target {
    std::uint32_t source = kNoSource;  ///< Its index in `sources`.
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t name = 0;
  };
  struct Leaf {
    std::size_t begin;
    std::size_t end;  ///< As `begin` if it has one line. `kOpen` if it is not known yet.
    Target target;
  };
  struct OnLine {
    std::size_t column;
    Target target;
  };
  /// A line that stands between the last leaf and the next one.
  struct Waiting {
    enum class For : std::uint8_t { nothing, known, next_leaf } what;
    Target known;
  };
  struct Step {
    std::size_t size;  ///< Of the path before it.
    bool is_text;
  };
  enum class Content : std::uint8_t { none, dashes, marker, found };

  void push(std::string_view token) {
    if (stands_for_itself(token)) {
      path_ += '/';
      path_ += token;
    } else {
      std::string escaped;
      append_token(escaped, token);
      path_ += json_characters(escaped);
    }
  }

  /// The index of the current path in `names`. No two leaves have the same path, unless a key is not text: 1 and "1".
  std::uint32_t name() {
    if (knows_names_) {
      const auto [known, is_new] = known_names_.try_emplace(path_, name_count_);
      if (!is_new) return known->second;
    }
    char* const to = names_.add(kBeforeName.size() + path_.size() + 1);
    std::memcpy(to, kBeforeName.data(), kBeforeName.size());
    std::memcpy(to + kBeforeName.size(), path_.data(), path_.size());
    to[kBeforeName.size() + path_.size()] = '"';
    return name_count_++;
  }
  void know_names() {
    if (std::exchange(knows_names_, true)) return;
    std::uint32_t number = 0;
    names_.each([&](std::string_view rest) {
      while (!rest.empty()) {
        rest.remove_prefix(kBeforeName.size());
        std::size_t end = 0;
        while (rest[end] != '"') end += rest[end] == '\\' ? 2 : 1;
        known_names_.emplace(rest.substr(0, end), number++);
        rest.remove_prefix(end + 1);
      }
    });
  }

  std::uint32_t index_of(SourceId source) {
    if (last_source_ == source) return last_index_;
    const auto [known, is_new] = indexes_.try_emplace(static_cast<std::uint32_t>(source), 0U);
    if (is_new) {
      // A file that is read twice, for two nodes of a fleet, is one source.
      const auto [same, is_first] = index_of_url_.try_emplace(url_of(source), static_cast<std::uint32_t>(used_.size()));
      if (is_first) used_.push_back({.source = source, .url = same->first});
      known->second = same->second;
    }
    last_source_ = source;
    return last_index_ = known->second;
  }
  [[nodiscard]] std::string url_of(SourceId source) const {
    std::string out;
    append_encoded(out, relative_to(sources_.folder(), style_.map_file, sources_.file(source)));
    if (const std::string& part = sources_.part(source); !part.empty()) {
      out += '#';
      append_encoded(out, part);
    }
    return out;
  }

  /// A file of which one text is secret is hidden with all its texts: one of them holds the other.
  void hide(SourceId source) {
    if (style_.content) hidden_files_.insert(sources_.file(source));
  }

  /// Bytes of the current line.
  void take(std::string_view bytes) {
    if (content_ != Content::found) look_for_content(bytes);
    std::size_t done = 0;
    for (; next_leaf_ < leaves_.size() && leaves_[next_leaf_].begin <= offset_ + bytes.size(); ++next_leaf_) {
      const Leaf& leaf = leaves_[next_leaf_];
      assert(leaf.begin >= offset_ + done && "writers tell of leaves in their order, before their text");
      const std::size_t at = leaf.begin - offset_;
      column_ += utf16_units(bytes.substr(done, at - done));
      done = at;
      on_line_.push_back({.column = column_, .target = leaf.target});
      last_ = leaf.target;
      if (leaf.end != leaf.begin) several_lines_ = leaf;
    }
    if (next_leaf_ == leaves_.size()) {
      leaves_.clear();
      next_leaf_ = 0;
    }
    column_ += utf16_units(bytes.substr(done));
    offset_ += bytes.size();
  }

  /// Finds the first character of a line that is neither a blank nor of the marker `---`.
  void look_for_content(std::string_view bytes) {
    constexpr std::size_t kMarker = 3;
    std::size_t begin = 0;
    if (content_ == Content::none) {
      while (begin < bytes.size() && (bytes[begin] == ' ' || bytes[begin] == '\t')) ++begin;
      if (begin == bytes.size()) return;
      if (bytes[begin] != '-' || offset_ + begin != line_begin_) return found_at(offset_ + begin, bytes[begin]);
    }
    for (std::size_t i = begin; i < bytes.size(); ++i) {
      const char c = bytes[i];
      const bool is_blank = c == ' ' || c == '\t';
      if (content_ == Content::none && is_blank) continue;
      if (content_ == Content::marker && is_blank) continue;
      if (content_ == Content::dashes && is_blank && dashes_ == kMarker) {
        content_ = Content::marker;
        continue;
      }
      if (c == '-' && dashes_ < kMarker && (content_ == Content::dashes || offset_ + i == line_begin_)) {
        content_ = Content::dashes;
        ++dashes_;
        continue;
      }
      // Dashes that are no marker are content themselves.
      found_at(content_ == Content::dashes ? line_begin_ : offset_ + i, content_ == Content::dashes ? '-' : c);
      return;
    }
  }
  void found_at(std::size_t offset, char first) {
    content_ = Content::found;
    content_begin_ = offset;
    first_ = first;
  }

  void end_line() {
    if (content_ == Content::dashes && dashes_ < 3) found_at(line_begin_, '-');
    bool has_content = content_ == Content::found;
    const bool goes_on = has_content && several_lines_ && several_lines_->begin < line_begin_ && several_lines_->end > content_begin_;
    if (first_ == '#' && !goes_on) has_content = false;
    if (!on_line_.empty()) {
      if (!waiting_.empty()) put_waiting(&on_line_.front().target);
      begin_line();
      if (has_content && on_line_.front().column != 0) put_segment(0, goes_on ? several_lines_->target : on_line_.front().target, false);
      for (const OnLine& leaf : on_line_) put_segment(leaf.column, leaf.target, true);
    } else {
      Waiting line{.what = Waiting::For::nothing, .known = {}};
      if (goes_on) {
        line = {.what = Waiting::For::known, .known = several_lines_->target};
      } else if (has_content && (first_ == ']' || first_ == '}') && last_) {
        line = {.what = Waiting::For::known, .known = *last_};
      } else if (has_content) {
        line.what = Waiting::For::next_leaf;
      }
      if (waiting_.empty() && line.what != Waiting::For::next_leaf) {
        begin_line();
        if (line.what == Waiting::For::known) put_segment(0, line.known, false);
      } else {
        waiting_.push_back(line);
      }
    }
    on_line_.clear();
    line_begin_ = offset_;
    column_ = 0;
    content_ = Content::none;
    dashes_ = 0;
    first_ = 0;
  }

  /// `next`: the leaf that lines wait for; null if there is none.
  void put_waiting(const Target* next) {
    for (const Waiting& line : waiting_) {
      begin_line();
      const Target* target = line.what == Waiting::For::known ? &line.known : line.what == Waiting::For::next_leaf ? next : nullptr;
      if (target != nullptr) put_segment(0, *target, false);
    }
    waiting_.clear();
  }

  void begin_line() {
    if (has_lines_) *mappings_.add(1) = ';';
    has_lines_ = true;
    has_segments_ = false;
    previous_column_ = 0;
  }
  void put_segment(std::size_t column, const Target& target, bool with_name) {
    constexpr std::size_t kLongest = 13;  // Digits of 64 bits.
    constexpr std::size_t kRoom = 1 + 5 * kLongest;
    char* const begin = mappings_.add(kRoom);
    char* end = begin;
    if (has_segments_) *end++ = ',';
    has_segments_ = true;
    const auto put = [&end](std::int64_t now, std::int64_t& previous) { end = put_number(end, now - std::exchange(previous, now)); };
    put(static_cast<std::int64_t>(column), previous_column_);
    if (target.source != kNoSource) {
      put(target.source, previous_source_);
      put(target.line, previous_line_);
      put(target.column, previous_source_column_);
      if (with_name) put(target.name, previous_name_);
    }
    mappings_.cut(kRoom - static_cast<std::size_t>(end - begin));
  }
  /// As base64 digits of five bits, the lowest first; the lowest bit of all is the sign.
  static char* put_number(char* to, std::int64_t number) noexcept {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    auto rest = static_cast<std::uint64_t>(number < 0 ? -number : number) << 1U | static_cast<std::uint64_t>(number < 0);
    do {
      const std::uint64_t digit = rest & 31U;
      rest >>= 5U;
      *to++ = kDigits[digit | (rest != 0 ? 32U : 0U)];
    } while (rest != 0);
    return to;
  }

  void append_sources(std::string& out) {
    out += R"(, "sources": [)";
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (i != 0) out += ", ";
      text::append_json_text(out, used_[i].url);
    }
    out += ']';
    if (!style_.content) return;
    for (const auto& [number, index] : indexes_) {
      if (const auto source = static_cast<SourceId>(number); sources_.is_secret(source)) hide(source);
    }
    out += R"(, "sourcesContent": [)";
    for (std::size_t i = 0; i < used_.size(); ++i) {
      if (i != 0) out += ", ";
      if (hidden_files_.contains(sources_.file(used_[i].source))) {
        out += "null";
      } else {
        text::append_json_text(out, sources_.text(used_[i].source));
      }
    }
    out += ']';
  }

  struct Used {
    SourceId source;
    std::string url;
  };

  const Sources& sources_;
  SourceMapStyle style_;

  std::string path_;  ///< Escaped as in JSON.
  std::vector<Step> steps_;
  Pieces names_;  ///< As JSON, each with a separator before it, and whole in its piece.
  std::uint32_t name_count_ = 0;
  bool knows_names_ = false;
  std::unordered_map<std::string, std::uint32_t> known_names_;

  std::vector<Used> used_;
  std::unordered_map<std::string, std::uint32_t> index_of_url_;
  std::unordered_map<std::uint32_t, std::uint32_t> indexes_;  ///< By the number of the text.
  std::optional<SourceId> last_source_;
  std::uint32_t last_index_ = 0;
  std::unordered_set<std::string> hidden_files_;

  std::size_t base_ = 0;    ///< Where the writer's text begins.
  std::size_t offset_ = 0;  ///< Bytes so far.
  std::vector<Leaf> leaves_;
  std::size_t next_leaf_ = 0;          ///< The first of them that the text has not reached.
  std::optional<Leaf> several_lines_;  ///< The last one that the text reached, of those with several lines.
  std::optional<Target> last_;         ///< The last one that the text reached.

  // The current line.
  std::size_t line_begin_ = 0;
  std::size_t column_ = 0;  ///< UTF-16 code units so far.
  std::vector<OnLine> on_line_;
  Content content_ = Content::none;
  std::size_t dashes_ = 0;
  std::size_t content_begin_ = 0;
  char first_ = 0;  ///< Of the content.

  std::vector<Waiting> waiting_;
  Pieces mappings_;
  bool has_lines_ = false;
  bool has_segments_ = false;  ///< The current line.
  std::int64_t previous_column_ = 0;
  std::int64_t previous_source_ = 0;
  std::int64_t previous_line_ = 0;
  std::int64_t previous_source_column_ = 0;
  std::int64_t previous_name_ = 0;
};

SourceMapBuilder::SourceMapBuilder(const Sources& sources, SourceMapStyle style) : state_(std::make_unique<State>(sources, std::move(style))) {}
SourceMapBuilder::~SourceMapBuilder() = default;

void SourceMapBuilder::add_head(std::string_view text) { state_->add_head(text); }
void SourceMapBuilder::add(std::string_view piece) { state_->add(piece); }
void SourceMapBuilder::hide_secrets_of(const Value& value) { state_->hide_secrets_of(value); }
void SourceMapBuilder::finish(const text::Sink& sink) { state_->finish(sink); }
std::string SourceMapBuilder::finish() {
  std::string out;
  finish([&out](std::string_view piece) { out += piece; });
  return out;
}
void SourceMapBuilder::enter(const Value& key) { state_->enter(key); }
void SourceMapBuilder::enter(std::size_t index) { state_->enter(index); }
void SourceMapBuilder::leave() { state_->leave(); }
void SourceMapBuilder::leaf(const Value& leaf, std::size_t begin, bool goes_on) { state_->leaf(leaf, begin, goes_on); }
void SourceMapBuilder::end(std::size_t end) { state_->end(end); }

}  // namespace strata::report
