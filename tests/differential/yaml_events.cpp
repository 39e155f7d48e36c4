// SPDX-License-Identifier: Apache-2.0
// Reads the texts of files with YamlScanner and with libyaml, and compares the events; and with the scanner and without
// it under every profile, and compares values, places and errors. Of JSON files, each string is a text.
//   yaml_events [--least PERCENT] [--left] FILE|FOLDER…
// Prints each difference, and how many of the texts that libyaml reads the scanner takes. Exit status 1: there are
// differences, or fewer than PERCENT.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "text/compare_yaml_events.hpp"
#include "text/compare_yaml_readings.hpp"
#include "text/yaml/profile.hpp"

namespace {

namespace testing = strata::text::testing;

class Texts {
 public:
  void show_left() { shows_left_ = true; }

  void read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(file)), {});
    if (path.extension() == ".json") {
      const auto json = nlohmann::json::parse(text, nullptr, false);
      if (!json.is_discarded()) strings(path, json);
    }
    compare(path, text);
  }

  /// Whether all is well.
  [[nodiscard]] bool report(double least) const {
    const double share = valid_ == 0 ? 100.0 : 100.0 * static_cast<double>(taken_) / static_cast<double>(valid_);
    std::cout << texts_.size() << " texts, libyaml reads " << valid_ << ", the scanner takes " << taken_ << " of them ("
              << share << " %), " << differences_ << " differences\n";
    return differences_ == 0 && share >= least;
  }

 private:
  void strings(const std::filesystem::path& path, const nlohmann::json& json) {
    if (json.is_string()) return compare(path, json.get<std::string>());
    if (!json.is_structured()) return;
    for (const auto& [key, member] : json.items()) strings(path, member);
  }

  void compare(const std::filesystem::path& path, const std::string& text) {
    if (!texts_.insert(text).second) return;
    const auto result = testing::compare_events(text);
    valid_ += result.is_valid ? 1 : 0;
    taken_ += result.is_valid && result.is_taken ? 1 : 0;
    if (shows_left_ && result.is_valid && !result.is_taken) std::cout << path.string() << ": left:\n" << text << "\n";
    if (!result.difference.empty()) differs(path, result.difference, text);
    for (const std::string_view profile : testing::kProfiles) {
      const std::string difference = testing::difference_of_readings(text, *strata::text::find_profile(profile), {});
      if (!difference.empty()) differs(path, difference, text);
    }
  }

  void differs(const std::filesystem::path& path, const std::string& difference, const std::string& text) {
    ++differences_;
    std::cout << path.string() << ": " << difference << "\n" << text << "\n";
  }

  std::set<std::string> texts_;
  bool shows_left_ = false;
  std::size_t valid_ = 0;
  std::size_t taken_ = 0;
  std::size_t differences_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  Texts texts;
  double least = 0;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]) == "--least" && i + 1 < argc) {
      least = std::stod(argv[++i]);
    } else if (std::string(argv[i]) == "--left") {
      texts.show_left();
    } else if (std::filesystem::is_directory(argv[i])) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
        if (entry.is_regular_file()) texts.read(entry.path());
      }
    } else {
      texts.read(argv[i]);
    }
  }
  return texts.report(least) ? 0 : 1;
}
