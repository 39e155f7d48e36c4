// SPDX-License-Identifier: Apache-2.0
#include "strata/process_host.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "curl_fetcher.hpp"
#include "curl_http.hpp"
#include "plugin_process.hpp"
#include "process_programs.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "strata/paths.hpp"
#include "strata/stop.hpp"
#include "strata/stop_scope.hpp"

namespace strata {
namespace {

/// A file of the host, or standard input, in pieces.
class WholeFileReader {
 public:
  explicit WholeFileReader(const std::string& path) : file_(path == "-" ? stdin : open_file(path), close), path_(path) {
    if (file_) return;
    if (errno == ENOENT) throw Error("host.missing", "there is no such file").in(path);
    throw unreadable();
  }

  std::string operator()() {
    constexpr std::size_t kPiece = std::size_t{1} << 16U;
    std::string out(kPiece, '\0');
    out.resize(std::fread(out.data(), 1, out.size(), file_.get()));
    if (std::ferror(file_.get()) != 0) throw unreadable();
    return out;
  }

 private:
  /// Null with errno where it fails. A pipe is given some seconds for its first writer.
  static std::FILE* open_file(const std::string& path) {
    constexpr int kPipePatience = 10'000;
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return nullptr;
    struct stat status {};
    pollfd waiting{.fd = descriptor, .events = POLLIN, .revents = 0};
    if (fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode) && ::poll(&waiting, 1, kPipePatience) == 0) {
      ::close(descriptor);
      throw Error("tree.unreadable", "the file cannot be read: nothing writes to this pipe").in(path);
    }
    const int flags = fcntl(descriptor, F_GETFL);
    if (flags >= 0) (void)fcntl(descriptor, F_SETFL, flags & ~O_NONBLOCK);
    std::FILE* file = fdopen(descriptor, "rb");
    if (file == nullptr) ::close(descriptor);
    return file;
  }
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

class ProcessHost final : public Host {
 public:
  ProcessHost(const Limits& limits, ProcessHostOptions options)
      : limits_(limits),
        standard_input_(std::move(options.standard_input)),
        bounds_(std::move(options.bounds)),
        files_(bounded_tree(bounds_, {}, limits_.input)),
        fetcher_(options.allow_network ? curl_fetcher(limits) : nullptr),
        plugins_(options.plugin_host.empty()
                     ? nullptr
                     : plugin_starter({.program = std::move(options.plugin_host), .memory = options.plugin_memory})) {}

  std::optional<std::string> find(const std::string& name) override {
    const StopScope work(limits_.stop);
    std::optional<std::string> bytes = name == "-" ? read_stdin() : files_->read(name);
    if (bytes) bytes_read_ += bytes->size();
    return bytes;
  }
  ReadMore open(const std::string& name) override {
    if (name == "-" && standard_input_) return standard_input_;
    if (name != "-" && bounds_ != nullptr && files_->kind(name) == FileKind::other && !is_named(name))
      throw Error("tree.unreadable", "the file cannot be read: it is not a regular file").in(name);
    return WholeFileReader(name);
  }
  const FileTree* files() override { return files_.get(); }
  [[nodiscard]] std::size_t bytes_read() const noexcept override { return bytes_read_; }

  Fetcher* network() override { return fetcher_.get(); }
  HttpClient* http() override { return http_.get(); }
  PluginStarter* plugins() override { return plugins_.get(); }
  Programs* programs() override { return programs_.get(); }

 private:
  [[nodiscard]] bool is_named(const std::string& name) const {
    std::error_code ignored;
    return bounds_->names(absolute_path(std::filesystem::current_path(ignored).string(), name));
  }

  std::string read_stdin() {
    if (stdin_read_)
      throw Error("host.stdin-twice", "standard input can be read only once").in("<stdin>").hint("give '-' once");
    stdin_read_ = true;
    std::string bytes;
    if (standard_input_) {
      for (std::string piece = standard_input_(); !piece.empty(); piece = standard_input_())
        check_size(bytes.append(piece).size());
      return bytes;
    }
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    while (true) {
      wait_for_stdin();
      const std::size_t size = bytes.size();
      bytes.resize(size + kBlock);
      const ssize_t got = ::read(STDIN_FILENO, bytes.data() + size, kBlock);
      bytes.resize(size + (got > 0 ? static_cast<std::size_t>(got) : 0));
      check_size(bytes.size());
      if (got == 0) return bytes;
      if (got < 0 && errno == EAGAIN) {
        pollfd waiting{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        (void)::poll(&waiting, 1, static_cast<int>(Stop::kSlice.count()));
      } else if (got < 0 && errno != EINTR) {
        throw Error("tree.unreadable", "standard input cannot be read").in("<stdin>");
      }
    }
  }

  void check_size(std::size_t bytes) const {
    if (bytes <= limits_.input) return;
    throw Error("limit.input", fmt::format("there are more than {} bytes", limits_.input))
        .in("<stdin>")
        .hint("raise the limit with --limit input=BYTES");
  }

  /// Until there is something to be read, where the wait may have to end before.
  void wait_for_stdin() const {
    if (limits_.stop == nullptr) return;
    pollfd waiting{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
    do {
      limits_.stop->check();
    } while (::poll(&waiting, 1, static_cast<int>(Stop::kSlice.count())) == 0);
  }

  const Limits& limits_;
  ReadMore standard_input_;
  std::shared_ptr<const FileBounds> bounds_;
  std::unique_ptr<FileTree> files_;
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<HttpClient> http_ = curl_http();
  std::unique_ptr<PluginStarter> plugins_;
  std::unique_ptr<Programs> programs_ = process_programs();
  bool stdin_read_ = false;
  std::atomic<std::size_t> bytes_read_ = 0;
};

}  // namespace

std::unique_ptr<Host> process_host(const Limits& limits, ProcessHostOptions options) {
  return std::make_unique<ProcessHost>(limits, std::move(options));
}

}  // namespace strata
