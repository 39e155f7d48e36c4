// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <limits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "growing_texts.hpp"
#include "source_map_urls.hpp"
#include "strata/path.hpp"
#include "strata/source_map.hpp"
#include "text/output_buffer.hpp"
#include "value/ascii.hpp"

namespace strata::report {
namespace {

constexpr std::size_t kOpen = std::numeric_limits<std::size_t>::max();
constexpr std::string_view kSeparator = ", ";
constexpr std::string_view kBeforeName = R"(, ")";
constexpr std::uint32_t kNoSource = std::numeric_limits<std::uint32_t>::max();

/// UTF-16 code units. Writers give UTF-8 alone.
std::size_t utf16_units(std::string_view text) noexcept {
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    units += static_cast<std::size_t>((byte & 0xC0U) != 0x80U) + static_cast<std::size_t>(byte >= 0xF0U);
  }
  return units;
}

constexpr std::array<bool, 256> make_escaped() {
  std::array<bool, 256> escaped{};
  for (std::size_t i = 0; i < escaped.size(); ++i)
    escaped[i] = i < 0x20 || i >= 0x80 || i == '"' || i == '\\' || i == '~' || i == '/';
  return escaped;
}
constexpr std::array<bool, 256> kEscaped = make_escaped();

/// What JSON writes between the quotes.
std::string json_characters(std::string_view text) {
  std::string out;
  text::append_json_text(out, text);
  return out.substr(1, out.size() - 2);
}

}  // namespace

class SourceMapBuilder::State {
 public:
  State(const Sources& sources, SourceMapStyle style)
      : sources_(sources), style_(std::move(style)), folder_(sources.folder(), style_.map_file) {
    path_.append(kBeforeName);
  }

  // The path of what is written.

  void enter(const Value& key) {
    steps_.push_back(path_.size());
    if (!key.is_text()) {
      know_names();
      return push(key_text(key));
    }
    push(key.text());
  }
  void enter(std::size_t index) {
    constexpr std::size_t kLongest = 20;
    steps_.push_back(path_.size());
    char* const to = path_.reserve(1 + kLongest);
    *to = '/';
    path_.advance(std::to_chars(to + 1, to + 1 + kLongest, index).ptr);
  }
  void leave() {
    path_.rewind(steps_.back());
    shared_ = std::min(shared_, steps_.back());
    steps_.pop_back();
  }

  // The leaves.

