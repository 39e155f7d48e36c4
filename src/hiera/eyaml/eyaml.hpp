// Encrypted values: texts with `ENC[..]` blocks in them. Rule: hiera-eyaml 3.3 and Puppet's eyaml_lookup_key, whose answer is the same text.
#pragma once

#include <string>
#include <string_view>

#include "hiera/eyaml/blocks.hpp"
#include "hiera/eyaml/keys.hpp"
#include "strata/value.hpp"

namespace strata::hiera::eyaml {

/// What a text is once its blocks are opened.
struct Decrypted {
  std::string text;
  bool secret = false;  ///< A block was opened.
};

/// The text with each block replaced by its content. Scheme names count without case; the only scheme is PKCS7, which is meant where there is none.
/// Then one line end at the end of the whole is cut. What was opened is not read again; a text for which `holds_block` is false stays as it is, with
/// its line end. `keys`: null where none are configured, which matters only to texts with a block.
/// Errors, which never hold what was opened: those of Keys::open; `eyaml.no-keys`, `eyaml.scheme`, `eyaml.envelope` for an empty block,
/// `eyaml.not-text` for a content that is not UTF-8.
[[nodiscard]] Decrypted decrypt(std::string_view text, const Keys* keys);

/// `value` with each text in it, at any depth, decrypted as by `decrypt`; what was opened is marked secret and keeps its origin. Keys of mappings are
/// left alone. What holds no block is shared with `value`, whose arena must outlive the result then.
/// Errors: those of `decrypt`, at the place of the text. Cost: one visit a node; equal texts are opened once. Recursion: as deep as the value.
[[nodiscard]] Value decrypt_value(const Value& value, const Keys* keys, Arena& arena, const Sources& sources);

/// `value` with the text `<encrypted>` in place of each block of the texts in it, at any depth. The rest of a text stands in the file for everybody.
/// What holds no block is shared with `value`. Recursion: as deep as the value.
[[nodiscard]] Value mask_value(const Value& value, Arena& arena);

}  // namespace strata::hiera::eyaml
