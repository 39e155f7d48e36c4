// SPDX-License-Identifier: Apache-2.0
// Source maps of results: which place of the layers each position of an output comes from. Format: Source Map v3
// (ECMA-426).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "strata/leaf_observer.hpp"
#include "strata/limits.hpp"
#include "strata/origin.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::report {

struct SourceMapStyle {
  /// The file that the map is for, relative to the working directory or absolute. Sources are relative to its folder.
  /// If its name ends with `.map`, the map names the file without it. Empty: a map in the working directory.
  std::string map_file = {};
  bool content = false;  ///< With the texts of the sources.
  /// Whether the text of a file, by its name in places, is left out of these. Empty: only what values show to be
  /// secret.
  std::function<bool(const std::string& file, std::string_view text)> hides = {};
  std::string revision = {};  ///< The revision whose files were read, for `x_strata`. Empty: none.
};

/// Makes the map of an output while that is written.
///
/// Give it to a writer as its observer, and give `add` every piece that the writer gives to its sink. Rule:
/// docs/analysis/source-maps.md. Cost: linear in the output. Memory: that of the map.
class SourceMapBuilder final : public text::LeafObserver {
 public:
  /// `sources` must outlive the builder, and resolve the origins of all values.
  SourceMapBuilder(const Sources& sources, SourceMapStyle style);
  ~SourceMapBuilder() override;

  /// What stands in the output before the text of the next writer.
  void add_head(std::string_view text);
  /// The next piece of the writer's text.
  void add(std::string_view piece);
  /// Leaves out the texts in which a value, or a value below it, is secret. The texts of secret leaves are left out
  /// without it.
  void hide_secrets_of(const Value& value);
  /// The map as JSON in one line, with a final newline, in pieces. Call it once, after the last piece of the output.
  void finish(const text::Sink& sink);
  [[nodiscard]] std::string finish();

  // For writers.
  void enter(const Value& key) override;
  void enter(std::size_t index) override;
  void leave() override;
  void leaf(const Value& leaf, std::size_t begin, bool goes_on) override;
  void end(std::size_t end) override;

 private:
  class State;
  std::unique_ptr<State> state_;
};

/// A map that was read, whatever program made it. Thread safety: several threads may ask at once.
class SourceMap {
 public:
  /// A place of a source.
  struct Target {
    std::string file;          ///< Relative to the working directory, as far as the map and its own name tell.
    std::string part;          ///< The name of a text inside the file (a MIME part). Empty otherwise.
    std::uint32_t line = 1;    ///< From 1.
    std::uint32_t column = 1;  ///< From 1, in code points; in UTF-16 code units if the map does not hold the text.
    std::string name;          ///< In maps of strata the JSON Pointer. May be empty.

    /// `file:line:column`, with `[part]` after the file.
    [[nodiscard]] std::string to_string() const;
  };

  /// Reads the map in a text.
  /// Errors: `map.read` for anything that is not a Source Map v3, and for index maps (`sections`); `limit.depth`,
  /// `limit.input`. Cost: linear in the text, and so is the memory, however many positions the map has.
  [[nodiscard]] static SourceMap read(Sources& sources, SourceId source, const Limits& limits);

  /// The file that the map is for. Empty if it does not say.
  [[nodiscard]] const std::string& file() const noexcept;
  /// Where the last segment at or before a position, on its line, leads. Line and column are counted from 1, columns in
  /// UTF-16 code units. No value if there is no such segment, or it leads nowhere. Cost: O(log size of the map).
  [[nodiscard]] std::optional<Target> find(std::uint64_t line, std::uint64_t column) const;

 private:
  struct State;
  explicit SourceMap(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// Rewrites positions of an output, in what any program says about it, to places of the layers: in each line the first
/// `NAME:LINE` or `NAME:LINE:COLUMN` becomes the source's `file:line:column`. A NAME that is a part of a longer name or
/// path does not count; `./NAME` does. A position that the map does not know stays as it is, and so does every other
/// byte. Cost: linear; the memory does not depend on the length of a line.
class PlaceRewriter {
 public:
  /// `map` must outlive it. `name` must not be empty.
  PlaceRewriter(const SourceMap& map, std::string name) : map_(map), name_(std::move(name)) {}
  /// Takes the next bytes. Gives `sink` everything that is decided.
  void add(std::string_view bytes, const text::Sink& sink);
  /// The text is complete.
  void finish(const text::Sink& sink);

 private:
  void work(bool is_over, const text::Sink& sink);

  const SourceMap& map_;
  std::string name_;
  std::string rest_;      ///< Bytes that are not decided.
  std::string before_;    ///< The last bytes of the line before `rest_`.
  bool is_done_ = false;  ///< The line has had its position.
};

}  // namespace strata::report