  void leaf(const Value& leaf, std::size_t begin, bool goes_on) {
    Target target;
    if (const auto position = sources_.position(leaf.origin())) {
      target = {
          .source = index_of(position->source), .line = position->line, .column = position->column, .name = name()};
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
    base_ = line_begin_ + rest_.size();
  }
  void add(std::string_view piece) {
    is_ascii_ = detail::is_ascii(piece) && (rest_.empty() || is_ascii_);
    while (true) {
      const std::size_t size = piece.find('\n');
      if (size == std::string_view::npos) break;
      if (rest_.empty()) {
        add_line(piece.substr(0, size));
      } else {
        rest_ += piece.substr(0, size);
        add_line(rest_);
        rest_.clear();
      }
      piece.remove_prefix(size + 1);
    }
    rest_ += piece;
  }

  void finish(const text::Sink& sink) {
    if (!rest_.empty()) add_line(rest_);
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
    names_.together("\"", [&](std::string_view piece) {
      sink(piece.substr(std::min(std::exchange(before_first, 0), piece.size())));
    });
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
  /// A line that stands between the last leaf and the next one.
  struct Waiting {
    enum class For : std::uint8_t { nothing, known, next_leaf } what;
    Target known;
  };

  void push(std::string_view token) {
    char* to = path_.reserve(1 + token.size());
    *to++ = '/';
    // Most tokens stand for themselves in a JSON Pointer, and in a JSON literal.
    bool escaped = false;
    for (const char c : token) {
      *to++ = c;
      escaped |= kEscaped[static_cast<unsigned char>(c)];
    }
    if (!escaped) return path_.advance(to);
    std::string escaped_token;
    append_token(escaped_token, token);
    path_.append('/');
    path_.append(json_characters(std::string_view(escaped_token).substr(1)));
  }

  /// The index of the current path in `names`. No two leaves have the same path, unless a key is not text: 1 and "1".
  std::uint32_t name() {
    const std::string_view path = path_.view();
    if (knows_names_) {
      const auto [known, is_new] = known_names_.try_emplace(std::string(path.substr(kBeforeName.size())), name_count_);
      if (!is_new) return known->second;
    }
    names_.add(path, std::exchange(shared_, path.size()));
    return name_count_++;
  }
  void know_names() {
    if (std::exchange(knows_names_, true)) return;
    std::uint32_t number = 0;
    names_.each([&](std::string_view path) { known_names_.emplace(path.substr(kBeforeName.size()), number++); });
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
  [[nodiscard]] std::string url_of(SourceId source) {
    std::string out;
    folder_.append(out, sources_.file(source));
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

  static bool is_blank(char c) noexcept { return c == ' ' || c == '\t'; }
  static std::size_t skip_blanks(std::string_view line, std::size_t at) noexcept {
    while (at < line.size() && is_blank(line[at])) ++at;
    return at;
  }
  /// The place of the first character of a line that is neither a blank nor of the marker `---`. The size of the line:
  /// there is none.
  static std::size_t content_of(std::string_view line) noexcept {
    constexpr std::string_view kMarker = "---";
    std::size_t at = skip_blanks(line, 0);
    // Dashes that are no marker are content themselves.
    if (at == 0 && line.starts_with(kMarker) && (line.size() == kMarker.size() || is_blank(line[kMarker.size()]))) {
      at = skip_blanks(line, kMarker.size());
    }
    return at;
  }

  /// The next line, without its end.
  void add_line(std::string_view line) {
    const std::size_t begin = std::exchange(line_begin_, line_begin_ + line.size() + 1);
    const std::size_t first_leaf = next_leaf_;
    for (; next_leaf_ < leaves_.size() && leaves_[next_leaf_].begin <= begin + line.size(); ++next_leaf_) {
      const Leaf& leaf = leaves_[next_leaf_];
      assert(leaf.begin >= begin && "writers tell of leaves in their order, before their text");
      last_ = leaf.target;
      if (leaf.end != leaf.begin) several_lines_ = leaf;
    }
    if (first_leaf == next_leaf_) {
      add_bare(line, begin);
    } else {
      add_leaves(line, begin, first_leaf);
    }
    if (next_leaf_ == leaves_.size()) {
      leaves_.clear();
      next_leaf_ = 0;
    }
  }

  /// Whether a leaf that began on an earlier line continues on this one.
  [[nodiscard]] bool goes_on(std::string_view line, std::size_t begin) const noexcept {
    if (!several_lines_ || several_lines_->begin >= begin || several_lines_->end <= begin) return false;
    const std::size_t content = content_of(line);
    return content < line.size() && several_lines_->end > begin + content;
  }

  /// A line on which leaves begin.
  void add_leaves(std::string_view line, std::size_t begin, std::size_t first_leaf) {
    const Target& first = leaves_[first_leaf].target;
    if (!waiting_.empty()) put_waiting(&first);
    begin_line();
    std::size_t done = 0;
    std::size_t column = 0;
    for (std::size_t i = first_leaf; i < next_leaf_; ++i) {
      const Leaf& leaf = leaves_[i];
      const std::size_t at = leaf.begin - begin;
      column += is_ascii_ ? at - done : utf16_units(line.substr(done, at - done));
      done = at;
      // A leaf that is an empty text may be all that is behind the marker.
      if (i == first_leaf && column != 0 && (at < line.size() || content_of(line) < line.size())) {
        put_segment(0, goes_on(line, begin) ? several_lines_->target : first, false);
      }
      put_segment(column, leaf.target, true);
    }
  }

  /// A line on which no leaf begins.
  void add_bare(std::string_view text, std::size_t begin) {
    const std::size_t content = content_of(text);
    const char first = content < text.size() ? text[content] : '\0';
    const bool continues = goes_on(text, begin);
    const bool has_content = content < text.size() && (first != '#' || continues);
    Waiting line{.what = Waiting::For::nothing, .known = {}};
    if (continues) {
      line = {.what = Waiting::For::known, .known = several_lines_->target};
    } else if (has_content && (first == ']' || first == '}') && last_) {
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

  /// `next`: the leaf that lines wait for; null if there is none.
  void put_waiting(const Target* next) {
    for (const Waiting& line : waiting_) {
      begin_line();
      const Target* target = line.what == Waiting::For::known       ? &line.known
                             : line.what == Waiting::For::next_leaf ? next
                                                                    : nullptr;
      if (target != nullptr) put_segment(0, *target, false);
    }
    waiting_.clear();
  }

  void begin_line() {
    if (has_lines_) mappings_.add(';');
    has_lines_ = true;
    has_segments_ = false;
    previous_column_ = 0;
  }
  void put_segment(std::size_t column, const Target& target, bool with_name) {
    constexpr std::size_t kLongest = 13;  // Digits of 64 bits.
    constexpr std::size_t kRoom = 1 + 5 * kLongest;
    char* end = mappings_.reserve(kRoom);
    if (has_segments_) *end++ = ',';
    has_segments_ = true;
    const auto put = [&end](std::size_t now, std::size_t& previous) {
      // Most are the same again.
      if (now == previous) {
        *end++ = 'A';
      } else {
        end = put_number(end, static_cast<std::int64_t>(now) - static_cast<std::int64_t>(std::exchange(previous, now)));
      }
    };
    put(column, previous_column_);
    if (target.source != kNoSource) {
      put(target.source, previous_source_);
      put(target.line, previous_line_);
      put(target.column, previous_source_column_);
      if (with_name) put(target.name, previous_name_);
    }
    mappings_.advance(end);
  }
  /// As base64 digits of five bits, the lowest first; the lowest bit of all is the sign.
  static char* put_number(char* to, std::int64_t number) noexcept {
    static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    auto rest =
        static_cast<std::uint64_t>(number < 0 ? -number : number) << 1U | static_cast<std::uint64_t>(number < 0);
    for (; rest >= 32; rest >>= 5U) *to++ = kDigits[(rest & 31U) | 32U];
    *to++ = kDigits[rest];
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
      const std::string& file = sources_.file(used_[i].source);
      const std::string_view content = sources_.text(used_[i].source);
      if (hidden_files_.contains(file) || (style_.hides && style_.hides(file, content))) {
        out += "null";
      } else {
        text::append_json_text(out, content);
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
  MapFolder folder_;

  std::string path_room_;
  text::OutputBuffer path_{path_room_};  ///< Escaped as in JSON, behind kBeforeName.
  std::vector<std::size_t> steps_;       ///< Sizes of the path before each.
  std::size_t shared_ = 0;               ///< How much of the path the last name has, too.
  Names names_;                          ///< As JSON, each with a separator and a quote before it.
  std::uint32_t name_count_ = 0;
  bool knows_names_ = false;
  std::unordered_map<std::string, std::uint32_t> known_names_;

  std::vector<Used> used_;
  std::unordered_map<std::string, std::uint32_t> index_of_url_;
  std::unordered_map<std::uint32_t, std::uint32_t> indexes_;  ///< By the number of the text.
  std::optional<SourceId> last_source_;
  std::uint32_t last_index_ = 0;
  std::unordered_set<std::string> hidden_files_;

  std::size_t base_ = 0;        ///< Where the writer's text begins.
  std::size_t line_begin_ = 0;  ///< Bytes before the current line.
  std::string rest_;            ///< What is there of the current line.
  bool is_ascii_ = false;       ///< It, and the piece that is being added.
  std::vector<Leaf> leaves_;
  std::size_t next_leaf_ = 0;          ///< The first of them that the text has not reached.
  std::optional<Leaf> several_lines_;  ///< The last one that the text reached, of those with several lines.
  std::optional<Target> last_;         ///< The last one that the text reached.

  std::vector<Waiting> waiting_;
  Pieces mappings_;
  bool has_lines_ = false;
  bool has_segments_ = false;  ///< The current line.
  std::size_t previous_column_ = 0;
  std::size_t previous_source_ = 0;
  std::size_t previous_line_ = 0;
  std::size_t previous_source_column_ = 0;
  std::size_t previous_name_ = 0;
};

SourceMapBuilder::SourceMapBuilder(const Sources& sources, SourceMapStyle style)
    : state_(std::make_unique<State>(sources, std::move(style))) {}
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
