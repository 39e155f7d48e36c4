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

  /// A function by name, with the type of its declaration: `symbol<decltype(&git_tree_free)>("git_tree_free")`. Null if it is missing.
  template <class Function>
  [[nodiscard]] Function symbol(const char* name) const noexcept {
    return reinterpret_cast<Function>(address(name));
  }

 private:
  explicit SharedLibrary(void* handle) noexcept : handle_(handle) {}
  [[nodiscard]] void* address(const char* name) const noexcept;

  void* handle_;
};

}  // namespace strata
