// SPDX-License-Identifier: Apache-2.0
#include "transfer.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <utility>

#include "child.hpp"
#include "curl_library.hpp"
#include "strata/stop.hpp"

namespace strata {
namespace {

/// What libcurl has received so far.
struct Received {
  std::string& bytes;
  std::size_t limit;
  bool is_too_large = false;

  /// For CURLOPT_WRITEFUNCTION; `target` is a Received. Bytes that it does not take end the transfer.
  static std::size_t write(char* data, std::size_t size, std::size_t count, void* target) noexcept {
    auto& received = *static_cast<Received*>(target);
    if (size * count > received.limit - received.bytes.size()) {
      received.is_too_large = true;
      return 0;
    }
    try {
      received.bytes.append(data, size * count);
    } catch (const std::bad_alloc&) {
      return 0;
    }
    return size * count;
  }
};

/// Collects headers. Those of an answer that another one follows, after a redirect, are dropped.
struct ReceivedHeaders {
  std::vector<std::pair<std::string, std::string>>& fields;
  std::size_t bytes = 0;

  /// For CURLOPT_HEADERFUNCTION, which gets a line at a time; `target` is a ReceivedHeaders.
  static std::size_t write(char* data, std::size_t size, std::size_t count, void* target) noexcept {
    constexpr std::size_t kMost = std::size_t{64} << 10U;
    constexpr std::string_view kBlanks = " \t\r\n";
    auto& received = *static_cast<ReceivedHeaders*>(target);
    const std::string_view line(data, size * count);
    try {
      if (line.starts_with("HTTP/")) {
        received.fields.clear();
        received.bytes = 0;
      } else if (const std::size_t colon = line.find(':');
                 colon != std::string_view::npos && received.bytes + line.size() <= kMost) {
        std::string_view value = line.substr(colon + 1);
        value.remove_prefix(std::min(value.find_first_not_of(kBlanks), value.size()));
        value = value.substr(0, value.find_last_not_of(kBlanks) + 1);
        received.fields.emplace_back(line.substr(0, colon), value);
        received.bytes += line.size();
      }
    } catch (const std::bad_alloc&) {
      return 0;
    }
    return line.size();
  }
};

/// For CURLOPT_OPENSOCKETFUNCTION: programs that are started meanwhile do not inherit it.
curl_socket_t open_socket(void* /*unused*/, curlsocktype /*purpose*/, curl_sockaddr* address) noexcept {
  return ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// A transfer at a time, with the connections that the last ones left open.
class Line {
 public:
  explicit Line(const Curl& curl)
      : easy_(curl.easy_init(), curl.easy_cleanup), multi_(curl.multi_init(), curl.multi_cleanup), curl_(curl) {
    constexpr long kConnections = 2;
    if (multi_) curl_.multi_setopt(multi_.get(), CURLMOPT_MAXCONNECTS, kConnections);
  }
  [[nodiscard]] bool is_usable() const noexcept { return easy_ != nullptr && multi_ != nullptr; }

  /// None where the library knows less than is needed. Errors: as Stop::check, after which the line is not to be used
  /// again.
  std::optional<Transfer> run(const TransferRequest& request) {
    Transfer result;
    Received received{.bytes = result.body, .limit = request.max_bytes};
    ReceivedHeaders received_headers{.fields = result.headers};
    std::array<char, CURL_ERROR_SIZE> problem{};
    const std::unique_ptr<curl_slist, decltype(curl_.slist_free_all)> headers(list_of(request.headers),
                                                                              curl_.slist_free_all);
    curl_.easy_reset(easy_.get());
    bool is_set = true;
    const auto set = [&](CURLoption option, auto value) {
      is_set = curl_.easy_setopt(easy_.get(), option, value) == CURLE_OK && is_set;
    };
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    if (request.body) {
      set(CURLOPT_POST, 1L);
      set(CURLOPT_POSTFIELDS, request.body->data());
      set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.body->size()));
    }
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_FOLLOWLOCATION, request.redirects > 0 ? 1L : 0L);
    set(CURLOPT_MAXREDIRS, request.redirects);
    set(CURLOPT_FAILONERROR, request.fails_on_status ? 1L : 0L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_timeout.count()));
    set(CURLOPT_TIMEOUT_MS, static_cast<long>(request.timeout.count()));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_USERAGENT, "strata");
    if (!request.ca.empty()) set(CURLOPT_CAINFO, request.ca.c_str());
    if (!request.certificate.empty()) set(CURLOPT_SSLCERT, request.certificate.c_str());
    if (!request.key.empty()) set(CURLOPT_SSLKEY, request.key.c_str());
    set(CURLOPT_ERRORBUFFER, problem.data());
    set(CURLOPT_OPENSOCKETFUNCTION, &open_socket);
    set(CURLOPT_WRITEFUNCTION, &Received::write);
    set(CURLOPT_WRITEDATA, static_cast<void*>(&received));
    set(CURLOPT_HEADERFUNCTION, &ReceivedHeaders::write);
    set(CURLOPT_HEADERDATA, static_cast<void*>(&received_headers));
    if (!is_set) return std::nullopt;
    // A name that is being looked up is not waited for when the time is over. Before 7.87 it is.
    (void)curl_.easy_setopt(easy_.get(), CURLOPT_QUICK_EXIT, 1L);
    const CURLcode status = perform(request.stop);
    result.is_too_large = received.is_too_large;
    if (status != CURLE_OK) result.problem = problem[0] != '\0' ? problem.data() : curl_.easy_strerror(status);
    curl_.easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &result.status);
    curl_.easy_reset(easy_.get());
    return result;
  }

 private:
  [[nodiscard]] curl_slist* list_of(const std::vector<std::string>& lines) const {
    curl_slist* list = nullptr;
    for (const std::string& line : lines) list = curl_.slist_append(list, line.c_str());
    return list;
  }

  CURLcode perform(const Stop* stop) {
    constexpr int kSecond = 1000;
    struct Added {
      const Line& line;
      ~Added() { line.curl_.multi_remove_handle(line.multi_.get(), line.easy_.get()); }
    };
    const NoPipeSignal no_signal;
    if (curl_.multi_add_handle(multi_.get(), easy_.get()) != CURLM_OK) return CURLE_FAILED_INIT;
    const Added added{*this};
    for (int running = 1; running > 0;) {
      if (stop != nullptr) stop->check();
      if (curl_.multi_perform(multi_.get(), &running) != CURLM_OK) return CURLE_FAILED_INIT;
      const int slice = stop == nullptr ? kSecond : static_cast<int>(Stop::kSlice.count());
      if (running > 0 && curl_.multi_poll(multi_.get(), nullptr, 0, slice, nullptr) != CURLM_OK)
        return CURLE_FAILED_INIT;
    }
    int left = 0;
    const CURLMsg* message = curl_.multi_info_read(multi_.get(), &left);
    return message != nullptr && message->msg == CURLMSG_DONE ? message->data.result : CURLE_FAILED_INIT;
  }

  std::unique_ptr<CURL, decltype(Curl::easy_cleanup)> easy_;
  std::unique_ptr<CURLM, decltype(Curl::multi_cleanup)> multi_;
  const Curl& curl_;
};

