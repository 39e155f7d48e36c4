// SPDX-License-Identifier: Apache-2.0
#include "service/http/server.hpp"

#include <fmt/format.h>
#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "service/http/connection.hpp"
#include "service/http/tls.hpp"
#include "service/memory.hpp"
#include "service/operation/metrics.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"

namespace strata::service {
namespace {

constexpr std::string_view kUnix = "unix:";
constexpr std::string_view kInherited = "fd:";
constexpr int kBacklog = 1024;
constexpr std::size_t kMakers = 32;           ///< They wait more than they work.
constexpr std::size_t kRecognisers = 16;      ///< They wait more than they work.
constexpr std::size_t kRecognisersOfOne = 8;  ///< At once for one address.
constexpr std::size_t kStreamsOfOne = 8;      ///< Streams that are made at once for one principal.
constexpr std::chrono::seconds kSweepTime{1};
constexpr std::chrono::milliseconds kPause{100};  ///< Without room for a connection.

Error bad_listener(const std::string& text, std::string why) {
  return Error("service.listen", fmt::format("cannot listen at '{}': {}", text, why))
      .hint("--listen ADDRESS:PORT, or --listen unix:PATH");
}

std::string system_message(int code) { return std::generic_category().message(code); }

asio::ip::tcp::endpoint tcp_endpoint(const std::string& address) {
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) throw bad_listener(address, "the port is missing");
  std::string host = address.substr(0, colon);
  if (host.size() > 1 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  if (host == "localhost") host = "127.0.0.1";
  std::uint16_t port = 0;
  const char* const end = address.data() + address.size();
  const auto [stopped, wrong] = std::from_chars(address.data() + colon + 1, end, port);
  if (wrong != std::errc() || stopped != end) throw bad_listener(address, "the port must be a number from 0 to 65535");
  boost::system::error_code error;
  const auto ip = asio::ip::make_address(host, error);
  if (error) throw bad_listener(address, "the address must be one of IPv4 or IPv6");
  return {ip, port};
}

/// The permissions after `mode=`: three octal digits, perhaps after a 0.
unsigned socket_mode(const std::string& text, std::string_view digits) {
  constexpr unsigned kMost = 0777;
  unsigned out = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, wrong] = std::from_chars(digits.data(), end, out, 8);
  if (wrong != std::errc() || stopped != end || digits.size() < 3 || out > kMost) {
    throw bad_listener(text, fmt::format("'{}' is not a mode of three octal digits", digits))
        .hint("mode=0660 lets its group connect, mode=0666 everybody of this machine");
  }
  return out;
}

/// A name after `faces=`.
std::string face_name(const std::string& text, std::string_view name) {
  constexpr std::array<std::string_view, 6> kFaces{"deckhand", "explorer", "heat", "nodes", "operation", "strata"};
  if (std::ranges::find(kFaces, name) == kFaces.end()) {
    throw bad_listener(text, fmt::format("unknown face '{}'", name))
        .hint(name_hint(kFaces, name, "deckhand, explorer, heat, nodes, operation, strata"));
  }
  return std::string(name);
}

}  // namespace

Listener read_listener(const std::string& text) {
  Listener out;
  std::string_view rest = text;
  out.address = rest.substr(0, rest.find(','));
  while (rest.find(',') != std::string_view::npos) {
    rest.remove_prefix(rest.find(',') + 1);
    std::string_view word = rest.substr(0, rest.find(','));
    if (word == "tls") {
      out.tls = true;
    } else if (word.starts_with("faces=")) {
      word.remove_prefix(6);
      for (bool is_last = false; !is_last;) {
        const std::size_t plus = word.find('+');
        is_last = plus == std::string_view::npos;
        out.faces.push_back(face_name(text, word.substr(0, plus)));
        if (!is_last) word.remove_prefix(plus + 1);
      }
    } else if (word.starts_with("mode=")) {
      if (!out.address.starts_with(kUnix)) throw bad_listener(text, "only a socket at a path has a mode");
      out.mode = socket_mode(text, word.substr(5));
    } else {
      throw bad_listener(text, fmt::format("unknown option '{}'", word));
    }
  }
  if (!out.address.starts_with(kUnix) && !out.address.starts_with(kInherited)) (void)tcp_endpoint(out.address);
  return out;
}

namespace {

/// Of a socket that is none of TCP: the address that none has.
asio::ip::tcp::endpoint endpoint_of(const sockaddr_storage& address, socklen_t size) {
  asio::ip::tcp::endpoint out;
  if (size > out.capacity()) return out;
  std::memcpy(out.data(), &address, size);
  return out;
}

std::string endpoint_text(const asio::ip::tcp::endpoint& endpoint) {
  const std::string host =
      endpoint.address().is_v6() ? fmt::format("[{}]", endpoint.address().to_string()) : endpoint.address().to_string();
  return fmt::format("{}:{}", host, endpoint.port());
}

}  // namespace

