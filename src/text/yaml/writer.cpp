// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <vector>

#include "strata/leaf_observer.hpp"
#include "strata/scalar_text.hpp"
#include "strata/stack.hpp"
#include "strata/text.hpp"
#include "text/keyed_entries.hpp"
#include "text/output_buffer.hpp"
#include "text/yaml/node_lines.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/scalar_style.hpp"
#include "value/in_order.hpp"

namespace strata::text {
namespace {

/// Longest key, as written, that goes on one line with its colon. Readers must accept 1024 characters; more than this
/// nobody reads.
constexpr std::size_t kLongestKey = 128;
constexpr std::size_t kBase64Line = 76;
constexpr std::string_view kSymbolTag = "!ruby/symbol ";
constexpr std::string_view kSetTag = "!!set";
constexpr std::string_view kBinaryTag = "!!binary ";
constexpr std::string_view kTextTag = "!!str ";

bool has_tag(const Profile& profile, Tag meaning) noexcept {
  return std::ranges::any_of(profile.tags, [meaning](const TagRule& rule) { return rule.meaning == meaning; });
}

/// Where a node goes.
struct NodePlace {
  std::size_t column;  ///< Of the node's own lines, where it is a block.
  std::size_t step;    ///< From the column of the parent to `column`.
  bool on_line;  ///< A block begins on the current line, at `column` (after `- `); else on the next one (after `key:`).
};

/// With an observer, or without one: then nothing of it is compiled.
template <bool kObserved>
class YamlWriter {
 public:
  /// Lines go to `lines`; without it they stay in `out`, each with a newline, or go to `pieces`.
  YamlWriter(OutputBuffer& out, const YamlStyle& style, const NodeLineSink* lines, const Sink* pieces = nullptr,
             LeafObserver* observer = nullptr)
      : out_(out),
        profile_(style.profile != nullptr ? *style.profile : pyyaml()),
        styles_(profile_),
        lines_(lines),
        pieces_(pieces),
        sort_keys_(style.sort_keys),
        // An indentation indicator has one digit, and a mapping in a sequence starts two columns in.
        indent_(static_cast<std::size_t>(std::clamp(style.indent, 2, 9))),
        has_binary_(has_tag(profile_, Tag::binary)),
        has_symbols_(has_tag(profile_, Tag::symbol)),
        has_sets_(has_tag(profile_, Tag::set)),
        observer_(observer) {}

  void write_root(const Value& root) {
    if (root.is_leaf() || (root.kind() == Kind::set && has_sets_)) {
      write_node(root, {.column = root.kind() == Kind::set ? 0 : indent_, .step = indent_, .on_line = true});
    } else {
      const bool as_one = begin_secret(root, 0);
      write_block(root, 0, true);
      if (as_one) end_secret();
    }
  }

 private:
  // Calls to the observer: none within keys and secrets.