/// The lines that are not in use. Thread-safe.
class IdleLines {
 public:
  /// The one that was used for the same server last, or a new one.
  std::unique_ptr<Line> take(const std::string& server, const Curl& curl) {
    const std::lock_guard lock(mutex_);
    for (auto idle = idle_.rbegin(); idle != idle_.rend(); ++idle) {
      if (idle->first != server) continue;
      std::unique_ptr<Line> line = std::move(idle->second);
      idle_.erase(std::next(idle).base());
      return line;
    }
    return std::make_unique<Line>(curl);
  }
  /// Keeps a line; the one that was idle for longest goes where there are many.
  void keep(std::string server, std::unique_ptr<Line> line) {
    constexpr std::size_t kMost = 16;
    std::unique_ptr<Line> oldest;  // Closes its connections after the lock is gone.
    const std::lock_guard lock(mutex_);
    idle_.emplace_back(std::move(server), std::move(line));
    if (idle_.size() <= kMost) return;
    oldest = std::move(idle_.front().second);
    idle_.pop_front();
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<std::string, std::unique_ptr<Line>>> idle_;
};

/// What two requests must share to share a connection.
std::string server_of(const TransferRequest& request) {
  const std::size_t scheme = request.url.find("://");
  const std::size_t end = request.url.find_first_of("/?#", scheme == std::string::npos ? 0 : scheme + 3);
  std::string server = request.url.substr(0, end);
  for (const std::string* file : {&request.ca, &request.certificate, &request.key})
    server.append(1, '\0').append(*file);
  return server;
}

}  // namespace

std::string_view Transfer::header(std::string_view name) const noexcept {
  const auto lower = [](char one) { return one >= 'A' && one <= 'Z' ? static_cast<char>(one - 'A' + 'a') : one; };
  for (const auto& [known, value] : headers) {
    if (std::ranges::equal(known, name, {}, lower, lower)) return value;
  }
  return {};
}

std::optional<Transfer> transfer(const TransferRequest& request) {
  // Never freed: objects that live as long as the process may still use it.
  static IdleLines* const lines = new IdleLines;
  const Curl* curl = Curl::loaded();
  if (curl == nullptr) return std::nullopt;
  std::string server = server_of(request);
  std::unique_ptr<Line> line = lines->take(server, *curl);
  if (!line->is_usable()) return std::nullopt;
  std::optional<Transfer> result = line->run(request);
  if (result) lines->keep(std::move(server), std::move(line));
  return result;
}

}  // namespace strata
