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

}  // namespace

std::string new_request_id() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  // Not a secret: unique is enough, and cheap.
  thread_local std::mt19937_64 random = [] {
    std::array<std::uint32_t, 8> seed{};
    if (getrandom(seed.data(), sizeof seed, 0) != static_cast<ssize_t>(sizeof seed)) seed[0] = std::random_device{}();
    std::seed_seq sequence(seed.begin(), seed.end());
    return std::mt19937_64(sequence);
  }();
  const auto now =
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch()).count());
  const std::uint64_t high = now << 16U | 0x7000U | (random() & 0x0FFFU);
  const std::uint64_t low = std::uint64_t{1} << 63U | random() >> 2U;
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

}  // namespace strata::service
