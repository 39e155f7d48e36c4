// Where a value was written: origins, the sources that they point into, and the places that people read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace strata {

/// A point in one of the texts of a `Sources`, in four bytes, or "nowhere" (the default). It means something as long as that Sources lives.
/// Cheap to copy and to compare; `Sources::place` turns it into file, line and column when somebody asks.
struct Origin {
  std::uint32_t location = 0;

  static constexpr std::uint32_t kFirstVia = 0xC0000000U;  ///< Locations from here on stand for an alias and its target.

  /// Reached through an alias: Sources::add_via made it.
  [[nodiscard]] bool through_alias() const noexcept { return location >= kFirstVia; }
  /// True where the value was written somewhere.
  explicit operator bool() const noexcept { return location != 0; }
  friend bool operator==(Origin, Origin) = default;
};

/// An origin, spelled out for a reader. Rule: docs/provenance.md.
struct Place {
  std::string file;                     ///< As given on the command line, or a name such as `<stdin>` or `<parameter>`.
  std::string part;                     ///< The inner name of a text inside a text (a MIME part); empty otherwise.
  std::optional<std::uint32_t> line;    ///< From 1; none where no file wrote the value.
  std::optional<std::uint32_t> column;  ///< In code points, from 1.
  std::shared_ptr<const Place> via;     ///< The alias through which the value was reached; null otherwise.

  /// `file:line:column`, shortened to what is known, with `[part]` after the file.
  [[nodiscard]] std::string to_string() const;
};

/// Number of a text within its space of locations, as long as its `Sources` lives.
enum class SourceId : std::uint32_t {};

/// One stretch of a derived text and where it stands in the outer text: from `inner` (bytes) on, up to the next segment.
struct Segment {
  std::uint32_t inner = 0;  ///< First byte of the stretch in the derived text.
  Origin outer;             ///< Where the stretch begins in the outer text.
  bool verbatim = true;     ///< Copied byte for byte, so that later bytes stand further on; else all of it stands at `outer`.
};

/// One space of 32-bit locations, one location a byte of text, from which texts lease their ranges. An Engine has one for all that it reads.
/// Live texts take at most about 3 GiB together; how much text was ever there does not matter. Thread-safe.
class Locations {
 public:
  Locations();
  ~Locations();
  Locations(const Locations&) = delete;
  Locations& operator=(const Locations&) = delete;

  /// How many locations are leased now.
  [[nodiscard]] std::size_t leased() const;

 private:
  friend class Sources;
  struct State;
  std::unique_ptr<State> state_;
};

/// Texts that live and die together, and the origins into them.
///
/// Each text leases a range of a space of locations, so that an Origin is four bytes, and gives it back when the Sources goes. Until then origins
/// into it are spelled out by every Sources of the same space. Whoever keeps a value keeps the Sources of its origins.
/// Adding throws Error `limit.sources` where the live texts of the space would become larger than about 3 GiB.
/// Thread safety: every member may be called from several threads at once; reading texts takes no lock.
class Sources {
 public:
  /// A space of its own. `folder`: the working folder. File names below it are shown relative to it, other relative ones absolute; empty: as given.
  explicit Sources(std::string folder = {});
  /// Texts in a space that others share.
  explicit Sources(std::shared_ptr<Locations> locations, std::string folder = {});
  /// Texts in the space of `beside`, with its working folder. Cheap. The space lives as long as one of its Sources.
  explicit Sources(const Sources* beside);
  ~Sources();
  Sources(const Sources&) = delete;
  Sources& operator=(const Sources&) = delete;

  [[nodiscard]] const std::shared_ptr<Locations>& locations() const noexcept;
  [[nodiscard]] const std::string& folder() const noexcept;

  /// A whole file; `file` is the name that places show.
  SourceId add(std::string_view file, std::string text);
  /// A text that was decoded from within `outer` (base64, quoted text, …): places show the file of `outer`, the part's name, and lines of this text.
  SourceId add_decoded(SourceId outer, std::string part, std::string text);
  /// A text whose stretches stand verbatim (or as a whole) in an outer one: places show lines of the outer text.
  /// `segments` is sorted by `inner`; its first begins at 0.
  SourceId add_derived(SourceId outer, std::string part, std::string text, std::vector<Segment> segments);
  /// The unencoded stretch [begin, end) of `outer`, as a text of its own.
  SourceId add_excerpt(SourceId outer, std::string part, std::size_t begin, std::size_t end);
  /// A name for values that no file wrote: `<parameter>`, `<default>`; the one origin of it has neither line nor column.
  Origin add_name(std::string name);
  /// The origin of what was reached through an alias: `target` is where it was written, `alias` where the alias stands.
  Origin add_via(Origin target, Origin alias);

  [[nodiscard]] std::string_view text(SourceId source) const;
  [[nodiscard]] const std::string& file(SourceId source) const;
  [[nodiscard]] const std::string& part(SourceId source) const;

  /// The origin of byte `offset` (at most the text's size) of `source`.
  [[nodiscard]] Origin at(SourceId source, std::size_t offset) const;
  /// Spells an origin out. An empty Place for "nowhere". Cost: O(bytes before it) once a source, then O(log lines).
  [[nodiscard]] Place place(Origin origin) const;
  /// The line of text that an origin stands in, without its line break; empty where there is none or the source is secret.
  [[nodiscard]] std::string line_of(Origin origin) const;
  /// The source that an origin points into (through an alias: that of the target); none for "nowhere" and bare names.
  [[nodiscard]] std::optional<SourceId> source_of(Origin origin) const;
  /// From now on `line_of` shows nothing of this source, and errors of readers quote nothing of it: it holds decrypted or hidden text.
  void mark_secret(SourceId source);
  /// Whether a source is marked.
  [[nodiscard]] bool is_secret(SourceId source) const;

 private:
  struct Leases;
  std::unique_ptr<Leases> leases_;
};

}  // namespace strata
