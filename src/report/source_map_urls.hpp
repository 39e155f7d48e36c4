// SPDX-License-Identifier: Apache-2.0
// How the files of a source map look in it: as URLs, relative to the folder of the map.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace strata::report {

/// Appends the path of a URL: what must be encoded is percent-encoded.
void append_encoded(std::string& out, std::string_view path);

/// The folder of a map.
class MapFolder {
 public:
  /// `working`: where relative names of files begin. `map_file`: empty if the map goes to no file.
  MapFolder(const std::string& working, const std::string& map_file);

  /// Appends the name of a file as the path of a URL. What is a URL already stays as it is.
  void append(std::string& out, const std::string& file);

 private:
  [[nodiscard]] std::string relative(const std::string& file);
  [[nodiscard]] std::filesystem::path whole(const std::string& path) const {
    return (working_ / path).lexically_normal();
  }
  [[nodiscard]] std::string found(const std::string& file) const;

  std::filesystem::path working_;
  std::filesystem::path from_;
  std::string last_;        ///< A folder, to its last slash.
  std::string last_found_;  ///< How it looks.
};

}  // namespace strata::report