  /// Bytes written by this call.
  [[nodiscard]] std::size_t offset() const noexcept { return kObserved ? sent_ + out_.size() : 0; }
  void enter([[maybe_unused]] const Value& key) {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->enter(key);
    }
  }
  void enter([[maybe_unused]] std::size_t index) {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->enter(index);
    }
  }
  void leave() {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->leave();
    }
  }
  void tell([[maybe_unused]] const Value& leaf, [[maybe_unused]] std::size_t begin,
            [[maybe_unused]] bool goes_on = false) {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->leaf(leaf, begin, goes_on);
    }
  }
  void tell_end() {
    if constexpr (kObserved) {
      if (hidden_ == 0) observer_->end(offset());
    }
  }
  /// Reports a secret container, which begins so many bytes ahead. False where it is not one, or without an observer.
  [[nodiscard]] bool begin_secret([[maybe_unused]] const Value& container, [[maybe_unused]] std::size_t ahead) {
    if constexpr (kObserved) {
      if (hidden_ != 0 || !container.is_secret()) return false;
      observer_->leaf(container, offset() + ahead, true);
      ++hidden_;
      return true;
    }
    return false;
  }
  void end_secret() {
    if constexpr (kObserved) {
      --hidden_;
      observer_->end(offset());
    }
  }

  /// `node`: what the line is about.
  void end_line(const Value* leaf, const Value* node) {
    if (lines_ != nullptr) {
      (*lines_)({.text = out_.view(), .leaf = in_key_ == 0 ? leaf : nullptr}, in_key_ == 0 ? node : nullptr);
      out_.clear();
      return;
    }
    out_.append('\n');
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    if (pieces_ == nullptr || out_.size() < kPiece) return;
    if constexpr (kObserved) sent_ += out_.size();
    (*pieces_)(out_.view());
    out_.check();
    out_.clear();
  }

  /// The rest of a node whose line has begun, and all of its further lines.
  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void write_node(const Value& value, const NodePlace& spot) {
    const bool tagged_set = value.kind() == Kind::set && has_sets_;
    if (value.is_leaf() || tagged_set) {
      if (!spot.on_line) out_.append(' ');
      if (value.is_container()) {
        if (tagged_set) out_.append(kSetTag);
        if (value.size() != 0) {
          const bool as_one = begin_secret(value, 1 + spot.column);
          end_line(nullptr, &value);
          write_block(value, spot.column, false);
          if (as_one) end_secret();
          return;
        }
        if (tagged_set) out_.append(' ');
        tell(value, offset());
        out_.append(value.is_sequence() ? "[]" : "{}");
        return end_line(value);
      }
      return write_scalar(value, spot);
    }
    const bool as_one = begin_secret(value, spot.on_line ? 0 : 1 + spot.column);
    if (!spot.on_line) end_line(nullptr, &value);
    write_block(value, spot.column, spot.on_line);
    if (as_one) end_secret();
  }

  /// A container with members. Its first line is begun where `on_line`.
  void write_block(const Value& value, std::size_t column, bool on_line) {
    if (value.is_sequence()) {
      for (const Value& item : value.items()) {
        begin_line(column, on_line);
        out_.append("- ");
        enter(static_cast<std::size_t>(&item - value.items().data()));
        write_node(item, {.column = column + 2, .step = 2, .on_line = true});
        leave();
      }
      return;
    }
    const bool as_set = value.kind() == Kind::set && has_sets_;
    const auto write = [&](const Entry& entry) {
      begin_line(column, on_line);
      enter(entry.key);
      if (as_set) {
        write_member(entry, column);
      } else {
        write_entry(entry, column);
      }
      leave();
    };
    if (sort_keys_) {
      const std::size_t begin = sorted_.size();
      append_sorted_by_key_text(value, sorted_);
      // By number: mappings inside of it add theirs behind.
      for (std::size_t i = begin; i < begin + value.size(); ++i) write(*sorted_[i]);
      sorted_.resize(begin);
    } else {
      for (const Entry& entry : value.entries()) write(entry);
    }
  }

  void end_line(const Value& leaf) { end_line(&leaf, &leaf); }

  void begin_line(std::size_t column, bool& on_line) {
    if (!on_line) out_.blanks(column);
    on_line = false;
  }

  void write_entry(const Entry& entry, std::size_t column) {
    if (write_simple_key(entry.key)) {
      out_.append(':');
      return write_node(entry.value, {.column = column + indent_, .step = indent_, .on_line = false});
    }
    write_explicit_key(entry.key, column);
    out_.blanks(column);
    out_.append(": ");
    write_node(entry.value, {.column = column + 2, .step = 2, .on_line = true});
  }

  void write_explicit_key(const Value& key, std::size_t column) {
    out_.append("? ");
    ++in_key_;
    if constexpr (kObserved) ++hidden_;
    write_node(key, {.column = column + 2, .step = 2, .on_line = true});
    if constexpr (kObserved) --hidden_;
    --in_key_;
  }

  void write_member(const Entry& entry, std::size_t column) {
    const std::size_t begin = out_.size();
    out_.append("? ");
    tell(entry.value, offset() + tag_size(entry.key), true);
    if (write_simple_key(entry.key)) {
      end_line(entry.value.origin() ? &entry.value : &entry.key, &entry.value);
    } else {
      out_.rewind(begin);
      write_explicit_key(entry.key, column);
    }
    tell_end();
  }

  /// Quoted without a tag, it would merge.
  [[nodiscard]] bool is_tagged_text(const Value& key) const {
    return key.is_text() && key.text() == "<<" && profile_.merge_key == MergeKey::psych;
  }
  /// What stands before the text of a key.
  [[nodiscard]] std::size_t tag_size(const Value& key) const {
    if (key.kind() == Kind::binary && has_binary_) return kBinaryTag.size();
    if (is_tagged_text(key)) return kTextTag.size();
    return has_symbols_ && key.kind() == Kind::object && dynamic_cast<const Symbol*>(&key.as_object()) != nullptr
               ? kSymbolTag.size()
               : 0;
  }

  /// Writes a key that goes on one line with its colon; false, with nothing written, where it cannot.
  bool write_simple_key(const Value& key) {
    if (key.is_container()) return false;
    const std::size_t begin = out_.size();
    if (key.kind() == Kind::binary && has_binary_) {
      out_.append(kBinaryTag);
      write_text(base64_encode(key.text()));
    } else if (is_tagged_text(key)) {
      out_.append(kTextTag);
      out_.append("'<<'");
    } else if (key.is_text()) {
      write_key_text(key.text());
    } else if (!write_symbol(key) && !write_untagged(key)) {
      write_text(scalar_text(key));
    }
    if (out_.size() - begin <= kLongestKey) return true;
    out_.rewind(begin);
    return false;
  }

  void write_scalar(const Value& value, const NodePlace& spot) {
    if (value.kind() == Kind::binary && has_binary_) return write_binary(value, spot);
    std::size_t begin = offset();
    if (value.is_text()) {
      const ScalarStyle style = styles_.choose(value.text(), true);
      if (style == ScalarStyle::literal) return write_literal(value, spot);
      write_text(value.text(), style);
    } else if (write_symbol(value)) {
      begin += kSymbolTag.size();
    } else if (!write_untagged(value)) {
      write_text(scalar_text(value));
    }
    tell(value, begin);
    end_line(value);
  }

  /// False, with nothing written, where it is not a symbol, or the profile has none.
  bool write_symbol(const Value& value) {
    if (!has_symbols_ || value.kind() != Kind::object) return false;
    const auto* symbol = dynamic_cast<const Symbol*>(&value.as_object());
    if (symbol == nullptr) return false;
    out_.append(kSymbolTag);
    write_text(symbol->name());
    return true;
  }

  /// Scalars whose plain form says what they are; false, with nothing written, where the profile has no such form.
  bool write_untagged(const Value& value) {
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null:
        out_.append("null");
        return true;
      case Kind::boolean:
        out_.append(std::string_view(value.as_boolean() ? "true" : "false"));
        return true;
      case Kind::integer: {
        constexpr std::size_t kRoom = 24;
        char* const begin = out_.reserve(kRoom);
        out_.advance(std::to_chars(begin, begin + kRoom, value.as_integer()).ptr);
        return true;
      }
      case Kind::big_integer:
        out_.append(value.text());
        return true;
      case Kind::floating:
        out_.append(float_text(value.as_floating()));
        return true;
      case Kind::date:
      case Kind::timestamp: {
        // Where the profile has no timestamps (core12), what is written is text, and so are sets without `!!set`
        // mappings, and bytes base64.
        const std::string text = scalar_text(value);
        if (profile_.resolve(text) != Scalar::timestamp) return false;
        out_.append(text);
        return true;
      }
      default:
        return false;
    }
  }

  void write_text(std::string_view text) { write_text(text, styles_.choose(text, false)); }

  /// A text that many mappings contain: its style is remembered by its address, since equal keys of documents are
  /// one.
  void write_key_text(std::string_view text) {
    KnownKey& known = known_keys_[(reinterpret_cast<std::uintptr_t>(text.data()) >> 3U) % known_keys_.size()];
    if (known.text != text.data() || known.size != text.size()) {
      known = {.text = text.data(), .size = text.size(), .style = styles_.choose(text, false)};
    }
    write_text(text, known.style);
  }
  void write_text(std::string_view text, ScalarStyle style) {
    switch (style) {
      case ScalarStyle::plain:
        return out_.append(text);
      case ScalarStyle::single_quoted:
        return append_single_quoted(out_, text);
      default:
        return append_double_quoted(out_, text);
    }
  }

  void write_literal(const Value& value, const NodePlace& spot) {
    std::string_view text = value.text();
    tell(value, offset(), true);
    out_.append('|');
    // Readers find the indentation by the first line, unless that begins with blanks of its own.
    if (const char first = text.front(); first == ' ' || first == '\t' || first == '\n')
      out_.append(static_cast<char>('0' + spot.step));
    if (!text.ends_with('\n')) {
      out_.append('-');
    } else if (text.ends_with("\n\n")) {
      out_.append('+');
    }
    end_line(value);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end != 0) out_.blanks(spot.column);
      out_.append(text.substr(0, end));
      end_line(value);
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    tell_end();
  }

  void write_binary(const Value& value, const NodePlace& spot) {
    out_.append(kBinaryTag);
    const std::string text = base64_encode(value.text());
    tell(value, offset(), !text.empty());
    if (text.empty()) {
      out_.append("''");
      return end_line(value);
    }
    out_.append('|');
    end_line(value);
    for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(std::min(kBase64Line, rest.size()))) {
      out_.blanks(spot.column);
      out_.append(rest.substr(0, kBase64Line));
      end_line(value);
    }
    tell_end();
  }

  struct KnownKey {
    const char* text = nullptr;
    std::size_t size = 0;
    ScalarStyle style{};
  };

  OutputBuffer& out_;
  std::vector<const Entry*> sorted_;  ///< Of the mappings that are being written.
  std::array<KnownKey, 128> known_keys_{};
  const Profile& profile_;
  ScalarStyles styles_;
  const NodeLineSink* lines_;
  const Sink* pieces_;
  bool sort_keys_;
  std::size_t indent_;
  bool has_binary_;
  bool has_symbols_;
  bool has_sets_;
  int in_key_ = 0;  ///< Keys are not leaves.
  LeafObserver* observer_;
  int hidden_ = 0;        ///< Keys and secrets around what is written.
  std::size_t sent_ = 0;  ///< Bytes that `pieces` got.
};

}  // namespace

