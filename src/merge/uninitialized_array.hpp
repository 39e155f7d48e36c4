// SPDX-License-Identifier: Apache-2.0
// An array on the stack without initialization.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace strata::merge {

/// `Size` objects. A caller must write each before reading it. On the hottest paths, initializing them would cost a
/// twentieth of a merge.
template <class T, std::size_t Size>
class UninitializedArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  void put(std::size_t index, const T& value) noexcept { std::construct_at(data() + index, value); }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return data()[index]; }
  [[nodiscard]] std::span<T> first(std::size_t count) noexcept { return {data(), count}; }

 private:
  [[nodiscard]] T* data() noexcept { return reinterpret_cast<T*>(bytes_.data()); }
  alignas(T) std::array<std::byte,
                        Size * sizeof(T)> bytes_;  // NOLINT(cppcoreguidelines-pro-type-member-init): the purpose of it
};

}  // namespace strata::merge
