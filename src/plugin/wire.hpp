// SPDX-License-Identifier: Apache-2.0
// Messages between strata and the process of a plugin: a size, then values in a binary form. Input from a plugin is
// untrusted.
//
// Message: 4 bytes size (little endian), of the rest; then values up to its end. Value: a tag, then what the tag asks
// for. Numbers are little endian.
//
// strata -> plugin  call KIND NAME HAS_LAMBDA ENVIRONMENT BINDING ARGUMENTS…   runs what was registered
//                   answer VALUE | error MESSAGE                              to the last question
// plugin -> strata  hello VERSION REGISTRATIONS | refuse MESSAGE              once, at the beginning
//                   ask WHAT ARGUMENTS…                                       inject TYPE NAME, facts, warn MESSAGE,
//                   lambda ARGUMENTS… return VALUE | fail MESSAGE FILE LINE                     ends the last call
// While a question is open, strata may send another call, which is answered first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strata/limits.hpp"
#include "strata/value.hpp"

namespace strata::plugin {

inline constexpr std::int64_t kVersion = 1;
inline constexpr std::size_t kHead = 4;                           ///< The size field in bytes.
inline constexpr std::size_t kLongest = std::size_t{256} << 20U;  ///< The maximal size of a message in bytes.
inline constexpr int kSocket = 3;                                 ///< The descriptor of the socket in a plugin process.

/// The kinds of extensions, in the order of STRATA_PRODUCER, …
inline constexpr std::array<std::string_view, 6> kKinds{"producer", "provider", "combinator",
                                                        "function", "type",     "query_service"};

/// Encodes the parts of a message with its size. Dates, times and objects become their texts, sets become mappings to
/// null. Recursion: as deep as the values. Error `limit.input` if the message would exceed kLongest.
[[nodiscard]] std::string encode(std::span<const Value> parts);

/// The size in the first kHead bytes. Error `plugin.protocol` if it exceeds kLongest.
[[nodiscard]] std::size_t size_of(std::string_view head);

/// Decodes the parts of a message without its size, in `arena`. `marks_secret`: all parts are secret. Absent parts only
/// occur at the top. Errors: `plugin.protocol` for an invalid message, with the reason; `limit.depth`, `limit.result`.
[[nodiscard]] std::vector<Value> decode(std::string_view bytes, Arena& arena, const Limits& limits,
                                        bool marks_secret = false);

/// Whether a secret is part of a value.
[[nodiscard]] bool has_secret(const Value& value) noexcept;

}  // namespace strata::plugin