void write_node_lines(const Value& value, const YamlStyle& style, const NodeLineSink& sink) {
  std::string line;
  OutputBuffer buffer(line);
  YamlWriter<false>(buffer, style, &sink).write_root(value);
}

void write_yaml_lines(const Value& value, const YamlStyle& style, const std::function<void(const YamlLine&)>& sink) {
  write_node_lines(value, style, [&sink](const YamlLine& line, const Value* /*node*/) { sink(line); });
}

std::string write_yaml(const Value& value, const YamlStyle& style) {
  std::string out;
  OutputBuffer buffer(out);
  YamlWriter<false>(buffer, style, nullptr).write_root(value);
  buffer.finish();
  return out;
}

void write_yaml(const Value& value, const YamlStyle& style, const Sink& sink) {
  std::string piece;
  OutputBuffer buffer(piece);
  YamlWriter<false>(buffer, style, nullptr, &sink).write_root(value);
  sink(buffer.view());
}

void write_yaml(const Value& value, const YamlStyle& style, const Sink& sink, LeafObserver& observer) {
  std::string piece;
  OutputBuffer buffer(piece);
  YamlWriter<true>(buffer, style, nullptr, &sink, &observer).write_root(value);
  sink(buffer.view());
}

namespace {

void write_documents(std::span<const Value> documents, OutputBuffer& buffer, YamlWriter<false>& writer) {
  for (const Value& document : documents) {
    buffer.append("---\n");
    writer.write_root(document);
  }
}

}  // namespace

