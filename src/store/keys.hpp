// SPDX-License-Identifier: Apache-2.0
// The keys of the service, under which sealed values stand.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/secret_bytes.hpp"

namespace strata::store {

inline constexpr std::size_t kKeySize = 32;  ///< Bytes.

/// A key of 256 bits.
struct Key {
  SecretBytes bytes;
  std::string id;  ///< 8 bytes that tell which key it is, and nothing about it.
};

/// Makes a key of 32 bytes. Error `store.key` for another size.
[[nodiscard]] Key key_of(SecretBytes bytes);
/// A new random key.
[[nodiscard]] Key new_key();
/// A key as the text of a key file: base64 and a line break.
[[nodiscard]] SecretBytes key_text(const Key& key);
/// Reads what a key file holds: base64 or 64 hexadecimal digits, with blanks around. `name` is for errors. Error
/// `store.key`.
[[nodiscard]] Key parse_key(std::string_view text, const std::string& name);

/// Reads the key that `--key` names: `file:PATH` (or a path), `env:NAME`. A variable is removed from the environment,
/// so that programs that are started do not get it; call it while there is one thread. Errors: `service.key-readable`
/// for a file that others can read; `store.key`.
[[nodiscard]] Key read_key(const std::string& source);
/// Reads a key file; makes one with a new key, which only its owner can read, if there is none. Errors: as `read_key`;
/// `store.unavailable`.
[[nodiscard]] Key read_or_make_key(const std::string& path, bool& is_new);

/// The keys that a process has. New values are sealed under the current one. Immutable.
class Keyring {
 public:
  /// No key: nothing can be sealed or opened.
  Keyring() = default;
  /// The first is the current one.
  explicit Keyring(std::vector<Key> keys) noexcept : keys_(std::move(keys)) {}

  /// Error `store.no-key`.
  [[nodiscard]] const Key& current() const;
  /// Null if it is not here.
  [[nodiscard]] const Key* find(std::string_view id) const noexcept;
  [[nodiscard]] std::span<const Key> all() const noexcept { return keys_; }
  [[nodiscard]] bool empty() const noexcept { return keys_.empty(); }

 private:
  std::vector<Key> keys_;
};

}  // namespace strata::store
