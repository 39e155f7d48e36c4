// SPDX-License-Identifier: Apache-2.0
#include "files.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "guarded.hpp"
#include "strata/error.hpp"
#include "strata/links.hpp"
#include "strata/paths.hpp"

namespace strata::c {
namespace {

class CallerTree final : public FileTree {
 public:
  explicit CallerTree(const strata_files& files) : files_(files) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    const std::string name = absolute_path("/", path);
    strata_text text{nullptr, 0};
    if (files_.read(files_.self, text_of(name), &text) != 0) return std::nullopt;
    const Released released{files_, text};
    if (text.size > kMostBytes) throw Error("limit.input", "the file is too large").in(name);
    return std::string(view(text));
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    const std::string name = absolute_path("/", path);
    switch (files_.kind(files_.self, text_of(name))) {
      case 1:
        return FileKind::file;
      case 2:
        return FileKind::folder;
      default:
        return FileKind::none;
    }
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    struct Listing {
      std::vector<std::string> names = {};
      std::exception_ptr error = {};
    } listing;
    const auto add = [](void* into, strata_text name) {
      auto& out = *static_cast<Listing*>(into);
      // No exception may pass the caller's function.
      try {
        const std::string_view word = view(name);
        if (!word.empty() && word != "." && word != ".." && word.find('/') == std::string_view::npos)
          out.names.emplace_back(word);
      } catch (...) {
        out.error = std::current_exception();
      }
    };
    const std::string name = absolute_path("/", path);
    files_.list(files_.self, text_of(name), add, &listing);
    if (listing.error) std::rethrow_exception(listing.error);
    std::ranges::sort(listing.names);
    listing.names.erase(std::unique(listing.names.begin(), listing.names.end()), listing.names.end());
    return std::move(listing.names);
  }

 private:
  static constexpr std::size_t kMostBytes = std::size_t{1} << 30U;

  /// Gives a text back when it was copied.
  struct Released {
    const strata_files& files;
    strata_text text;
    Released(const strata_files& of, strata_text given) : files(of), text(given) {}
    ~Released() {
      if (files.release_text != nullptr) files.release_text(files.self, text);
    }
    Released(const Released&) = delete;
    Released& operator=(const Released&) = delete;
  };

  strata_files files_;
};

class AnchoredTree final : public FileTree, public detail::LinkedTree {
 public:
  AnchoredTree(std::shared_ptr<const FileTree> tree, std::string folder)
      : tree_(std::move(tree)), folder_(std::move(folder)) {}

  [[nodiscard]] std::optional<std::string> read(std::string_view path) const override {
    return tree_->read(absolute_path(folder_, path));
  }
  [[nodiscard]] FileKind kind(std::string_view path) const override {
    return tree_->kind(absolute_path(folder_, path));
  }
  [[nodiscard]] std::vector<std::string> list(std::string_view path) const override {
    return tree_->list(absolute_path(folder_, path));
  }
  [[nodiscard]] std::optional<std::string> link(const std::string& path) const override {
    return detail::link_in(*tree_, path);
  }

 private:
  std::shared_ptr<const FileTree> tree_;
  std::string folder_;
};

class FilesHost final : public Host {
 public:
  explicit FilesHost(std::shared_ptr<const FileTree> files) noexcept : files_(std::move(files)) {}
  [[nodiscard]] std::optional<std::string> find(const std::string& name) override { return files_->read(name); }
  [[nodiscard]] const FileTree* files() override { return files_.get(); }
  [[nodiscard]] Fetcher* network() override { return nullptr; }

 private:
  std::shared_ptr<const FileTree> files_;
};

class AnchoredHost final : public Host {
 public:
  AnchoredHost(std::unique_ptr<Host> host, std::string folder, std::size_t max_bytes)
      : host_(std::move(host)), folder_(std::move(folder)), files_(host_tree(folder_, max_bytes)) {}

  [[nodiscard]] std::optional<std::string> find(const std::string& name) override { return host_->find(path_of(name)); }
  [[nodiscard]] ReadMore open(const std::string& name) override { return host_->open(path_of(name)); }
  [[nodiscard]] const FileTree* files() override { return files_.get(); }
  [[nodiscard]] std::size_t bytes_read() const noexcept override { return host_->bytes_read(); }
  [[nodiscard]] Fetcher* network() override { return host_->network(); }
  [[nodiscard]] HttpClient* http() override { return host_->http(); }
  [[nodiscard]] PluginStarter* plugins() override { return host_->plugins(); }
  [[nodiscard]] Programs* programs() override { return host_->programs(); }
  [[nodiscard]] bool leaves_out(const Refusal& refusal) override { return host_->leaves_out(refusal); }
  [[nodiscard]] std::string way_to_allow(Refusal::Kind kind) const override { return host_->way_to_allow(kind); }

 private:
  [[nodiscard]] std::string path_of(const std::string& name) const {
    if (name == "-") misuse("call.options", "'-' is standard input, which belongs to the program", "name a file");
    return absolute_path(folder_, name);
  }

  std::unique_ptr<Host> host_;
  std::string folder_;
  std::unique_ptr<FileTree> files_;
};

}  // namespace

std::shared_ptr<const FileTree> caller_tree(const strata_files& files) {
  if (files.size < sizeof(strata_files))
    misuse("call.files", "'size' of the files is too small", "set it to sizeof(strata_files)");
  if (files.read == nullptr || files.kind == nullptr || files.list == nullptr) {
    misuse("call.files", "the files need the functions read, kind and list");
  }
  return std::make_shared<CallerTree>(files);
}

std::shared_ptr<const FileTree> anchored_tree(std::shared_ptr<const FileTree> tree, std::string folder) {
  return std::make_shared<AnchoredTree>(std::move(tree), std::move(folder));
}

std::unique_ptr<Host> anchored_host(std::unique_ptr<Host> host, std::string folder, std::size_t max_bytes) {
  return std::make_unique<AnchoredHost>(std::move(host), std::move(folder), max_bytes);
}

std::unique_ptr<Host> files_host(std::shared_ptr<const FileTree> files) {
  return std::make_unique<FilesHost>(std::move(files));
}

}  // namespace strata::c
