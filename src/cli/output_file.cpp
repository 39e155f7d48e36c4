#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "strata/error.hpp"

namespace strata::cli {
namespace {

[[noreturn]] void fail(const std::string& path, const FileUse& use, int code) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  throw Error(std::string(use.code), fmt::format("{} cannot be written: {}", use.name, std::strerror(code))).in(path);
}

/// The permissions of a new file that everybody may read.
mode_t public_mode() {
  const mode_t mask = umask(077);
  umask(mask);
  return 0666U & ~mask;
}

/// A new file beside another one; gone unless it was put in its place.
class Replacement {
 public:
  Replacement(std::string target, const FileUse& use)
      : target_(std::move(target)), use_(use), name_(target_ + ".XXXXXX"), descriptor_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail(target_, use_, errno);
  }
  ~Replacement() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!is_placed_) unlink(name_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view text) {
    struct stat before {};
    const bool is_there = stat(target_.c_str(), &before) == 0;
    const mode_t mode = is_there ? before.st_mode & 07777U : public_mode();
    if ((is_there || !use_.is_private) && fchmod(descriptor_, mode) != 0) fail(target_, use_, errno);
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, use_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fsync(descriptor_) != 0) fail(target_, use_, errno);
  }

  void place() {
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, use_, errno);
    is_placed_ = true;
  }

 private:
  std::string target_;
  const FileUse& use_;
  std::string name_;
  int descriptor_;
  bool is_placed_ = false;
};

[[noreturn]] void refuse(const std::string& path, const FileUse& use, std::string_view what) {
  throw Error(std::string(use.code), fmt::format("{} cannot be written: {}", use.name, what)).in(path).hint("name a file, or - for standard output");
}

/// What a symbolic link leads to; the path itself where it is none. Only what a file can take the place of.
std::string resolved(const std::string& path, const FileUse& use) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) return path;
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) refuse(path, use, "it is a symbolic link that leads nowhere");
  std::string target(real);
  std::free(real);  // NOLINT(cppcoreguidelines-no-malloc): realpath's
  if (stat(target.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) refuse(path, use, "it is there, and is not a regular file");
  return target;
}

}  // namespace

void write_whole_file(const std::string& path, std::string_view text, const FileUse& use) {
  Replacement replacement(resolved(path, use), use);
  replacement.write(text);
  replacement.place();
}

}  // namespace strata::cli
