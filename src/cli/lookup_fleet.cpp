#include "lookup_fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "strata/file_tree.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16U;

/// A file of the host, or standard input, in pieces.
class FileReader {
 public:
  explicit FileReader(const std::string& path) : file_(path == "-" ? stdin : std::fopen(path.c_str(), "rbe"), close), path_(path) {
    if (file_) return;
    if (errno == ENOENT) throw Error("host.missing", "there is no such file").in(path);
    throw unreadable();
  }

  std::string operator()() {
    std::string out(kPiece, '\0');
    out.resize(std::fread(out.data(), 1, out.size(), file_.get()));
    if (std::ferror(file_.get()) != 0) throw unreadable();
    return out;
  }

 private:
  static void close(std::FILE* file) {
    if (file != nullptr && file != stdin) std::fclose(file);
  }
  [[nodiscard]] Error unreadable() const {
    const char* reason = std::strerror(errno);  // NOLINT(concurrency-mt-unsafe): one thread
    return Error("tree.unreadable", fmt::format("the file cannot be read: {}", reason)).in(path_);
  }

  std::shared_ptr<std::FILE> file_;
  std::string path_;
};

/// The nodes of a folder of the host, with the tree that they are read from.
class HostFolder final : public hiera::NodeSource {
 public:
  HostFolder(const std::string& path, const Limits& limits) : tree_(host_tree({}, limits.input)), nodes_(hiera::node_folder(*tree_, path, limits)) {}
  std::optional<hiera::FleetNode> next() override { return nodes_->next(); }
  [[nodiscard]] std::optional<std::size_t> size() const override { return nodes_->size(); }

 private:
  std::unique_ptr<FileTree> tree_;
  std::unique_ptr<hiera::NodeSource> nodes_;
};

}  // namespace

std::unique_ptr<hiera::NodeSource> open_nodes(const std::string& path, Sources& sources, const Limits& limits) {
  if (path != "-" && host_tree()->kind(path) == FileKind::folder) return std::make_unique<HostFolder>(path, limits);
  return hiera::node_list(FileReader(path), path == "-" ? "<stdin>" : path, sources, limits);
}

void FleetWriter::add(hiera::FleetResult&& result) {
  for (const Diagnostic& warning : result.warnings) {
    // What many nodes share is told once.
    constexpr std::size_t kMostTold = 100'000;
    if (told_.size() < kMostTold && !told_.insert(std::hash<std::string>()(format(warning, ""))).second) continue;
    const std::string_view level = remark_level(warning);
    warned_ = warned_ || level.empty();
    stream_.tell(warning, !level.empty() ? level : strict_ ? "error" : "warning");
  }
  if (result.failure) {
    failed_ = true;
    stream_.tell(*result.failure, "error");
    return;
  }
  if (style_.is_streamed) {
    if (!strict_ || !warned_) write(result.text);
    return;
  }
  if (!names_.insert(result.node).second) {
    throw Error("fleet.duplicate-node", fmt::format("the node '{}' is in the list twice", result.node))
        .hint("--output jsonl writes a line for each of them");
  }
  kept_.emplace_back(std::move(result.node), std::move(result.text));
}

bool FleetWriter::finish() {
  const bool succeeded = !failed_ && !(strict_ && warned_);
  if (!style_.is_streamed && !(strict_ && warned_)) {
    if (style_.sort_nodes) std::ranges::sort(kept_);
    if (kept_.empty()) write(style_.empty);
    for (std::size_t i = 0; i < kept_.size(); ++i) {
      write(i == 0 ? style_.head : style_.separator);
      write(kept_[i].second);
      kept_[i].second = std::string();
    }
    if (!kept_.empty()) write(style_.tail);
  }
  if (!piece_.empty()) stream_.print(piece_);
  piece_.clear();
  return succeeded;
}

void FleetWriter::write(std::string_view text) {
  piece_ += text;
  if (piece_.size() < kPiece) return;
  stream_.print(piece_);
  piece_.clear();
}

}  // namespace strata::cli
