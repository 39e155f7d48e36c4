// SPDX-License-Identifier: Apache-2.0
// The inputs of a command line to streams.
#include <array>
#include <string>
#include <utility>

#include "strata/deckhand.hpp"
#include "strata/found_file.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kStdin = "-";

/// Reads the inputs one after the other.
class Gathering {
 public:
  explicit Gathering(const FileTree& tree) : tree_(tree) {}

  void read(const std::string& path) {
    auto text = tree_.read(path);
    if (!text) throw Error("deckhand.input", "there is no such file or folder").in(path);
    add(path, std::move(*text));
  }

  void add(std::string name, std::string text) {
    streams_.push_back({.name = std::move(name), .text = std::move(text)});
  }

  [[nodiscard]] std::vector<Stream> take() { return std::move(streams_); }

 private:
  const FileTree& tree_;
  std::vector<Stream> streams_;
};

}  // namespace

std::vector<Stream> gather(std::span<const std::string> inputs, const FileTree& tree,
                           const std::optional<std::string>& standard_input) {
  static constexpr std::array<std::string_view, 2> kEndings{".yaml", ".yml"};
  static constexpr std::string_view kProjects = "/.strata.yaml";
  Gathering gathering(tree);
  for (const std::string& input : inputs) {
    if (input == kStdin) {
      gathering.add("<stdin>", standard_input.value_or(""));
    } else if (tree.kind(input) == FileKind::folder) {
      for (const std::string& file :
           files_in(tree, input, {.endings = kEndings, .below = true, .code = "deckhand.input"})) {
        // What strata is asked about the folder is no document of it.
        if (!file.ends_with(kProjects)) gathering.read(file);
      }
    } else {
      gathering.read(input);
    }
  }
  return gathering.take();
}

}  // namespace strata::deckhand
