// SPDX-License-Identifier: Apache-2.0
// Reads YAML, JSON and HOCON to values with origins, and writes values as text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata {
class Executor;
}

namespace strata::text {

/// How text becomes values: plain scalars and tags, key equality, and the rules for `<<`, duplicate keys and anchors.
/// docs/internals/yaml.md.
struct Profile;

/// YAML 1.1 as PyYAML's safe loader reads it (cloud-init).
[[nodiscard]] const Profile& pyyaml() noexcept;
/// The same as PyYAML's safe loader on libyaml reads it (reclass).
[[nodiscard]] const Profile& pyyaml_c() noexcept;
/// YAML 1.1 as PyYAML's safe loader reads it, for documents that become JSON (Deckhand): mapping keys become text (`1`
/// is `"1"`, null is `"null"`), dates and times remain texts as written.
[[nodiscard]] const Profile& pyyaml_json() noexcept;
/// The core schema of YAML 1.2.
[[nodiscard]] const Profile& core12() noexcept;
/// The same with the tags of YAML 1.1: what other programs have written.
[[nodiscard]] const Profile& core12_tagged() noexcept;
/// YAML 1.1 as Psych 4 of Ruby 3.1 reads the data files of Hiera. Symbols are the only class that may be loaded; as
/// keys they become text. Reads only the first document of a stream.
[[nodiscard]] const Profile& psych() noexcept;
/// YAML 1.1 as Heat reads environments and templates, with libyaml: as `pyyaml`, but dates and times are text as
/// written, binary data is an error, and keys of different kinds differ.
[[nodiscard]] const Profile& heat() noexcept;
/// A profile by name. Null if there is none.
[[nodiscard]] const Profile* find_profile(std::string_view name) noexcept;

/// A Ruby symbol as a value: `:name` under `psych`. It is not data; the reader of the document decides what it means.
class Symbol : public Object {
 public:
  explicit Symbol(std::string name) : name_(std::move(name)) {}
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string to_string() const override { return name_; }
  [[nodiscard]] bool equals(const Object& other) const override;
  [[nodiscard]] std::size_t hash() const override;

 private:
  std::string name_;
};

/// A key that a mapping holds twice. The value of the later one counts.
struct RepeatedKey {
  std::string name;  ///< As it is written at `later`, shortened. Empty: not shown, because it may be secret.
  /// As it is written at `earlier`, if that differs: `on` and `yes` are one key of YAML 1.1.
  std::string earlier_name = {};
  Origin earlier;
  Origin later;
};

/// One parsed document of a text.
struct Document {
  std::shared_ptr<Arena> arena;  ///< Owns the nodes of `root`.
  Value root;                    ///< Absent if the text has no document. Null if the document is empty.
  SourceId source{};
  Origin origin;          ///< Where the document begins.
  std::size_t nodes = 0;  ///< Nodes of `root`, with aliases counted as if written out.
  /// Duplicate keys of mappings whose earlier value is lost. At most 1000 per text.
  std::vector<RepeatedKey> repeated_keys = {};
};

/// An error in a YAML text, in parts, for callers that write their own message. The message contains all parts.
class YamlError : public Error {
 public:
  enum class Fault : std::uint8_t {
    syntax,         ///< `yaml.syntax` of libyaml
    encoding,       ///< `yaml.encoding`
    alias,          ///< `yaml.alias`
    forbidden_tag,  ///< `yaml.forbidden`, as the next three.
    forbidden_symbol,
    forbidden_date,
    forbidden_time,  ///< A date with a time of day.
  };
  struct Parts {
    Fault fault;
    std::string subject;  ///< The alias, tag or scalar. For `syntax` and `encoding`: the problem in libyaml's words.
    /// For `syntax`: what libyaml was doing; may be empty. The first note shows where, or else the place of the error.
    std::string context = {};
  };

  YamlError(Error error, Parts parts) : Error(std::move(error)), parts_(std::move(parts)) {}
  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

 private:
  Parts parts_;
};

/// Reads a text that has one document (under `psych`, the first document). Every node has its origin in `source`.
/// `arena` receives the nodes, for documents that live and die together; null: an arena of their own. Errors: `yaml.*`
/// (docs/errors.md), `limit.depth`, `limit.input`, `limit.aliases`. Cost: linear in the text.
[[nodiscard]] Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                 const std::shared_ptr<Arena>& arena = nullptr);
/// Memory for documents that live and die together: one arena for their nodes, and one copy of each distinct key.
class DocumentPool {
 public:
  explicit DocumentPool(const std::shared_ptr<Arena>& arena) : DocumentPool(arena, arena) {}
  /// With a separate arena for keys, which keeps them when the nodes are cleared.
  DocumentPool(std::shared_ptr<Arena> nodes, std::shared_ptr<Arena> keys);
  ~DocumentPool();
  DocumentPool(const DocumentPool&) = delete;
  DocumentPool& operator=(const DocumentPool&) = delete;

  [[nodiscard]] const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }
  /// From now on, nodes are made in another arena. Null: none are made until the next call.
  void use(std::shared_ptr<Arena> nodes) noexcept { arena_ = std::move(nodes); }
  /// The key of the pool with this text.
  [[nodiscard]] Value key(std::string_view text);
  /// The same for a text that is already a key; its origin and secret mark are kept.
  [[nodiscard]] Value key(const Value& text);

 private:
  struct Keys;
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<Arena> keys_;
  std::unique_ptr<Keys> known_;
};
/// The same, with a pool.
[[nodiscard]] Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                 DocumentPool& pool);
/// Reads all documents of a text; under `psych`, only the first.
[[nodiscard]] std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile,
                                                     const Limits& limits);
