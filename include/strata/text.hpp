// Reading and writing texts: YAML, JSON and HOCON to values with origins, values back to text.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::text {

/// How text becomes values: tables for plain scalars and tags, key equality, the rules of `<<`, of duplicate keys and of anchors.
/// docs/internals/yaml.md.
struct Profile;

/// YAML 1.1 as PyYAML's safe loader reads it (cloud-init).
[[nodiscard]] const Profile& pyyaml() noexcept;
/// The same for what goes through JSON afterwards (Deckhand): keys of mappings become text (`1` is `"1"`, null is `"null"`), dates and times stay the
/// texts that they are written as.
[[nodiscard]] const Profile& pyyaml_json() noexcept;
/// The core schema of YAML 1.2.
[[nodiscard]] const Profile& core12() noexcept;
/// YAML 1.1 as Ruby 3.1's Psych 4 reads the data files of Hiera: symbols are the only class that may be loaded, and as keys they become text.
/// Reads the first document of a stream and nothing behind it.
[[nodiscard]] const Profile& psych() noexcept;
/// YAML 1.1 as Heat reads environments and templates, on libyaml: as `pyyaml`, but dates and times are text as written, bytes are an error, and keys
/// are told apart by kind.
[[nodiscard]] const Profile& heat() noexcept;
/// A profile by name; null pointer where there is none of it.
[[nodiscard]] const Profile* find_profile(std::string_view name) noexcept;

/// A Ruby symbol that stands as a value: `:name` under `psych`. It is no data; what reads the document decides what that means.
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

/// What one document of a text parsed to.
struct Document {
  std::shared_ptr<Arena> arena;  ///< Owns the nodes of `root`.
  Value root;                    ///< Absent where the text holds no document at all; null where the document is empty.
  SourceId source{};
  Origin origin;          ///< Where the document begins.
  std::size_t nodes = 0;  ///< Of `root`, aliases counted as if written out.
  /// Keys of YAML and JSON mappings that stand there again, of which the last one counts; the first 1000 of a text.
  std::vector<Origin> repeated_keys = {};
};

/// What is wrong with a YAML text, in parts, for those who word it themselves. The message tells all of it.
class YamlError : public Error {
 public:
  enum class Fault : std::uint8_t {
    syntax,         ///< `yaml.syntax` of libyaml
    encoding,       ///< `yaml.encoding`
    alias,          ///< `yaml.alias`
    forbidden_tag,  ///< `yaml.forbidden`, as the three below.
    forbidden_symbol,
    forbidden_date,
    forbidden_time,  ///< A date with a time of day.
  };
  struct Parts {
    Fault fault;
    std::string subject;       ///< The alias, tag or scalar; of `syntax` and `encoding` the problem in libyaml's words.
    std::string context = {};  ///< Of `syntax`: what libyaml was doing, which the first note shows, or else the place; may be empty.
  };

  YamlError(Error error, Parts parts) : Error(std::move(error)), parts_(std::move(parts)) {}
  [[nodiscard]] const Parts& parts() const noexcept { return parts_; }

 private:
  Parts parts_;
};

/// Reads the one document of a text (under `psych` the first, whatever is behind it). Every node has its origin in `source`.
/// Errors: `yaml.*` (docs/errors.md), `limit.depth`, `limit.input`, `limit.aliases`. Cost: linear in the text.
/// `arena`: where the nodes go, for documents that live and die together; null: an arena of their own.
[[nodiscard]] Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                 const std::shared_ptr<Arena>& arena = nullptr);
/// Where documents go that live and die together: their nodes are in one arena, and each distinct key is kept once.
class DocumentPool {
 public:
  explicit DocumentPool(const std::shared_ptr<Arena>& arena) : DocumentPool(arena, arena) {}
  /// Keys go to an arena of their own: they stay when the nodes are cleared.
  DocumentPool(std::shared_ptr<Arena> nodes, std::shared_ptr<Arena> keys)
      : arena_(std::move(nodes)), keys_(std::move(keys)), known_(index_.mapping()) {}
  [[nodiscard]] const std::shared_ptr<Arena>& arena() const noexcept { return arena_; }
  /// A text as the key that it is everywhere in the pool.
  [[nodiscard]] Value key(std::string_view text) {
    if (const Value* known = known_.find(text)) return *known;
    const Value key = keys_->key(text);
    index_.insert(known_, key, key);
    return key;
  }
  /// The same of a text that is a key already, with its origin and marks.
  [[nodiscard]] Value key(const Value& text) {
    const Value* known = known_.find(text);
    return (known != nullptr ? *known : key(text.text())).with_origin(text.origin()).with_secret(text.is_secret());
  }

 private:
  std::shared_ptr<Arena> arena_;
  std::shared_ptr<Arena> keys_;
  Arena index_;
  Value known_;
};
/// The same, into a pool.
[[nodiscard]] Document read_yaml(Sources& sources, SourceId source, const Profile& profile, const Limits& limits, DocumentPool& pool);
/// Reads all documents of a text; under `psych`, the first one.
[[nodiscard]] std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile, const Limits& limits);
/// The same, into a pool.
[[nodiscard]] std::vector<Document> read_yaml_stream(Sources& sources, SourceId source, const Profile& profile, const Limits& limits,
                                                     DocumentPool& pool);

