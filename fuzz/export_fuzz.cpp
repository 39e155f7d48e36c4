// SPDX-License-Identifier: Apache-2.0
// A whole store as one file: arbitrary bytes, and arbitrary rows in a file that is right otherwise. What is refused
// leaves the store empty; what is imported is exported again as it was.
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not in <cstdlib>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "store/store.hpp"
#include "store/transfer.hpp"
#include "strata/error.hpp"
#include "tree/sha256.hpp"

namespace {

using namespace strata;

/// An empty store in a folder of its own.
class EmptyStore {
 public:
  EmptyStore() {
    std::string name = (std::filesystem::temp_directory_path() / "strata-fuzz-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
    store_ = std::make_unique<store::Store>(store::StoreOptions{.address = "sqlite:" + name + "/store.db"});
  }
  ~EmptyStore() {
    store_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  EmptyStore(const EmptyStore&) = delete;
  EmptyStore& operator=(const EmptyStore&) = delete;
  [[nodiscard]] store::Store& operator*() const { return *store_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<store::Store> store_;
};

/// A frame of zstd whose blocks are not compressed.
std::string frame_of(std::string_view text) {
  constexpr std::size_t kBlock = std::size_t{1} << 16U;
  std::string out("\x28\xB5\x2F\xFD\x00\x58", 6);
  do {
    const std::string_view block = text.substr(0, kBlock);
    text.remove_prefix(block.size());
    const std::uint32_t head = static_cast<std::uint32_t>(block.size() << 3U) | (text.empty() ? 1U : 0U);
    for (unsigned i = 0; i < 3; ++i) out += static_cast<char>(head >> (8U * i) & 255U);
    out += block;
  } while (!text.empty());
  return out;
}

/// Whether a file was imported.
bool imports(store::Store& into, std::string_view file) {
  try {
    store::import_store(into, [&file](char* buffer, std::size_t size) {
      const std::size_t count = std::min(size, file.size());
      file.copy(buffer, count);
      file.remove_prefix(count);
      return count;
    });
  } catch (const Error& error) {
    if (error.code() == "service.internal" || error.diagnostic().message.empty()) std::abort();
    return false;
  }
  return true;
}

std::string export_of(store::Store& of) {
  std::string out;
  store::export_store(of, nullptr, [&out](std::string_view bytes) { out += bytes; });
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto empty = std::make_unique<EmptyStore>();
  static const std::string nothing = export_of(**empty);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  std::string lines = "{\"format\":\"strata-store/1\",\"version\":1}\n" + std::string(bytes);
  if (!lines.ends_with('\n')) lines += '\n';
  const std::string whole = frame_of(lines + "{\"sha256\":\"" + sha256_text(lines) + "\"}\n");
  for (const std::string_view file : {bytes, std::string_view(whole)}) {
    if (!imports(**empty, file)) {
      if (export_of(**empty) != nothing) std::abort();
      continue;
    }
    // What a store holds, another one takes.
    const std::string exported = export_of(**empty);
    const EmptyStore second;
    if (!imports(*second, exported) || export_of(*second) != exported) std::abort();
    empty = std::make_unique<EmptyStore>();
  }
  return 0;
}
