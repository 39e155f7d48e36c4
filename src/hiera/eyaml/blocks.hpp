// Where a text holds encrypted blocks. Rule: hiera-eyaml 3.3 and Puppet's eyaml_lookup_key.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace strata::hiera::eyaml {

/// An encrypted block `ENC[SCHEME,PAYLOAD]` or `ENC[PAYLOAD]`, as it stands in a text.
struct Block {
  std::size_t begin = 0, end = 0;  ///< In bytes, brackets included.
  std::string_view scheme;         ///< Empty: the default, PKCS7.
  std::string_view payload;        ///< Base64 with blanks and line feeds, not empty.
};

/// The first block that begins at `from` or later. Cost: linear in what is passed over.
[[nodiscard]] std::optional<Block> find_block(std::string_view text, std::size_t from) noexcept;

/// True where the reference decrypts a text at all: one line of it has `ENC[` and a later `]`. A block that is broken over lines does not count
/// by itself, but is decrypted with one that does.
[[nodiscard]] bool holds_block(std::string_view text) noexcept;

/// The bytes of a payload, as Ruby's lenient decoder reads it: padding may be missing or stand too early, then what follows it is left out.
[[nodiscard]] std::string decode_payload(std::string_view payload);

}  // namespace strata::hiera::eyaml