bool is_local(const Listener& listener) {
  if (listener.address.starts_with(kUnix)) return true;
  if (listener.address.starts_with(kInherited)) {
    sockaddr_storage address{};
    socklen_t size = sizeof address;
    const int descriptor = std::atoi(listener.address.c_str() + kInherited.size());
    if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) != 0) return false;
    if (address.ss_family == AF_UNIX) return true;
    return endpoint_of(address, size).address().is_loopback();
  }
  return tcp_endpoint(listener.address).address().is_loopback();
}

bool Counts::take(const std::string& name, std::size_t most) {
  const std::scoped_lock lock(mutex_);
  std::size_t& count = counts_[name];
  if (count >= most) return false;
  ++count;
  return true;
}

void Counts::give_back(const std::string& name) {
  const std::scoped_lock lock(mutex_);
  const auto found = counts_.find(name);
  if (found != counts_.end() && --found->second == 0) counts_.erase(found);
}

double Rates::wait(const std::string& name, std::size_t rate, Clock::time_point now) {
  constexpr std::size_t kMost = 65'536;  ///< Names that are remembered.
  const auto most = static_cast<double>(rate);
  const std::scoped_lock lock(mutex_);
  if (buckets_.size() >= kMost && !buckets_.contains(name)) {
    // Who has done nothing for a second may do all again: there is nothing to remember.
    std::erase_if(buckets_, [now](const auto& one) { return now - one.second.at >= std::chrono::seconds(1); });
    if (buckets_.size() >= kMost) buckets_.clear();
  }
  Bucket& bucket = buckets_.try_emplace(name, Bucket{.left = most, .at = now}).first->second;
  bucket.left = std::min(most, bucket.left + std::chrono::duration<double>(now - bucket.at).count() * most);
  bucket.at = now;
  if (bucket.left < 1) return (1 - bucket.left) / most;
  bucket.left -= 1;
  return 0;
}

/// An open listener.
class Door {
 public:
  virtual ~Door() = default;
  virtual void open() = 0;
  /// May be called by any thread.
  virtual void close() = 0;
};

