// SPDX-License-Identifier: Apache-2.0
#include "strata/file_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>
#include <system_error>
#include <utility>

#include "strata/error.hpp"
#include "strata/file_bounds.hpp"
#include "strata/file_tree.hpp"
#include "strata/links.hpp"
#include "tree/descriptor.hpp"

namespace strata {
namespace {

using ReplacementUse = FileReplacement::Use;

[[noreturn]] void fail_writing(const std::string& path, const ReplacementUse& use, int code) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  throw Error(std::string(use.code), fmt::format("{} cannot be written: {}", use.name, std::strerror(code))).in(path);
}

/// Creates `name`, whose last six characters are replaced so that it is new, and returns its descriptor; negative with
/// errno on failure. The kernel applies the umask to `mode`. Reading the umask would mean setting it, and other threads
/// would create files with the wrong permissions meanwhile.
int create_unique(int folder, std::string& name, mode_t mode) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int kAttempts = 100;
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (std::size_t i = name.size() - 6; i < name.size(); ++i) name[i] = kLetters[letter(random)];
    const int descriptor = openat(folder, name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// A new file that replaces another one is private until it has the permissions of that file.
mode_t first_mode(int folder, const std::string& name, const ReplacementUse& use) {
  struct stat before {};
  constexpr mode_t kPrivate = 0600;
  constexpr mode_t kPublic = 0666;
  return use.is_private || fstatat(folder, name.c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0 ? kPrivate : kPublic;
}

/// Writes the entry of a renamed file to the disk. Errors are ignored: the file is in place, and some file systems
/// cannot do this.
void sync_folder(int folder) {
  const int descriptor = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

/// The folder of a path, and its name there.
std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}
std::string name_of(const std::string& path) { return std::filesystem::path(path).filename().string(); }

/// While it exists, writing beyond the limit on the size of files is an error, not the end of the process.
class WithoutSizeSignal {
 public:
  WithoutSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
  }
  WithoutSizeSignal(const WithoutSizeSignal&) = delete;
  WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;
  ~WithoutSizeSignal() {
    const timespec now{};
    // The kernel sends it to the thread that writes.
    if (!was_pending_) {
      while (sigtimedwait(&signal_, nullptr, &now) < 0 && errno == EINTR) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t signal_{};
  sigset_t before_{};
  bool was_pending_ = false;
};

[[noreturn]] void refuse_replacement(const std::string& path, const ReplacementUse& use, std::string_view what) {
  throw Error(std::string(use.code), fmt::format("{} cannot be written: {}", use.name, what))
      .in(path)
      .hint("name a file, or - for standard output");
}

/// What a symbolic link leads to; the path itself where it is none. Only what a file can take the place of.
std::string resolved(const std::string& path, const ReplacementUse& use) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) return path;
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) refuse_replacement(path, use, "it is a symbolic link to a file that does not exist");
  std::string target(real);
  std::free(real);  // NOLINT(cppcoreguidelines-no-malloc): realpath's
  if (stat(target.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    refuse_replacement(path, use, "it is there, and is not a regular file");
  return target;
}

/// Where a path leads, which must be below one of the folders and in no `.git`. It need not be there.
std::string resolved_within(const std::string& path, const ReplacementUse& use, const FileBounds& within) {
  const std::string target = detail::real_path(*host_tree(), path);
  std::string lower = target + '/';
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (!within.contains(target) || lower.find("/.git/") != std::string::npos) {
    throw Error("tree.outside",
                fmt::format("{} cannot be written: it is not below a folder that may be written to, or is "
                            "one of git's own files",
                            use.name))
        .in(path);
  }
  struct stat there {};
  if (lstat(target.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    refuse_replacement(path, use, "it is there, and is not a regular file");
  return target;
}

/// The folder of a file without links. Negative with errno on failure.
int open_folder(const std::string& target, bool is_within) {
  const std::string folder = folder_of(target);
  if (is_within) return detail::open_without_links(folder, O_PATH | O_DIRECTORY).release();
  return open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

FileReplacement::FileReplacement(const std::string& path, const ReplacementUse& use, const FileBounds* within)
    : target_(within == nullptr ? resolved(path, use) : resolved_within(path, use, *within)),
      use_(use),
      name_(name_of(target_) + ".XXXXXX"),
      folder_(open_folder(target_, within != nullptr)),
      descriptor_(folder_ < 0 ? -1 : create_unique(folder_, name_, first_mode(folder_, name_of(target_), use_))) {
  if (descriptor_ >= 0) return;
  const int error = errno;
  if (folder_ >= 0) close(folder_);
  fail_writing(target_, use_, error);
}

FileReplacement::~FileReplacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!is_placed_) unlinkat(folder_, name_.c_str(), 0);
  close(folder_);
}

void FileReplacement::write(std::string_view text) {
  add(text);
  complete();
}

void FileReplacement::add(std::string_view text) {
  const WithoutSizeSignal guard;
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_writing(target_, use_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void FileReplacement::complete() {
  struct stat before {};
  if (fstatat(folder_, name_of(target_).c_str(), &before, AT_SYMLINK_NOFOLLOW) == 0 &&
      fchmod(descriptor_, before.st_mode & 07777U) != 0)
    fail_writing(target_, use_, errno);
  if (fsync(descriptor_) != 0) fail_writing(target_, use_, errno);
  close(descriptor_);
  descriptor_ = -1;
}

void FileReplacement::place() {
  if (renameat(folder_, name_.c_str(), folder_, name_of(target_).c_str()) != 0) fail_writing(target_, use_, errno);
  is_placed_ = true;
  sync_folder(folder_);
}

namespace {

constexpr ReplacementUse kEditedFile{.code = "output.edit", .name = "the edited file", .is_private = false};

void check_unchanged(const std::vector<FileUpdate>& updates, const std::shared_ptr<const FileBounds>& within) {
  const auto tree = bounded_tree(within);
  for (const FileUpdate& update : updates) {
    if (tree->read(update.path) == update.before) continue;
    throw Error("edit.changed", "the file changed since it was read: nothing is written")
        .in(update.path)
        .hint("run the command again");
  }
}

/// Folders that were made, gone unless they are kept.
class NewFolders {
 public:
  NewFolders() = default;
  NewFolders(const NewFolders&) = delete;
  NewFolders& operator=(const NewFolders&) = delete;
  ~NewFolders() {
    std::error_code ignored;
    for (; !made_.empty(); made_.pop_back()) std::filesystem::remove(made_.back(), ignored);
  }

  void make_for(const std::string& path, const FileBounds* within) {
    const std::string file = within == nullptr ? path : resolved_within(path, kEditedFile, *within);
    std::vector<std::filesystem::path> missing;
    std::error_code error;
    for (auto folder = std::filesystem::path(file).parent_path();
         !folder.empty() && !std::filesystem::exists(folder, error); folder = folder.parent_path()) {
      missing.push_back(folder);
    }
    for (; !missing.empty(); missing.pop_back()) {
      if (!std::filesystem::create_directory(missing.back(), error) && error)
        fail_writing(file, kEditedFile, error.value());
      made_.push_back(missing.back());
    }
  }
  void keep() { made_.clear(); }

 private:
  std::vector<std::filesystem::path> made_;
};

}  // namespace

void write_files(const std::vector<FileUpdate>& updates, const std::shared_ptr<const FileBounds>& within) {
  check_unchanged(updates, within);
  NewFolders folders;
  std::vector<std::unique_ptr<FileReplacement>> files;
  for (const FileUpdate& update : updates) {
    folders.make_for(update.path, within.get());
    files.push_back(std::make_unique<FileReplacement>(update.path, kEditedFile, within.get()));
    files.back()->write(update.after);
  }
  // Writing takes its time.
  check_unchanged(updates, within);
  for (const auto& file : files) {
    file->place();
    folders.keep();
  }
}

}  // namespace strata
