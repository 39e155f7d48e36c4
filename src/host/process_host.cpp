#include "process_host.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "curl_fetcher.hpp"
#include "curl_http.hpp"
#include "plugin_process.hpp"
#include "process_programs.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"

namespace strata {
namespace {

class ProcessHost final : public Host {
 public:
  ProcessHost(const Limits& limits, bool allow_network) : limits_(limits), fetcher_(allow_network ? curl_fetcher(limits) : nullptr) {}

  std::string read(const std::string& name) override {
    if (name == "-") return read_stdin();
    auto bytes = host_tree({}, limits_.input)->read(name);
    if (!bytes) throw Error("host.missing", "there is no such file").in(name);
    return std::move(*bytes);
  }

  Fetcher* network() override { return fetcher_.get(); }
  HttpClient* http() override { return http_.get(); }
  PluginStarter* plugins() override { return plugins_.get(); }
  Programs* programs() override { return programs_.get(); }

 private:
  std::string read_stdin() {
    if (stdin_read_) throw Error("host.stdin-twice", "standard input can be read only once").in("<stdin>").hint("give '-' once");
    stdin_read_ = true;
    std::string bytes;
    constexpr std::size_t kBlock = std::size_t{1} << 16U;
    for (std::size_t got = kBlock; got == kBlock;) {
      const std::size_t size = bytes.size();
      bytes.resize(size + kBlock);
      got = std::fread(bytes.data() + size, 1, kBlock, stdin);
      bytes.resize(size + got);
      if (bytes.size() > limits_.input) {
        throw Error("limit.input", fmt::format("there are more than {} bytes", limits_.input))
            .in("<stdin>")
            .hint("raise the limit with --limit input=BYTES");
      }
    }
    if (std::ferror(stdin) != 0) throw Error("tree.unreadable", "standard input cannot be read").in("<stdin>");
    return bytes;
  }

  const Limits& limits_;
  std::unique_ptr<Fetcher> fetcher_;
  std::unique_ptr<HttpClient> http_ = curl_http();
  std::unique_ptr<PluginStarter> plugins_ = plugin_starter();
  std::unique_ptr<Programs> programs_ = process_programs();
  bool stdin_read_ = false;
};

}  // namespace

std::unique_ptr<Host> process_host(const Limits& limits, bool allow_network) { return std::make_unique<ProcessHost>(limits, allow_network); }

}  // namespace strata
