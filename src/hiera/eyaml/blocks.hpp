// SPDX-License-Identifier: Apache-2.0
// Finds encrypted blocks in a text. Rule: hiera-eyaml 3.3 and Puppet's eyaml_lookup_key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::hiera::eyaml {

/// An encrypted block `ENC[SCHEME,PAYLOAD]` or `ENC[PAYLOAD]`.
struct Block {
  std::size_t begin = 0, end = 0;  ///< In bytes, brackets included.
  std::string_view scheme;         ///< Empty: the default, PKCS7.
  std::string_view payload;        ///< Base64 with blanks and line feeds. Not empty.
};

/// The first block that begins at or after `from`. Cost: linear in the bytes skipped.
[[nodiscard]] std::optional<Block> find_block(std::string_view text, std::size_t from) noexcept;

/// Whether the reference decrypts a text at all: one line has `ENC[` and a later `]`. A block that spans lines does not
/// count, but is decrypted together with one that does.
[[nodiscard]] bool holds_block(std::string_view text) noexcept;

/// The bytes of a payload, as Ruby's lenient decoder reads it: padding may be missing or too early, and text after
/// early padding is ignored.
[[nodiscard]] std::string decode_payload(std::string_view payload);

}  // namespace strata::hiera::eyaml