void write_yaml_stream(std::span<const Value> documents, const YamlStyle& style, const Sink& sink,
                       const std::shared_ptr<Executor>& executor) {
  static constexpr std::size_t kTogether = 64;           // Documents.
  static constexpr std::size_t kLeast = 32 * kTogether;  // For fewer, starting threads costs what they gain.
  if (executor == nullptr || executor->width() == 0 || documents.size() < kLeast) {
    std::string piece;
    OutputBuffer buffer(piece);
    YamlWriter<false> writer(buffer, style, nullptr, &sink);
    write_documents(documents, buffer, writer);
    return sink(buffer.view());
  }
  const auto next = [&documents]() -> std::optional<std::span<const Value>> {
    if (documents.empty()) return std::nullopt;
    const auto some = documents.first(std::min(kTogether, documents.size()));
    documents = documents.subspan(some.size());
    return some;
  };
  const auto write = [&style](std::span<const Value> some) {
    std::string out;
    OutputBuffer buffer(out);
    YamlWriter<false> writer(buffer, style, nullptr);
    write_documents(some, buffer, writer);
    buffer.finish();
    return out;
  };
  detail::InOrder<std::span<const Value>, std::string> work(executor, deepest_on_stack(), next, write);
  while (const auto piece = work.next()) sink(*piece);
}

void write_yaml_stream(std::span<const Value> documents, const YamlStyle& style, const Sink& sink,
                       LeafObserver& observer) {
  std::string piece;
  OutputBuffer buffer(piece);
  YamlWriter<true> writer(buffer, style, nullptr, &sink, &observer);
  for (std::size_t i = 0; i < documents.size(); ++i) {
    buffer.append("---\n");
    observer.enter(i);
    writer.write_root(documents[i]);
    observer.leave();
  }
  sink(buffer.view());
}

}  // namespace strata::text