/// What a reader of JSON takes besides RFC 8259, and what it does not.
struct JsonDialect {
  bool not_finite = false;  ///< `NaN`, `Infinity` and `-Infinity` are numbers.
  bool comments = false;    ///< `/* … */` and `// …` with the end of its line count as blanks.
  bool any_escape = false;  ///< A backslash before a character that needs none stands for that character.
  std::size_t depth = 0;    ///< Deeper nesting is an error of syntax; 0: as deep as Limits::depth.
};
/// As Python's json module reads.
inline constexpr JsonDialect kPythonJson{.not_finite = true};
/// As the json library 2.6 of Ruby 3.1 reads.
inline constexpr JsonDialect kRubyJson{.comments = true, .any_escape = true, .depth = 100};

/// Reads one JSON text (RFC 8259): 64-bit integers, exact big integers, floats; the last of duplicate keys wins, at the place of the first.
/// Numbers beyond a double are infinities; halves of surrogate pairs are errors, though Python and Ruby accept some of them.
/// `offset`: the text starts there in the source. Errors: `json.syntax`, `limit.depth`, `limit.input`.
[[nodiscard]] Document read_json(Sources& sources, SourceId source, const Limits& limits, std::size_t offset = 0,
                                 const JsonDialect& dialect = kPythonJson);

/// Where substitutions of HOCON look that lead nowhere in the text: the value of a name such as `HOME`, none where there is none.
using HoconVariables = std::function<std::optional<std::string>(std::string_view name)>;

/// Reads one HOCON text as the hocon gem 1.3.1 does, which Puppet uses: the root is a mapping (an empty text: an empty one), keys are in the order in
/// which they first stand there, substitutions are followed. What a value was written as counts for its origin: of a substitution, its target; of
/// merged mappings, the last. What differs: no includes, `\u005f` is `_`, surrogate pairs are one character, objects with numbers for keys become
/// lists beside lists. `variables`: the reference asks the environment; null: nothing is asked. `arena`: as for read_yaml.
/// Errors: `hocon.*`, `limit.depth`, `limit.input`, `limit.steps`, `limit.aliases` (nodes, with substitutions written out). Cost: linear in the text
/// without substitutions, bounded by Limits::steps with them.
[[nodiscard]] Document read_hocon(Sources& sources, SourceId source, const Limits& limits, std::shared_ptr<Arena> arena = nullptr,
                                  const HoconVariables& variables = {});

struct JsonStyle {
  bool sort_keys = false;  ///< By code point.
  int indent = 2;          ///< Blanks a level; negative: all in one line, with `, ` and `: `.
};

/// A value as JSON with a final newline. Keys become text (docs/fidelity.md), bytes base64, dates ISO 8601.
/// Sets become arrays of their members, objects their text.
/// Errors, before anything is returned: `json.not-finite` for infinities and not-a-number, `json.key-collision` for two keys of a mapping that become
/// the same text; both name the path.
[[nodiscard]] std::string write_json(const Value& value, const JsonStyle& style = {});
/// Takes the pieces of an output, in order.
using Sink = std::function<void(std::string_view)>;
/// As write_json, in pieces, so that large outputs take little memory. Throws before the first piece, if at all.
void write_json(const Value& value, const JsonStyle& style, const Sink& sink);
/// As write_json, appended to `out`, without the newline, for use inside a larger text whose current line is `depth` levels in. Where it throws,
/// `out` is as it was.
void append_json(std::string& out, const Value& value, const JsonStyle& style, int depth = 0);
/// A JSON string literal with its quotes; bytes that are not UTF-8 become U+FFFD.
void append_json_text(std::string& out, std::string_view text);

struct YamlStyle {
  const Profile* profile = nullptr;  ///< Reading the text under it gives the value again; null: `pyyaml`.
  bool sort_keys = false;
  int indent = 2;
};

/// One line of YAML output, without its newline.
struct YamlLine {
  std::string_view text;
  const Value* leaf;  ///< The leaf that the line writes (each line of a block scalar repeats it); null for lines of containers.
};

/// A value as block style YAML, line by line: mappings and sequences in blocks, texts of several lines as literal blocks where they can be.
/// Key order is kept. Reading the lines under the style's profile gives an equal value; `absent` is written as null. What the profile has no form for
/// is written as the nearest thing that it has: under `core12` dates and timestamps as text, bytes as base64, sets as mappings to null. Texts are
/// quoted where any known profile, not only the style's, takes them for something else. `indent` is from 2 to 9.
void write_yaml_lines(const Value& value, const YamlStyle& style, const std::function<void(const YamlLine&)>& sink);
[[nodiscard]] std::string write_yaml(const Value& value, const YamlStyle& style = {});

/// Base64 as Python's `binascii.a2b_base64` reads it: characters outside the alphabet are skipped.
/// None where the reference fails (wrong padding).
[[nodiscard]] std::optional<std::string> decode_base64(std::string_view text);

/// Offset of the first byte that is not part of valid UTF-8; npos where all of it is.
[[nodiscard]] std::size_t find_invalid_utf8(std::string_view text) noexcept;
/// Appends a code point's bytes. Surrogates and what is above U+10FFFF give bytes that are not valid UTF-8.
void append_utf8(std::string& out, char32_t code);

}  // namespace strata::text
