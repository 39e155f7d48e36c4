#include "state_file.hpp"

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

[[noreturn]] void fail(const std::string& path, int code) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): one thread
  throw Error("output.state", fmt::format("the state cannot be written: {}", std::strerror(code))).in(path);
}

/// A new file beside another one; gone unless it was put in its place.
class Replacement {
 public:
  explicit Replacement(std::string target) : target_(std::move(target)), name_(target_ + ".XXXXXX"), descriptor_(mkostemp(name_.data(), O_CLOEXEC)) {
    if (descriptor_ < 0) fail(target_, errno);
  }
  ~Replacement() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!is_placed_) unlink(name_.c_str());
  }
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;

  void write(std::string_view text) {
    struct stat before {};
    if (stat(target_.c_str(), &before) == 0 && fchmod(descriptor_, before.st_mode & 07777U) != 0) fail(target_, errno);
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (fsync(descriptor_) != 0) fail(target_, errno);
  }

  void place() {
    if (std::rename(name_.c_str(), target_.c_str()) != 0) fail(target_, errno);
    is_placed_ = true;
  }

 private:
  std::string target_;
  std::string name_;
  int descriptor_;
  bool is_placed_ = false;
};

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw Error("output.state", fmt::format("the state cannot be written: {}", what)).in(path).hint("name a file, or - for standard output");
}

/// What a symbolic link leads to; the path itself where it is none. Only what a file can take the place of.
std::string resolved(const std::string& path) {
  struct stat there {};
  if (lstat(path.c_str(), &there) != 0) return path;
  char* real = realpath(path.c_str(), nullptr);
  if (real == nullptr) refuse(path, "it is a symbolic link that leads nowhere");
  std::string target(real);
  std::free(real);  // NOLINT(cppcoreguidelines-no-malloc): realpath's
  if (stat(target.c_str(), &there) == 0 && !S_ISREG(there.st_mode)) refuse(path, "it is there, and is not a regular file");
  return target;
}

}  // namespace

void write_state_file(const std::string& path, std::string_view text) {
  Replacement replacement(resolved(path));
  replacement.write(text);
  replacement.place();
}

}  // namespace strata::cli
