// SPDX-License-Identifier: Apache-2.0
#include "strata/file_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string_view>
#include <system_error>

#include "strata/error.hpp"
#include "strata/file_tree.hpp"

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
int create_unique(std::string& name, mode_t mode) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr int kAttempts = 100;
  std::random_device random;
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    for (std::size_t i = name.size() - 6; i < name.size(); ++i) name[i] = kLetters[letter(random)];
    const int descriptor = open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

/// A new file that replaces another one is private until it has the permissions of that file.
mode_t first_mode(const std::string& target, const ReplacementUse& use) {
  struct stat before {};
  constexpr mode_t kPrivate = 0600;
  constexpr mode_t kPublic = 0666;
  return use.is_private || stat(target.c_str(), &before) == 0 ? kPrivate : kPublic;
}

/// Writes the entry of a renamed file to the disk. Errors are ignored: the file is in place, and some file systems
/// cannot do this.
void sync_folder_of(const std::string& file) {
  const std::string folder = std::filesystem::path(file).parent_path().string();
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

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

}  // namespace

FileReplacement::FileReplacement(const std::string& path, const ReplacementUse& use)
    : target_(resolved(path, use)),
      use_(use),
      name_(target_ + ".XXXXXX"),
      descriptor_(create_unique(name_, first_mode(target_, use))) {
  if (descriptor_ < 0) fail_writing(target_, use_, errno);
}

FileReplacement::~FileReplacement() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!is_placed_) unlink(name_.c_str());
}

void FileReplacement::write(std::string_view text) {
  add(text);
  complete();
}

void FileReplacement::add(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail_writing(target_, use_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void FileReplacement::complete() {
  struct stat before {};
  if (stat(target_.c_str(), &before) == 0 && fchmod(descriptor_, before.st_mode & 07777U) != 0)
    fail_writing(target_, use_, errno);
  if (fsync(descriptor_) != 0) fail_writing(target_, use_, errno);
}

void FileReplacement::place() {
  if (std::rename(name_.c_str(), target_.c_str()) != 0) fail_writing(target_, use_, errno);
  is_placed_ = true;
  sync_folder_of(target_);
}

namespace {

constexpr ReplacementUse kEditedFile{.code = "output.edit", .name = "the edited file", .is_private = false};

void check_unchanged(const std::vector<FileUpdate>& updates) {
  const auto tree = host_tree();
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

  void make_for(const std::string& file) {
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

void write_files(const std::vector<FileUpdate>& updates) {
  check_unchanged(updates);
  NewFolders folders;
  std::vector<std::unique_ptr<FileReplacement>> files;
  for (const FileUpdate& update : updates) {
    folders.make_for(update.path);
    files.push_back(std::make_unique<FileReplacement>(update.path, kEditedFile));
    files.back()->write(update.after);
  }
  // Writing takes its time.
  check_unchanged(updates);
  for (const auto& file : files) {
    file->place();
    folders.keep();
  }
}

}  // namespace strata
