// The inputs of a command line to streams.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "strata/deckhand.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kStdin = "-";

bool is_yaml(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

/// Reads the inputs one after the other.
class Gathering {
 public:
  explicit Gathering(const FileTree& tree) : tree_(tree) {}

  void read(const std::string& path) {
    auto text = tree_.read(path);
    if (!text) throw Error("deckhand.input", "there is no such file or folder").in(path);
    add(path, std::move(*text));
  }

  /// Its documents by name, those of a folder in it where the name of the folder stands.
  // Recursion: bounded by kDeepest.
  void read_folder(const std::string& folder, std::size_t depth) {
    constexpr std::size_t kDeepest = 32;  // Fewer than the links that a host follows in one path, so that a link that leads back ends here.
    constexpr std::size_t kMostFolders = 100'000;
    if (depth > kDeepest || ++folders_ > kMostFolders) {
      throw Error("deckhand.input", "there are too many folders in it").in(folder).hint("a link that leads back to a folder above it does that");
    }
    for (const std::string& name : tree_.list(folder)) {
      const std::string path = fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
      const FileKind kind = tree_.kind(path);
      if (kind == FileKind::folder) {
        if (!name.starts_with('.')) read_folder(path, depth + 1);
      } else if (is_yaml(name)) {
        if (kind == FileKind::other) throw Error("deckhand.input", "it is in a folder of documents, and no regular file").in(path);
        read(path);
      }
    }
  }

  void add(std::string name, std::string text) { streams_.push_back({.name = std::move(name), .text = std::move(text)}); }

  [[nodiscard]] std::vector<Stream> take() { return std::move(streams_); }

 private:
  const FileTree& tree_;
  std::vector<Stream> streams_;
  std::size_t folders_ = 0;
};

}  // namespace

std::vector<Stream> gather(std::span<const std::string> inputs, const FileTree& tree, const std::optional<std::string>& standard_input) {
  Gathering gathering(tree);
  for (const std::string& input : inputs) {
    if (input == kStdin) {
      gathering.add("<stdin>", standard_input.value_or(""));
    } else if (tree.kind(input) == FileKind::folder) {
      gathering.read_folder(input, 0);
    } else {
      gathering.read(input);
    }
  }
  return gathering.take();
}

}  // namespace strata::deckhand
