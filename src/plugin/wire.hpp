// Messages between strata and the process of a plugin: a size, then values in a binary form. What comes from a plugin is hostile.
//
// Message: 4 bytes size (little endian), of the rest; then values up to its end. Value: a tag, then what the tag asks for. Numbers are little endian.
//
// strata -> plugin  call KIND NAME HAS_LAMBDA ENVIRONMENT BINDING ARGUMENTS…   runs what was registered
//                   answer VALUE | error MESSAGE                              to the last question
// plugin -> strata  hello VERSION REGISTRATIONS | refuse MESSAGE              once, at the beginning
//                   ask WHAT ARGUMENTS…                                       inject TYPE NAME, facts, warn MESSAGE, lambda ARGUMENTS…
//                   return VALUE | fail MESSAGE FILE LINE                     ends the last call
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
inline constexpr std::size_t kHead = 4;                           ///< Bytes of the size.
inline constexpr std::size_t kLongest = std::size_t{256} << 20U;  ///< Bytes of one message.
inline constexpr int kSocket = 3;                                 ///< The descriptor that a plugin's process talks over.

/// What can be registered, in the order of STRATA_PRODUCER, …
inline constexpr std::array<std::string_view, 6> kKinds{"producer", "provider", "combinator", "function", "type", "query_service"};

/// The parts of a message with its size. Dates, times and objects become their texts; sets, mappings to null. Recursion: as deep as the values.
/// Error `limit.input` where it would be longer than kLongest.
[[nodiscard]] std::string encode(std::span<const Value> parts);

/// The size that the first kHead bytes tell. Error `plugin.protocol` where it is more than kLongest.
[[nodiscard]] std::size_t size_of(std::string_view head);

/// The parts of a message without its size, made in `arena`. `marks_secret`: all of them are secrets. Absent parts are only at the top.
/// Errors: `plugin.protocol` for what is no message, with the reason; `limit.depth`, `limit.result`.
[[nodiscard]] std::vector<Value> decode(std::string_view bytes, Arena& arena, const Limits& limits, bool marks_secret = false);

/// Whether a secret is part of a value.
[[nodiscard]] bool has_secret(const Value& value) noexcept;

}  // namespace strata::plugin
