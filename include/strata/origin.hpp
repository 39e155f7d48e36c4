// SPDX-License-Identifier: Apache-2.0
// Provenance: origins, the texts that they point into, and places as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// A position in a text of a `Sources`, in four bytes, or "nowhere" (the default). Valid as long as that Sources lives.
/// Cheap to copy and compare. `Sources::place` computes file, line and column on demand.
struct Origin {
  std::uint32_t location = 0;

  static constexpr std::uint32_t kFirstVia =
      0xC0000000U;  ///< From here on, a location stands for an alias and its target.

  /// Whether the value was reached through an alias (Sources::add_via).
  [[nodiscard]] bool through_alias() const noexcept { return location >= kFirstVia; }
  /// False for "nowhere".
  explicit operator bool() const noexcept { return location != 0; }
  friend bool operator==(Origin, Origin) = default;
};

/// An origin in readable form. Rule: docs/provenance.md.
struct Place {
  std::string file;                     ///< As on the command line, or a name such as `<stdin>` or `<parameter>`.
  std::string part;                     ///< The name of a text inside a text (a MIME part). Empty otherwise.
  std::optional<std::uint32_t> line;    ///< From 1. No value if the value is not from a file.
  std::optional<std::uint32_t> column;  ///< In code points, from 1.
  std::shared_ptr<const Place> via;     ///< The alias through which the value was reached. Null otherwise.

  /// `file:line:column`, as far as known, with `[part]` after the file.
  [[nodiscard]] std::string to_string() const;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The number of a text in its location space. Valid as long as its `Sources` lives.
enum class SourceId : std::uint32_t {};

/// An origin as programs count, from 0. Rule: docs/analysis/source-maps.md.
struct Position {
  SourceId
      source{};  ///< The text that has this line: for a text whose segments come from another one, that other text.
  std::uint32_t line = 0;    ///< As in `Place`, from 0.
  std::uint32_t column = 0;  ///< In UTF-16 code units.
};

/// A part of a derived text, from byte `inner` to the next segment, and its position in the outer text.
struct Segment {
  std::uint32_t inner = 0;  ///< The first byte in the derived text.
  Origin outer;             ///< The beginning in the outer text.
  bool verbatim = true;     ///< Copied byte for byte. If false, the whole part is at `outer`.
};

/// A space of 32-bit locations, one per byte of text. Texts lease ranges of it. An Engine has one for everything that
/// it reads. All live texts together can take about 3 GiB; texts that are gone do not count. Thread-safe.
class Locations {
 public:
  Locations();
  ~Locations();
  Locations(const Locations&) = delete;
  Locations& operator=(const Locations&) = delete;

  /// The number of leased locations.
  [[nodiscard]] std::size_t leased() const;

 private:
  friend class Sources;
  struct State;
  std::unique_ptr<State> state_;
};

/// A group of texts that live and die together, and the origins into them.
///
/// Each text leases a range of a location space, so that an Origin needs only four bytes. The Sources returns the range
/// when it is destroyed. Until then, every Sources of the same space can resolve origins into the text. Whoever keeps a
/// value must keep the Sources of its origins. Adding a text throws Error `limit.sources` if the live texts of the
/// space would exceed about 3 GiB. Thread safety: all members may be called from several threads at once. Reading texts
/// takes no lock.
class Sources {
 public:
  /// With a location space of its own. `folder` is the working directory: file names below it are shown relative to it,
  /// other relative names as absolute. Empty: names are shown unchanged.
  explicit Sources(std::string folder = {});
  /// In a location space that others share.
  explicit Sources(std::shared_ptr<Locations> locations, std::string folder = {});
  /// In the location space of `beside`, with its working directory. Cheap. The space lives as long as one of its
  /// Sources.
  explicit Sources(const Sources* beside);
  ~Sources();
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  [[nodiscard]] const std::shared_ptr<Locations>& locations() const noexcept;
  [[nodiscard]] const std::string& folder() const noexcept;

  /// Adds a whole file. `file` is its name in places.
  SourceId add(std::string_view file, std::string text);
  /// Adds a text decoded from a part of `outer` (base64, quoted text, …). Places show the file of `outer`, the part's
  /// name, and lines of this text.
  SourceId add_decoded(SourceId outer, std::string part, std::string text);
  /// Adds a text whose segments come from `outer`, unchanged or as a whole. Places show lines of `outer`. `segments` is
  /// sorted by `inner`; the first begins at 0.
  SourceId add_derived(SourceId outer, std::string part, std::string text, std::vector<Segment> segments);
  /// Adds the unencoded range [begin, end) of `outer` as a text.
  SourceId add_excerpt(SourceId outer, std::string part, std::size_t begin, std::size_t end);
  /// Adds a name for values that are not from a file: `<parameter>`, `<default>`. Its origin has no line and no column.
  Origin add_name(std::string name);
  /// The origin of a value that was reached through an alias: `target` is where the value was written, `alias` is the
  /// alias.
  Origin add_via(Origin target, Origin alias);

  [[nodiscard]] std::string_view text(SourceId source) const;
  [[nodiscard]] const std::string& file(SourceId source) const;
  [[nodiscard]] const std::string& part(SourceId source) const;

  /// The origin of byte `offset` of `source`. `offset` is at most the size of the text.
  [[nodiscard]] Origin at(SourceId source, std::size_t offset) const;
  /// Resolves an origin. "Nowhere" gives an empty Place. Cost: O(bytes before it) once per source, then O(log lines).
  [[nodiscard]] Place place(Origin origin) const;
  /// The same for programs; of an alias, its target. No value for "nowhere" and names. Cost: as `place`, without making
  /// texts.
  [[nodiscard]] std::optional<Position> position(Origin origin) const;
  /// The source line of an origin, without its line break. Empty if there is none or the source is secret.
  [[nodiscard]] std::string line_of(Origin origin) const;
  /// The part of that line around the origin that people may want to see.
  struct LinePart {
    std::string text;
    std::uint32_t cut = 0;  ///< Code points of the line before `text`.
  };
  /// At most kLinePart code points on either side of the origin, however long the line is. Empty where `line_of` is.
  [[nodiscard]] LinePart line_around(Origin origin) const;
  static constexpr std::size_t kLinePart = 2000;
  /// The source of an origin; for an alias, that of its target. No value for "nowhere" and names.
  [[nodiscard]] std::optional<SourceId> source_of(Origin origin) const;
  /// Marks a source that contains decrypted or hidden text. From now on, `line_of` and errors of readers do not show
  /// its text.
  void mark_secret(SourceId source);
  /// Whether a source is marked.
  [[nodiscard]] bool is_secret(SourceId source) const;

 private:
  struct Leases;
  std::unique_ptr<Leases> leases_;
};

}  // namespace strata
