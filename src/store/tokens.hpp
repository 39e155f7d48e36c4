// SPDX-License-Identifier: Apache-2.0
// Tokens: texts that show who asks, `strata_ID_SECRET`. The store has only a hash of the secret.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/database.hpp"
#include "store/records.hpp"
#include "strata/store.hpp"

namespace strata::store {

/// A token as somebody presents it. Parts of the text that was read.
struct PresentedToken {
  std::string_view id;
  std::string_view secret;  ///< 43 characters: 32 bytes as base64url.
};
/// No value: the text has another form.
[[nodiscard]] std::optional<PresentedToken> read_token(std::string_view text) noexcept;
/// SHA-256 of the secret part: 32 bytes. A secret of 256 random bits needs no slow hash.
[[nodiscard]] std::string token_hash(std::string_view secret);
/// Compares without telling by the time it takes where texts of equal size differ.
[[nodiscard]] bool same_secret(std::string_view left, std::string_view right) noexcept;

/// Checks the members of a token that is to be. Error `token.value`.
void check_new_token(const NewToken& wanted);
/// A new token: the row for it, and the token itself. Errors: `token.value`.
struct MadeToken {
  Token row;
  std::string token;
};
[[nodiscard]] MadeToken make_token(const NewToken& wanted);
/// Adds a token, and returns it: `strata_ID_SECRET`. Errors: `token.value`, `token.exists`.
[[nodiscard]] std::string add_new_token(Transaction& transaction, const NewToken& wanted);
/// The roles of a stored token.
[[nodiscard]] std::vector<std::string> roles_of(const Token& token);
[[nodiscard]] bool is_expired(const Token& token, std::int64_t time) noexcept;

}  // namespace strata::store
