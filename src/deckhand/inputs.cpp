// The inputs of a command line to streams.
#include <algorithm>

#include "strata/deckhand.hpp"

namespace strata::deckhand {
namespace {

constexpr std::string_view kStdin = "-";

Stream read_file(const FileTree& tree, const std::string& path) {
  auto text = tree.read(path);
  if (!text) throw Error("deckhand.input", "there is no such file or folder").in(path);
  return {.name = path, .text = std::move(*text)};
}

}  // namespace

std::vector<Stream> gather(std::span<const std::string> inputs, const FileTree& tree, const std::optional<std::string>& standard_input) {
  std::vector<Stream> streams;
  for (const std::string& input : inputs) {
    if (input == kStdin) {
      streams.push_back({.name = "<stdin>", .text = standard_input.value_or("")});
    } else if (tree.kind(input) == FileKind::folder) {
      for (const std::string& name : tree.list(input)) {
        std::string path = input;
        if (!path.ends_with('/')) path += '/';
        path += name;
        if (name.ends_with(".yaml") && tree.kind(path) != FileKind::folder) streams.push_back(read_file(tree, path));
      }
    } else {
      streams.push_back(read_file(tree, input));
    }
  }
  return streams;
}

}  // namespace strata::deckhand
