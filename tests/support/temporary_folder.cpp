// SPDX-License-Identifier: Apache-2.0
#include "support/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace strata::testing {

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "strata-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
  path_ = std::filesystem::canonical(name);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(std::string_view name, std::string_view bytes) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << bytes;
  stream.close();
  if (!stream) throw std::runtime_error("cannot write " + file.string());
}

void TemporaryFolder::link(std::string_view name, std::string_view target) const {
  const std::filesystem::path file = path_ / name;
  std::filesystem::create_directories(file.parent_path());
  std::filesystem::create_symlink(target, file);
}

void TemporaryFolder::run(const std::string& command) const {
  const std::string whole = "cd '" + path_.string() + "' && { " + command + "\n}";
  // NOLINTNEXTLINE(cert-env33-c,concurrency-mt-unsafe): tests run commands that they wrote themselves.
  if (std::system(whole.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

}  // namespace strata::testing
