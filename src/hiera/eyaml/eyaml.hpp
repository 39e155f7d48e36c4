// SPDX-License-Identifier: Apache-2.0
// Encrypted values: texts with `ENC[..]` blocks. Rule: hiera-eyaml 3.3 and Puppet's eyaml_lookup_key, which give the
// same text.
#pragma once

#include <string>
#include <string_view>

#include "hiera/eyaml/blocks.hpp"
#include "hiera/eyaml/keys.hpp"
#include "strata/value.hpp"

namespace strata::hiera::eyaml {

/// A text after decryption.
struct Decrypted {
  std::string text;
  bool secret = false;  ///< A block was decrypted.
};

/// Replaces each block of a text by its content. Scheme names ignore case; the only scheme is PKCS7, which is also the
/// default. Then one line break at the end of the whole text is removed. Decrypted text is not decrypted again. A text
/// without a block (`holds_block`) stays unchanged, including its line break. `keys`: null if none are configured,
/// which is an error only for texts with a block. Errors, never with decrypted text: those of Keys::open;
/// `eyaml.no-keys`, `eyaml.scheme`, `eyaml.envelope` for an empty block, `eyaml.not-text` for a content that is not
/// UTF-8.
[[nodiscard]] Decrypted decrypt(std::string_view text, const Keys* keys);

/// Decrypts all texts in `value`, at any depth, as `decrypt` does. Decrypted values are marked as secret and keep their
/// origin. Keys of mappings are not decrypted. Values without blocks are shared with `value`, whose arena must then
/// outlive the result. Errors: those of `decrypt`, at the place of the text. Cost: one visit per node; equal texts are
/// decrypted once. Recursion: as deep as the value.
[[nodiscard]] Value decrypt_value(const Value& value, const Keys* keys, Arena& arena, const Sources& sources);

/// Replaces each block of the texts in `value` by the text `<encrypted>`, at any depth. The rest of a text is readable
/// in the file anyway. Values without blocks are shared with `value`. Recursion: as deep as the value.
[[nodiscard]] Value mask_value(const Value& value, Arena& arena);

}  // namespace strata::hiera::eyaml
