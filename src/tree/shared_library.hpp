// SPDX-License-Identifier: Apache-2.0
// Libraries loaded on demand: linking a large one costs milliseconds at each start.
#pragma once

#include <initializer_list>
#include <memory>

namespace strata {

/// A shared library. The destructor closes it.
class SharedLibrary {
 public:
  /// Opens the first of `names` (sonames) that exists. Null if none does.
  [[nodiscard]] static std::unique_ptr<SharedLibrary> open(std::initializer_list<const char*> names);

  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  /// A function by name, with the type of its declaration: `symbol<decltype(&git_tree_free)>("git_tree_free")`. Null if
  /// it is missing.
  template <class Function>
  [[nodiscard]] Function symbol(const char* name) const noexcept {
    return reinterpret_cast<Function>(address(name));
  }

 private:
  explicit SharedLibrary(void* handle) noexcept : handle_(handle) {}
  [[nodiscard]] void* address(const char* name) const noexcept;

  void* handle_;
};

/// The functions of a library, by name, as members of a derived class. The library is never closed: such objects live
/// as long as the process.
class LibraryFunctions {
 public:
  LibraryFunctions(const LibraryFunctions&) = delete;
  LibraryFunctions& operator=(const LibraryFunctions&) = delete;

 protected:
  explicit LibraryFunctions(std::initializer_list<const char*> names) : library_(SharedLibrary::open(names)) {}
  ~LibraryFunctions() = default;

  /// Null if the function, or the library, is missing.
  template <class Function>
  [[nodiscard]] Function find(const char* name) {
    const auto function = library_ != nullptr ? library_->symbol<Function>(name) : nullptr;
    if (function == nullptr) is_complete_ = false;
    return function;
  }
  /// Whether everything was found.
  [[nodiscard]] bool is_complete() const noexcept { return is_complete_; }

 private:
  std::unique_ptr<SharedLibrary> library_;
  bool is_complete_ = true;
};

}  // namespace strata
