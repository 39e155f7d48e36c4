// SPDX-License-Identifier: Apache-2.0
// The output of an external node classifier, and the documents of the scheme `enc:`.
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
  Value parameters;  ///< A mapping with text keys. Absent if there are none.
  Origin origin;
};

/// The parts of an ENC's output that a URI selects.
enum class EncPart : std::uint8_t { none = 0, classes = 1, parameters = 2, variables = 4, all = 7 };
[[nodiscard]] constexpr EncPart operator|(EncPart left, EncPart right) noexcept {
  return static_cast<EncPart>(static_cast<unsigned>(left) | static_cast<unsigned>(right));
}
/// The parts in `left` that are not in `right`.
[[nodiscard]] constexpr EncPart operator-(EncPart left, EncPart right) noexcept {
  return static_cast<EncPart>(static_cast<unsigned>(left) & ~static_cast<unsigned>(right));
}
[[nodiscard]] constexpr bool has(EncPart parts, EncPart part) noexcept {
  return (static_cast<unsigned>(parts) & static_cast<unsigned>(part)) != 0;
}

struct Enc {
  std::shared_ptr<Arena> arena;
  std::vector<EncClass> classes;
  std::vector<Entry> variables;  ///< Only valid names, without `environment`.
  Value environment;             ///< A text. Absent if there is none.
  Origin origin;
};

/// Parses an ENC's output. An empty document is valid. Errors: `enc.shape`, `enc.class`, and those of the reader.
/// Unknown keys and invalid variable names are warnings (`enc.key`, `enc.variable`).
[[nodiscard]] Enc read_enc(Sources& sources, SourceId source, const Limits& limits, Diagnostics& diagnostics);

/// The output as a document of the node category. Null parameters and variables are not bound: null means "not set" in
/// an ENC.
[[nodiscard]] std::shared_ptr<const Document> enc_document(const Enc& enc, EncPart parts);

}  // namespace strata::bindings