namespace {

/// Has the kernel ignore what arrives at a listening socket of TCP. Connections that are open do not see it. Clients
/// try again, as if the packets were lost. Where the kernel takes no filter, nothing changes.
void ignore_arrivals(int descriptor) {
  sock_filter ignore{.code = BPF_RET | BPF_K, .jt = 0, .jf = 0, .k = 0};
  const sock_fprog program{.len = 1, .filter = &ignore};
  setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

template <class Protocol>
class DoorOf final : public Door {
 public:
  using Acceptor = asio::basic_socket_acceptor<Protocol, LoopExecutor>;
  using Socket = asio::basic_stream_socket<Protocol, LoopExecutor>;

  DoorOf(Server::Shared& shared, Loop& loop, const Listener& listener, Acceptor acceptor)
      : shared_(shared),
        loop_(loop),
        listener_(listener),
        acceptor_(std::move(acceptor)),
        pause_(loop.context.get_executor()) {}

  void open() override { accept(); }
  void close() override {
    asio::post(loop_.context, [this] {
      // A connection that is accepted between the next two steps would be reset. Another process may go on with a
      // socket that this one inherited.
      const bool is_inherited = listener_.address.starts_with(kInherited);
      if (std::is_same_v<Protocol, asio::ip::tcp> && !is_inherited) ignore_arrivals(acceptor_.native_handle());
      take_waiting();
      boost::system::error_code ignored;
      acceptor_.close(ignored);
      pause_.cancel();
    });
  }

 private:
  void accept() {
    acceptor_.async_accept(loop_.context, [this](boost::system::error_code error, Socket socket) {
      if (!error && !if_memory_allows([&] { take(std::move(socket)); })) error = asio::error::no_memory;
      if (!acceptor_.is_open()) return;
      // No descriptors or no memory are left, the client is gone, or there are too many.
      const bool must_wait = error || shared_.open >= shared_.options.limits.connections;
      as_soon_as_memory_allows([&] { must_wait ? wait() : accept(); });
    });
  }

  /// Takes the connections that the kernel has accepted already: it would reset them.
  void take_waiting() {
    boost::system::error_code error;
    acceptor_.non_blocking(true, error);
    while (!error && shared_.open < shared_.options.limits.connections) {
      Socket socket(loop_.context.get_executor());
      acceptor_.accept(socket, error);
      if (!error) take(std::move(socket));
    }
  }

  /// New connections wait in the kernel until there is room.
  void wait() {
    shared_.metrics.count_rejected("connections");
    pause_.expires_after(kPause);
    pause_.async_wait([this](boost::system::error_code error) {
      if (error || !acceptor_.is_open()) return;
      as_soon_as_memory_allows([&] { shared_.open >= shared_.options.limits.connections ? wait() : accept(); });
    });
  }

  void take(Socket socket) {
    std::string address = "local";
    if constexpr (std::is_same_v<Protocol, asio::ip::tcp>) {
      boost::system::error_code error;
      const auto endpoint = socket.remote_endpoint(error);
      if (error) return;
      address = endpoint.address().to_string();
    }
    // Behind a proxy, and at a socket of this machine, stand many.
    const bool is_many = address == "local" || shared_.proxies.trusts(address);
    if (!shared_.by_address.take(address, is_many ? SIZE_MAX : shared_.options.limits.per_address)) {
      shared_.metrics.count_rejected("address");
      return;
    }
    serve_connection(shared_, loop_, listener_, std::move(socket), std::move(address));
  }

  Server::Shared& shared_;
  Loop& loop_;
  const Listener& listener_;
  Acceptor acceptor_;
  asio::basic_waitable_timer<Clock, asio::wait_traits<Clock>, LoopExecutor> pause_;
};

using TcpDoor = DoorOf<asio::ip::tcp>;
using LocalDoor = DoorOf<asio::local::stream_protocol>;

/// Descriptors for connections: as many as the process may have, but for those of the store, of files, and of a
/// reserve, so that one is always left to refuse a client with.
std::size_t descriptors_for_connections() {
  constexpr rlim_t kOthers = 128;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
  if (limit.rlim_cur < limit.rlim_max) {
    const rlim_t before = std::exchange(limit.rlim_cur, limit.rlim_max);
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  if (limit.rlim_cur == RLIM_INFINITY) return SIZE_MAX;
  return limit.rlim_cur > 2 * kOthers ? static_cast<std::size_t>(limit.rlim_cur - kOthers)
                                      : static_cast<std::size_t>(limit.rlim_cur / 2);
}

/// A socket that is bound to `endpoint`, alone or with others of this process.
TcpDoor::Acceptor bound(asio::io_context& context, const asio::ip::tcp::endpoint& endpoint, bool is_shared,
                        boost::system::error_code& error) {
  TcpDoor::Acceptor out(context.get_executor());
  out.open(endpoint.protocol(), error);
  if (error) return out;
  const int on = 1;
  setsockopt(out.native_handle(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (is_shared) setsockopt(out.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
  out.bind(endpoint, error);
  return out;
}

/// Sockets that listen at one address, one per loop: the kernel distributes connections among them. `endpoint` gets the
/// port that the system gave.
std::vector<TcpDoor::Acceptor> tcp_acceptors(const std::vector<std::unique_ptr<Loop>>& loops,
                                             asio::ip::tcp::endpoint& endpoint, const Listener& listener) {
  std::vector<TcpDoor::Acceptor> out;
  boost::system::error_code error;
  for (const auto& loop : loops) {
    // The first claims the address, and shares it only when it listens: another service would get a part of the clients
    // otherwise.
    auto acceptor = bound(loop->context, endpoint, !out.empty(), error);
    if (!error) acceptor.listen(kBacklog, error);
    if (error && !out.empty()) {  // Where the kernel lets none share what was claimed, all take from one queue.
      error.clear();
      const int own = ::dup(out.front().native_handle());
      if (own < 0) throw bad_listener(listener.address, system_message(errno));
      acceptor = TcpDoor::Acceptor(loop->context.get_executor(), endpoint.protocol(), own);
    }
    if (error == asio::error::address_in_use) throw bad_listener(listener.address, "another process listens there");
    if (error) throw bad_listener(listener.address, error.message());
    if (out.empty()) {
      const int on = 1;
      setsockopt(acceptor.native_handle(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
      endpoint.port(acceptor.local_endpoint().port());
    }
    out.push_back(std::move(acceptor));
  }
  return out;
}

sockaddr_un local_address(const std::string& path, const Listener& listener) {
  sockaddr_un out{};
  out.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof out.sun_path)
    throw bad_listener(listener.address, "the path is empty or too long");
  std::memcpy(out.sun_path, path.data(), path.size());
  return out;
}

/// A socket at a path, which replaces one without a listener.
int local_socket(const std::string& path, const Listener& listener) {
  const sockaddr_un address = local_address(path, listener);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  const int out = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (out < 0) throw bad_listener(listener.address, system_message(errno));
  struct stat there {};
  if (::lstat(path.c_str(), &there) == 0 && S_ISSOCK(there.st_mode)) {
    if (::connect(out, generic, sizeof address) == 0) {
      ::close(out);
      throw bad_listener(listener.address, "another process listens there");
    }
    ::unlink(path.c_str());
  }
  // Nobody can connect before it listens, so the mode is that of the first connection, too.
  if (::bind(out, generic, sizeof address) != 0 || (listener.mode && ::chmod(path.c_str(), *listener.mode) != 0) ||
      ::listen(out, kBacklog) != 0) {
    const int error = errno;
    ::close(out);
    throw bad_listener(listener.address, system_message(error));
  }
  return out;
}

/// Whether a process listens at a path. Error if none could.
bool is_listened_on(const std::string& path, const Listener& listener) {
  const sockaddr_un address = local_address(path, listener);
  struct stat there {};
  if (::lstat(path.c_str(), &there) != 0) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
      throw bad_listener(listener.address, system_message(errno));
    return false;
  }
  if (!S_ISSOCK(there.st_mode)) throw bad_listener(listener.address, system_message(EADDRINUSE));
  const int asking = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (asking < 0) throw bad_listener(listener.address, system_message(errno));
  const bool out = ::connect(asking, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(asking);
  return out;
}

}  // namespace

std::vector<std::string> look_at_listeners(const ServerOptions& options) {
  (void)TrustedProxies(options.trusted_proxies);
  if (std::ranges::any_of(options.listeners, &Listener::tls)) (void)TlsContext(options.tls);
  std::vector<std::string> out;
  asio::io_context context;
  for (const Listener& listener : options.listeners) {
    std::string_view place = listener.address;
    bool is_used = false;
    if (place.starts_with(kUnix)) {
      is_used = is_listened_on(listener.address.substr(kUnix.size()), listener);
    } else if (!place.starts_with(kInherited)) {
      boost::system::error_code error;
      (void)bound(context, tcp_endpoint(listener.address), false, error);
      is_used = error == asio::error::address_in_use;
      if (error && !is_used) throw bad_listener(listener.address, error.message());
    }
    out.push_back(fmt::format("{}{}", place, is_used ? ": another process listens there now" : ""));
  }
  return out;
}

std::string close_inherited(int descriptor) {
  std::string out = fmt::format("{}{}", kInherited, descriptor);
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size) == 0 && name.ss_family != AF_UNIX)
    out = endpoint_text(endpoint_of(name, size));
  if (name.ss_family == AF_UNIX) {
    const auto& local = reinterpret_cast<const sockaddr_un&>(name);
    out = fmt::format("{}{}", kUnix, std::string_view(local.sun_path, strnlen(local.sun_path, sizeof local.sun_path)));
  }
  ::close(descriptor);
  return out;
}

Server::Shared::Shared(Service& served, std::function<std::shared_ptr<const Identity>()> who, Metrics& counted,
                       Log& told, ServerOptions given)
    : service(served),
      identity(std::move(who)),
      metrics(counted),
      log(told),
      options(std::move(given)),
      proxies(options.trusted_proxies) {
  options.limits.connections = std::min(options.limits.connections, descriptors_for_connections());
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  workers = std::make_unique<Workers>(options.workers == 0 ? cores : options.workers, options.limits.queue);
  makers = std::make_unique<Workers>(kMakers, options.limits.streams, kStreamsOfOne);
  recognisers = std::make_unique<Workers>(kRecognisers, options.limits.queue, kRecognisersOfOne);
  for (std::size_t i = 0; i < (options.loops == 0 ? cores : options.loops); ++i)
    loops.push_back(std::make_unique<Loop>());
  if (std::ranges::any_of(options.listeners, &Listener::tls)) tls = std::make_shared<TlsContext>(options.tls);
  for (const Listener& listener : options.listeners) {
    if (listener.address.starts_with(kUnix) || listener.address.starts_with(kInherited)) {
      const bool is_inherited = listener.address.starts_with(kInherited);
      const int first = is_inherited ? std::atoi(listener.address.c_str() + kInherited.size())
                                     : local_socket(listener.address.substr(kUnix.size()), listener);
      sockaddr_storage name{};
      socklen_t size = sizeof name;
      if (getsockname(first, reinterpret_cast<sockaddr*>(&name), &size) != 0)
        throw bad_listener(listener.address, system_message(errno));
      for (const auto& loop : loops) {
        const int own = ::dup(first);
        if (name.ss_family == AF_UNIX) {
          doors_.push_back(std::make_unique<LocalDoor>(
              *this, *loop, listener,
              LocalDoor::Acceptor(loop->context.get_executor(), asio::local::stream_protocol(), own)));
        } else {
          const auto protocol = name.ss_family == AF_INET6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4();
          doors_.push_back(std::make_unique<TcpDoor>(*this, *loop, listener,
                                                     TcpDoor::Acceptor(loop->context.get_executor(), protocol, own)));
        }
      }
      ::close(first);
      addresses.push_back(is_inherited && name.ss_family != AF_UNIX ? endpoint_text(endpoint_of(name, size))
                                                                    : listener.address);
      continue;
    }
    asio::ip::tcp::endpoint endpoint = tcp_endpoint(listener.address);
    auto acceptors = tcp_acceptors(loops, endpoint, listener);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      doors_.push_back(std::make_unique<TcpDoor>(*this, *loops[i], listener, std::move(acceptors[i])));
    }
    addresses.push_back(endpoint_text(endpoint));
  }
}

void Server::Shared::start() {
  for (const auto& door : doors_) door->open();
  for (const auto& loop : loops) {
    sweep(*loop);
    loop->thread = std::thread([&context = loop->context] {
      while (!if_memory_allows([&context] { context.run(); })) {  // What found none is over; the rest goes on.
      }
    });
  }
}

void Server::Shared::sweep(Loop& loop) {
  loop.sweep.expires_after(kSweepTime);
  loop.sweep.async_wait([this, &loop](boost::system::error_code error) {
    if (error) return;
    const Clock::time_point now = Clock::now();
    loop.turned = now;
    if_memory_allows([&] {
      const std::vector<std::shared_ptr<Connection>> all(loop.connections.begin(), loop.connections.end());
      for (const auto& one : all) one->sweep(now);
    });
    as_soon_as_memory_allows([&] { sweep(loop); });
  });
}

void Server::Shared::drain() {
  is_draining = true;
  for (const auto& door : doors_) door->close();
  undrained = loops.size();
  for (const auto& loop : loops) {
    asio::post(loop->context, [this, &loop = *loop] {
      if_memory_allows([&loop] {
        const std::vector<std::shared_ptr<Connection>> all(loop.connections.begin(), loop.connections.end());
        for (const auto& one : all) one->drain();
      });
      --undrained;
    });
  }
}

bool Server::Shared::wait(std::chrono::milliseconds time) {
  constexpr std::chrono::milliseconds kLook{5};
  const Clock::time_point end = Clock::now() + time;
  // Connections that the kernel accepted for a loop count as open after the loop's next turn.
  while (undrained != 0 || open != 0) {
    if (Clock::now() >= end) return false;
    std::this_thread::sleep_for(kLook);
  }
  return true;
}

bool Server::Shared::is_turning() const noexcept {
  const Clock::time_point since = Clock::now() - std::chrono::seconds(5);
  return std::ranges::all_of(loops, [since](const auto& loop) { return loop->turned.load() > since; });
}

Server::Shared::~Shared() {
  for (const auto& door : doors_) door->close();
  for (const auto& loop : loops) {
    asio::post(loop->context, [&loop = *loop] {
      const std::vector<std::shared_ptr<Connection>> all(loop.connections.begin(), loop.connections.end());
      for (const auto& one : all) one->abort();
    });
  }
  makers.reset();
  recognisers.reset();
  workers.reset();  // Cancelled work ends soon; it answers to loops that still turn.
  for (const auto& loop : loops) asio::post(loop->context, [&context = loop->context] { context.stop(); });
  for (const auto& loop : loops) {
    if (loop->thread.joinable()) loop->thread.join();
  }
  doors_.clear();
  for (const auto& loop : loops) loop->connections.clear();
}

Server::Server(Service& service, std::function<std::shared_ptr<const Identity>()> identity, Metrics& metrics, Log& log,
               ServerOptions options)
    : shared_(std::make_unique<Shared>(service, std::move(identity), metrics, log, std::move(options))) {
  shared_->start();
}
Server::~Server() = default;
const std::vector<std::string>& Server::addresses() const noexcept { return shared_->addresses; }
void Server::reload() {
  if (shared_->tls.load()) shared_->tls = std::make_shared<TlsContext>(shared_->options.tls);
}
bool Server::is_turning() const noexcept { return shared_->is_turning(); }
void Server::drain() { shared_->drain(); }
bool Server::wait(std::chrono::milliseconds time) { return shared_->wait(time); }

}  // namespace strata::service
