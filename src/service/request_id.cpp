// SPDX-License-Identifier: Apache-2.0
#include "service/request_id.hpp"

#include <sys/random.h>

#include <array>
#include <chrono>
#include <random>

namespace strata::service {
namespace {

constexpr std::size_t kLongestId = 64;

bool is_id(std::string_view text) noexcept {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
  return !text.empty() && text.size() <= kLongestId && text.find_first_not_of(kPlain) == std::string_view::npos;
}

constexpr std::string_view kDigits = "0123456789abcdef";

/// Not secret numbers: unique is enough, and cheap.
std::uint64_t random_number() {
  thread_local std::mt19937_64 random = [] {
    std::array<std::uint32_t, 8> seed{};
    if (getrandom(seed.data(), sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) seed[0] = std::random_device{}();
    std::seed_seq sequence(seed.begin(), seed.end());
    return std::mt19937_64(sequence);
  }();
  return random();
}

std::string new_span() {
  std::uint64_t number = random_number();
  if (number == 0) number = 1;  // Zeros stand for none.
  std::string out;
  for (unsigned digit = 0; digit < 16; ++digit) out += kDigits[number >> (60U - 4U * digit) & 15U];
  return out;
}

/// Small hexadecimal digits that are not all zero.
bool is_number(std::string_view text) noexcept {
  return text.find_first_not_of(kDigits) == std::string_view::npos &&
         text.find_first_not_of('0') != std::string_view::npos;
}

}  // namespace

std::string new_request_id() {
  const auto now = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
          .count());
  const std::uint64_t high = now << 16U | 0x7000U | (random_number() & 0x0FFFU);
  const std::uint64_t low = std::uint64_t{1} << 63U | random_number() >> 2U;
  std::string out;
  for (const std::uint64_t half : {high, low}) {
    for (unsigned digit = 0; digit < 16; ++digit) {
      if (out.size() == 8 || out.size() == 13 || out.size() == 18 || out.size() == 23) out += '-';
      out += kDigits[half >> (60U - 4U * digit) & 15U];
    }
  }
  return out;
}

void take_request_id(Request& request) {
  for (const std::string_view name : {std::string_view("X-Request-Id"), std::string_view("X-Openstack-Request-Id")}) {
    if (const std::string* given = request.headers.find(name); given != nullptr && is_id(*given)) {
      request.id = *given;
      return;
    }
  }
}

void take_trace(Request& request) {
  constexpr std::size_t kWhole = 55;  // VERSION-ID-SPAN-FLAGS; later versions may say more behind it.
  constexpr std::size_t kLongestState = 512;
  const std::string* given = request.headers.find("traceparent");
  if (given == nullptr) return;
  const std::string_view text = *given;
  const bool is_long = text.size() > kWhole && text[kWhole] == '-' && !text.starts_with("00");
  if ((text.size() != kWhole && !is_long) || text[2] != '-' || text[35] != '-' || text[52] != '-' ||
      text.starts_with("ff"))
    return;
  const bool is_right = text.substr(0, 2).find_first_not_of(kDigits) == std::string_view::npos &&
                        is_number(text.substr(3, 32)) && is_number(text.substr(36, 16)) &&
                        text.substr(53, 2).find_first_not_of(kDigits) == std::string_view::npos;
  if (!is_right) return;
  request.trace = {
      .id = std::string(text.substr(3, 32)), .span = new_span(), .flags = std::string(text.substr(53, 2)), .state = {}};
  if (const std::string_view state = request.headers.get("tracestate"); state.size() <= kLongestState)
    request.trace.state = state;
}

void add_trace(std::vector<std::string>& headers, const Request& request) {
  if (request.trace.id.empty()) return;
  headers.push_back("traceparent: 00-" + request.trace.id + '-' + new_span() + '-' + request.trace.flags);
  if (!request.trace.state.empty()) headers.push_back("tracestate: " + request.trace.state);
}

}  // namespace strata::service