/// The same, with a pool.
[[nodiscard]] std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile,
                                                     const Limits& limits, DocumentPool& pool);

/// How a JSON reader differs from RFC 8259.
struct JsonDialect {
  bool not_finite = false;  ///< `NaN`, `Infinity` and `-Infinity` are numbers.
  bool comments = false;    ///< `/* … */`, and `// …` to the end of the line, count as blanks.
  bool any_escape = false;  ///< A backslash before a character that needs none gives that character.
  std::size_t depth = 0;    ///< Deeper nesting is a syntax error. 0: only Limits::depth applies.
};
/// As Python's json module reads.
inline constexpr JsonDialect kPythonJson{.not_finite = true};
/// As the json library 2.6 of Ruby 3.1 reads.
inline constexpr JsonDialect kRubyJson{.comments = true, .any_escape = true, .depth = 100};

/// Reads one JSON text (RFC 8259): 64-bit integers, exact big integers, floats. The last of duplicate keys wins, at the
/// place of the first. Numbers beyond the range of double become infinite. An unpaired surrogate is an error, although
/// Python and Ruby accept some. The text begins at byte `offset` of the source. Errors: `json.syntax`, `limit.depth`,
/// `limit.input`.
[[nodiscard]] Document read_json(Sources& sources, SourceId source, const Limits& limits, std::size_t offset = 0,
                                 const JsonDialect& dialect = kPythonJson);

/// Resolves HOCON substitutions that are not defined in the text: the value of a name such as `HOME`, or no value.
using HoconVariables = std::function<std::optional<std::string>(std::string_view name)>;

/// Reads one HOCON text as the hocon gem 1.3.1 does, which Puppet uses. The root is a mapping, also for an empty text.
/// Keys are in the order of their first occurrence. Substitutions are resolved. Origins show where a value was written:
/// for a substitution, its target; for merged mappings, the last one. Differences: no includes; `\u005f` is `_`; a
/// surrogate pair is one character; objects with numeric keys become lists next to lists. `variables` replaces the
/// environment of the reference; null: no variables. `arena`: as for read_yaml. Errors: `hocon.*`, `limit.depth`,
/// `limit.input`, `limit.steps`, `limit.aliases` (nodes, with substitutions written out). Cost: linear in the text
/// without substitutions; with them, bounded by Limits::steps.
[[nodiscard]] Document read_hocon(Sources& sources, SourceId source, const Limits& limits,
                                  std::shared_ptr<Arena> arena = nullptr, const HoconVariables& variables = {});

struct JsonStyle {
  bool sort_keys = false;  ///< By code point.
  int indent = 2;          ///< Blanks per level. Negative: one line, with `, ` and `: `.
  /// Where values come from: what is written in pieces fails with the place. Null: errors name the path only.
  const Sources* sources = nullptr;
};

/// A value as JSON with a final newline. Keys become text (docs/fidelity.md), bytes base64, dates ISO 8601, sets arrays
/// of their members, objects their text. Errors, before anything is returned: `json.not-finite` for infinity and
/// not-a-number, `json.key-collision` for two keys of a mapping that become the same text. Both name the path.
[[nodiscard]] std::string write_json(const Value& value, const JsonStyle& style = {});
/// Receives the pieces of an output, in order.
using Sink = std::function<void(std::string_view)>;
/// As write_json, in pieces, so that large outputs need little memory. If it throws, it throws before the first piece.
void write_json(const Value& value, const JsonStyle& style, const Sink& sink);
/// As write_json, appended to `out` without the newline, for use in a larger text whose current line is `depth` levels
/// deep. If it throws, `out` is unchanged.
void append_json(std::string& out, const Value& value, const JsonStyle& style, int depth = 0);
/// Appends a JSON string literal with quotes. Bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& out, std::string_view text);

struct YamlStyle {
  const Profile* profile = nullptr;  ///< Reading the text with it gives the value again. Null: `pyyaml`.
  bool sort_keys = false;
  int indent = 2;
};

/// One line of YAML output, without its newline.
struct YamlLine {
  std::string_view text;
  /// The leaf on this line (the same for all lines of a block scalar). Null for lines of containers.
  const Value* leaf;
};

/// Writes a value as block style YAML, line by line. Mappings and sequences are blocks; multi-line texts are literal
/// blocks if possible. Key order is kept. Reading the lines with the style's profile gives an equal value; `absent` is
/// written as null. If the profile has no form for a value, the nearest form is used: under `core12`, dates and
/// timestamps are text, bytes are base64, sets are mappings to null. A text is quoted if any known profile would read
/// it as something else. `indent` is from 2 to 9.
void write_yaml_lines(const Value& value, const YamlStyle& style, const std::function<void(const YamlLine&)>& sink);
[[nodiscard]] std::string write_yaml(const Value& value, const YamlStyle& style = {});
/// As write_yaml, in pieces of whole lines.
void write_yaml(const Value& value, const YamlStyle& style, const Sink& sink);
/// A stream of documents, each with `---` before it, in pieces of whole lines. Many documents are written on the
/// threads of `executor` too, which may be null; the sink is called by the caller's thread.
void write_yaml_stream(std::span<const Value> documents, const YamlStyle& style, const Sink& sink,
                       const std::shared_ptr<Executor>& executor = nullptr);

/// Decodes base64 as Python's `binascii.a2b_base64` does: characters outside the alphabet are skipped. No value if the
/// reference fails (wrong padding).
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

/// Offset of the first byte that is not valid UTF-8. npos if all are.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text) noexcept;
/// Appends the bytes of a code point. Surrogates and values above U+10FFFF give bytes that are not valid UTF-8.
void append_utf8(std::string& out, char32_t code);

}  // namespace strata::text
