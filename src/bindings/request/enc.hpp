// What an external node classifier says of a node, and the documents of the scheme `enc:`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bindings/model.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::bindings {

struct EncClass {
  std::string name;  ///< Lower case, without a leading `::`.
  Value parameters;  ///< A mapping with texts as keys; absent where none were given.
  Origin origin;
};

/// Which parts of an ENC's result an URI means.
enum class EncPart : std::uint8_t { none = 0, classes = 1, parameters = 2, variables = 4, all = 7 };
[[nodiscard]] constexpr EncPart operator|(EncPart left, EncPart right) noexcept {
  return static_cast<EncPart>(static_cast<unsigned>(left) | static_cast<unsigned>(right));
}
/// What `left` has and `right` does not.
[[nodiscard]] constexpr EncPart operator-(EncPart left, EncPart right) noexcept {
  return static_cast<EncPart>(static_cast<unsigned>(left) & ~static_cast<unsigned>(right));
}
[[nodiscard]] constexpr bool has(EncPart parts, EncPart part) noexcept { return (static_cast<unsigned>(parts) & static_cast<unsigned>(part)) != 0; }

struct Enc {
  std::shared_ptr<Arena> arena;
  std::vector<EncClass> classes;
  std::vector<Entry> variables;  ///< Legal names only; `environment` is not among them.
  Value environment;             ///< A text; absent where it gives none.
  Origin origin;
};

/// Reads an ENC's result. An empty document says nothing. Errors: `enc.shape`, `enc.class`, and those of the reader; unknown keys and names that no
/// variable can have are warnings (`enc.key`, `enc.variable`).
[[nodiscard]] Enc read_enc(Sources& sources, SourceId source, const Limits& limits, Diagnostics& diagnostics);

/// The result as a document of the node category. Parameters and variables that are null are not bound: null is how an ENC says "not set".
[[nodiscard]] std::shared_ptr<const Document> enc_document(const Enc& enc, EncPart parts);

}  // namespace strata::bindings
