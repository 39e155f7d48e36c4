// A shared library that is loaded when it is first needed, so that runs that do not need it pay nothing for it.
#pragma once

#include <dlfcn.h>

#include <string>

#include "strata/error.hpp"

namespace strata {

/// Names a function of a library without linking to it, with the type that its header declares: `STRATA_SYMBOL(library, curl_easy_init)`.
#define STRATA_SYMBOL(library, function) (library).symbol<decltype(&(function))>(#function)

/// One loaded library; stays loaded as long as this object lives. Thread safety: as const members of the standard library.
class SharedLibrary {
 public:
  /// `file` is the name with its major version: `libcurl.so.4`. Errors: `code`, saying that `package` must be installed.
  SharedLibrary(const char* file, const char* code, const char* package) : handle_(dlopen(file, RTLD_NOW | RTLD_LOCAL)), file_(file), code_(code) {
    if (handle_ == nullptr) throw Error(code_, "cannot load the library " + file_).hint(std::string("install the package ") + package);
  }
  ~SharedLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;

  /// A function by name. `Function` is a function pointer. Errors: the code given above, where the library is too old to have it.
  template <typename Function>
  [[nodiscard]] Function symbol(const char* name) const {
    void* address = dlsym(handle_, name);
    if (address == nullptr) throw Error(code_, "the library " + file_ + " has no function " + name).hint("install a newer version of it");
    return reinterpret_cast<Function>(address);
  }

 private:
  void* handle_;
  std::string file_;
  std::string code_;
};

}  // namespace strata
