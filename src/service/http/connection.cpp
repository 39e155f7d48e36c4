// SPDX-License-Identifier: Apache-2.0
#include "service/http/connection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <optional>

#include "service/channel.hpp"
#include "service/http/answer.hpp"
#include "service/http/exchange.hpp"
#include "service/http/tls.hpp"
#include "service/identity/identity.hpp"
#include "service/memory.hpp"
#include "service/operation/metrics.hpp"
#include "service/packing.hpp"
#include "service/request_id.hpp"
#include "service/service.hpp"
#include "strata/stop.hpp"

namespace strata::service {
namespace {

namespace beast = boost::beast;

constexpr std::size_t kFirstRead = std::size_t{2} << 10U;
constexpr std::size_t kReadAhead = std::size_t{16} << 10U;
constexpr std::size_t kPiece = std::size_t{64} << 10U;      ///< Of a body, read at once.
constexpr std::size_t kKeptBuffer = std::size_t{4} << 10U;  ///< Of a connection that is idle.
constexpr std::size_t kSmallBody = std::size_t{64} << 10U;  ///< Is read, whatever others take.
constexpr std::chrono::seconds kParked{10};                 ///< So long a body waits for room.
constexpr std::size_t kLinger = std::size_t{256}
                                << 10U;  ///< Bytes that are read and dropped, so that a refusal reaches the client.
constexpr std::chrono::seconds kLingerTime{2};

using TlsStream = asio::ssl::stream<TcpSocket>;

template <class Stream>
class ConnectionOf final : public Connection, public std::enable_shared_from_this<ConnectionOf<Stream>> {
 public:
  ConnectionOf(Server::Shared& shared, Loop& loop, const Listener& listener, Stream stream, std::string address)
      : shared_(shared), loop_(loop), listener_(listener), stream_(std::move(stream)), address_(std::move(address)) {
    ++shared_.open;
    shared_.metrics.connections = static_cast<std::int64_t>(shared_.open);
  }
  ~ConnectionOf() override {
    --shared_.open;
    shared_.metrics.connections = static_cast<std::int64_t>(shared_.open);
    if (is_streaming_) --shared_.streams;
    shared_.by_address.give_back(address_);
  }
  ConnectionOf(const ConnectionOf&) = delete;
  ConnectionOf& operator=(const ConnectionOf&) = delete;

  void start() {
    loop_.connections.insert(this->shared_from_this());
    if constexpr (kIsTls) {
      deadline_ = Clock::now() + shared_.options.limits.head_time;
      auto shaken = own([](ConnectionOf& self, Error error) {
        if (error || self.state_ == State::closed) return self.close();
        self.names_ = certificate_names(self.stream_.native_handle());
        self.next_request();
      });
      stream_.async_handshake(asio::ssl::stream_base::server, std::move(shaken));
    } else {
      next_request();
    }
  }
  /// Keeps its certificates alive.
  void keep(std::shared_ptr<TlsContext> context) { tls_ = std::move(context); }

  void sweep(Clock::time_point now) override {
    if (state_ == State::parked) {
      if (has_room()) return resume_body(now);
      if (now - parked_ >= kParked)
        refuse(refusal(503, "service.busy", "the bodies of others take all the room that there is for bodies"));
      return;
    }
    if (state_ == State::working || state_ == State::waiting)
      return;  // The request's own deadline ends the work, and is told.
    if (state_ == State::body) {
      if (is_too_slow(exchange_->bytes_in, now - body_began_))
        refuse(refusal(408, "request.slow", "the body comes too slowly"));
      return;
    }
    if (now < deadline_) return;
    if (state_ == State::head && buffer_.size() != 0)
      return refuse(refusal(408, "request.slow", "the head of the request did not come in time"));
    close();
  }

  void drain() override {
    // Bytes that were read are told of by a handler, which may still wait for its turn.
    auto drained = own([](ConnectionOf& self) {
      if (self.state_ == State::head && self.is_idle()) self.close();
    });
    asio::post(loop_.context, std::move(drained));
  }

  void abort() override {
    if (exchange_ && exchange_->stop) exchange_->stop->cancel();
    close();
  }

 private:
  enum class State : std::uint8_t { head, body, parked, working, waiting, writing, streaming, lingering, closed };
  using Error = boost::system::error_code;
  static constexpr bool kIsTls = std::is_same_v<Stream, TlsStream>;

  /// What goes on when the stream is ready: `step` with this connection, which is kept until then. One that finds no
  /// memory is closed.
  template <class Step>
  auto own(Step step) {
    return [self = this->shared_from_this(), step = std::move(step)](auto... told) {
      if (!if_memory_allows([&] { step(*self, told...); })) self->close();
    };
  }

  /// The same for others, whose threads may call it when the connection is gone.
  auto from_elsewhere(void (ConnectionOf::*step)()) {
    return [weak = this->weak_from_this(), &context = loop_.context, step] {
      asio::post(context, [weak, step] {
        if (const auto self = weak.lock(); self && !if_memory_allows([&] { (*self.*step)(); })) self->close();
      });
    };
  }

  auto& socket() {
    if constexpr (kIsTls) {
      return stream_.next_layer();
    } else {
      return stream_;
    }
  }

  // ---- The head

  void next_request() {
    exchange_.reset();
    parser_.reset();
    state_ = State::head;
    // Who has asked may rest; who connects is expected to ask.
    deadline_ = Clock::now() + (has_asked_ ? shared_.options.limits.idle_time : shared_.options.limits.head_time);
    if (buffer_.size() == 0 && buffer_.capacity() > kKeptBuffer) buffer_.shrink_to_fit();
    if (shared_.is_draining && is_idle()) return close();
    look_for_head();
  }

  void look_for_head() {
    skip_empty_lines();
    const std::string_view bytes = buffered();
    const std::size_t end = end_of_head(bytes);
    const ServerLimits& limits = shared_.options.limits;
    if (end == std::string_view::npos) {
      if (const auto why = too_long(bytes, limits)) return refuse(*why);
      if (has_bare_line_feed(bytes))
        return refuse(
            refusal(400, "request.malformed", "the head of the request has line ends without a carriage return"));
      // Connections that wait are many, and hold what they wait with.
      return read_some(bytes.empty() ? kFirstRead : kReadAhead, [this] {
        // From its first byte on, a head has little time.
        if (is_new_) deadline_ = Clock::now() + shared_.options.limits.head_time;
        is_new_ = false;
        look_for_head();
      });
    }
    take_head(bytes.substr(0, end));
  }

  void skip_empty_lines() {
    while (buffered().starts_with("\r\n")) buffer_.consume(2);
  }

  void begin_exchange() {
    exchange_ = std::make_shared<Exchange>();
    exchange_->request.id = new_request_id();
    exchange_->request.address = address_;
    exchange_->request.certificate_names = names_;
  }

  void take_head(std::string_view head) {
    begin_exchange();
    is_new_ = true;
    has_asked_ = true;
    parser_.emplace();
    if (const auto why = take_head_of(*exchange_, head, shared_.options.limits, kIsTls, *parser_)) return refuse(*why);
    buffer_.consume(head.size());
    shared_.proxies.apply(exchange_->request);
    find_way();
  }

  void find_way() {
    Exchange& now = *exchange_;
    find_way_of(now, shared_.service, listener_);
    const auto identity = shared_.identity();
    if (identity->is_brief(now.request)) {
      recognise(now, *identity);
      return begin_body();
    }
    work_by(
        *shared_.recognisers,
        [exchange = exchange_, identity, most = shared_.options.limits.request_time] {
          const Clock::time_point began = Clock::now();
          if (began - exchange->began < most) {
            recognise(*exchange, *identity);
          } else {
            exchange->request.unknown = refusal(503, "service.busy", "others wait to be recognised");
          }
          exchange->recognised_in = Clock::now() - exchange->began;
        },
        [this] { begin_body(); }, address_);
  }

  // ---- The body

  void begin_body() {
    Exchange& now = *exchange_;
    if (now.head.length > now.way.longest_body) {
      return refuse(
          refusal(413, "request.too-large", fmt::format("the body has more than {} bytes", now.way.longest_body)));
    }
    if (now.head.length == 0 && !now.head.is_chunked) return dispatch();
    // Who is refused anyway need not send a body, and takes no room for one. Small ones are read, so that the
    // connection goes on.
    if ((now.head.expects_continue || now.head.length > kSmallBody) && is_refused_anyway())
      return dispatch_refusal([this] { accept_body(); });
    accept_body();
  }

  [[nodiscard]] bool is_refused_anyway() const {
    static const Stop never;
    return shared_.service.refuses(exchange_->request, exchange_->way, never);
  }

  void accept_body() {
    Exchange& now = *exchange_;
    parser_->body_limit(now.way.longest_body);
    parser_->eager(true);
    body_began_ = Clock::now();
    if (!now.head.expects_continue) return read_body();
    state_ = State::writing;
    deadline_ = Clock::now() + shared_.options.limits.write_time;
    head_ = "HTTP/1.1 100 Continue\r\n\r\n";
    auto promised = own([](ConnectionOf& self, Error error, std::size_t) {
      if (error || self.state_ == State::closed) return self.close();
      self.read_body();
    });
    asio::async_write(stream_, asio::buffer(head_), std::move(promised));
  }

  void read_body() {
    Exchange& now = *exchange_;
    if (!has_room()) {
      state_ = State::parked;
      parked_ = Clock::now();
      return;
    }
    state_ = State::body;
    const Fed fed = feed_body(now, *parser_, buffer_);
    reserve(fed.used);
    if (fed.problem) return refuse(*fed.problem);
    if (parser_->is_done()) {
      now.request.body = std::move(parser_->get().body());
      return dispatch();
    }
    // How long one in chunks is, nobody has said.
    if (now.head.is_chunked && reserved_ > kSmallBody && reserved_ - fed.used <= kSmallBody && is_refused_anyway()) {
      return dispatch_refusal([this] { read_body(); });
    }
    if (buffer_.size() >= kPiece)
      return refuse(refusal(400, "request.malformed", "the body is malformed: a chunk has no end"));
    read_some(kPiece, [this] { read_body(); });
  }

  /// What counts is what has come, so that nobody waits for bodies that are only announced; and small bodies wait for
  /// nobody.
  [[nodiscard]] bool has_room() const {
    if (reserved_ < kSmallBody && exchange_->head.length <= kSmallBody) return true;
    const std::size_t all = shared_.body_memory;
    return all < shared_.options.limits.body_memory || all == reserved_;
  }

  void resume_body(Clock::time_point now) {
    body_began_ += now - parked_;
    read_body();
  }

  void reserve(std::size_t bytes) {
    reserved_ += bytes;
    shared_.body_memory += bytes;
  }
  void give_back_body() {
    shared_.body_memory -= reserved_;
    reserved_ = 0;
  }

  // ---- The answer

  /// `otherwise`: if it is not refused after all, because the policy was read anew meanwhile.
  template <class Otherwise>
  void dispatch_refusal(Otherwise otherwise) {
    auto response = std::make_shared<std::optional<Response>>();
    work(
        [&service = shared_.service, exchange = exchange_, response] {
          static const Stop never;
          *response = service.refused_early(exchange->request, exchange->way, never);
        },
        [this, response, otherwise] {
          if (!*response) return otherwise();
          exchange_->head.keeps_alive = false;
          send(*std::move(*response));
        });
  }

  void dispatch() {
    Exchange& now = *exchange_;
    now.stop.emplace(Clock::now() + patience(now.request, shared_.options.limits.request_time) - now.recognised_in);
    if (const auto why = too_often(now, shared_)) return send(shared_.service.refused(now.request, now.way, *why));
    if (now.way.is_brief && now.request.body.empty())
      return send(shared_.service.answer(now.request, now.way, *now.stop));
    if (auto quick = shared_.service.quick(now.request, now.way, *now.stop);
        quick && now.request.headers.find("Strata-At") == nullptr &&
        !(is_worth_packing(*quick) && takes_gzip(now.request))) {
      pack_for(now.request, *quick);
      return send(*std::move(quick));
    }
    now.in_flight = now.who();
    if (!shared_.by_principal.take(now.in_flight, shared_.options.limits.per_principal)) {
      now.in_flight.clear();
      shared_.metrics.count_rejected("principal");
      return send(shared_.service.refused(
          now.request, now.way, refusal(429, "service.too-many", "there are too many requests of yours in work")));
    }
    make_answer();
  }

  void make_answer() {
    auto response = std::make_shared<Response>();
    work([&service = shared_.service, exchange = exchange_, response] { *response = answer_of(*exchange, service); },
         [this, response] { begin(std::move(*response)); });
  }

  /// Waits until there may be another answer than this one, without a thread: who waits keeps nobody from work.
  void wait_with(Response response) {
    Exchange& now = *exchange_;
    if (!now.in_flight.empty()) shared_.by_principal.give_back(std::exchange(now.in_flight, {}));
    now.request.waits_until = response.until;
    state_ = State::waiting;
    ++shared_.metrics.in_flight;
    wake_ = std::make_shared<const std::function<void()>>(from_elsewhere(&ConnectionOf::look_again));
    timer_.expires_at(response.until);
    const auto begin_to_wait = std::exchange(response.wait, {});
    auto waited = own([answer = std::make_shared<Response>(response)](ConnectionOf& self, Error error) {
      if (error || self.state_ != State::waiting) return;
      self.end_waiting();
      self.send(std::move(*answer));
    });
    timer_.async_wait(std::move(waited));
    if (begin_to_wait(wake_)) return;
    end_waiting();
    send(std::move(response));
  }

  void end_waiting() {
    --shared_.metrics.in_flight;
    wake_.reset();
    timer_.cancel();
  }

  /// The same request again: something may have changed.
  void look_again() {
    if (state_ != State::waiting || !wake_) return;
    end_waiting();
    make_answer();
  }

  /// Sends an answer; what makes its pieces is begun first, or refused.
  void begin(Response response) {
    if (response.wait && Clock::now() < response.until) return wait_with(std::move(response));
    if (response.stream && !is_streaming_) {
      if (++shared_.streams > shared_.options.limits.streams) {
        --shared_.streams;
        response.stream->leave();
        shared_.metrics.count_rejected("streams");
        return send(shared_.service.refused(exchange_->request, exchange_->way,
                                            refusal(503, "service.busy", "too many answers go on now")));
      }
      is_streaming_ = true;
    }
    has_end_ = static_cast<bool>(response.make);
    if (response.make && !shared_.makers->post(std::exchange(response.make, {}), exchange_->who())) {
      response.stream->leave();
      shared_.metrics.count_rejected("streams");
      response = shared_.service.refused(exchange_->request, exchange_->way,
                                         refusal(503, "service.busy", "too many long answers are made now"));
    }
    send(std::move(response));
  }

  /// Runs `job` on a worker, and `then` here. If there is no room, the answer is 503.
  template <class Job, class Then>
  void work(Job job, Then then) {
    work_by(*shared_.workers, std::move(job), std::move(then), {});
  }
  template <class Job, class Then>
  void work_by(Workers& workers, Job job, Then then, const std::string& owner) {
    state_ = State::working;
    ++shared_.metrics.in_flight;
    bool is_taken = false;
    if_memory_allows([&] {
      is_taken = workers.post(
          [self = this->shared_from_this(), job = std::move(job), then = std::move(then)]() mutable {
            const bool is_done = if_memory_allows(job);
            const auto go_on = [self, then, is_done] {
              --self->shared_.metrics.in_flight;
              if (self->state_ != State::closed &&
                  !if_memory_allows([&] { is_done ? then() : self->refuse(no_memory(), true); }))
                self->close();
              if (self->state_ == State::closed) self->end_exchange();
            };
            as_soon_as_memory_allows([&] { asio::post(self->loop_.context, go_on); });
          },
          owner);
    });
    if (is_taken) return;
    --shared_.metrics.in_flight;
    shared_.metrics.count_rejected("queue");
    state_ = State::writing;
    refuse(refusal(503, "service.busy", "the service has too much to do now"), true);
  }

  /// Refuses what cannot be answered; the connection ends after it, because where the next request begins is not known.
  void refuse(const Refusal& why, bool goes_on = false) {
    Error ignored;
    if (state_ == State::head || state_ == State::body)
      socket().cancel(ignored);  // No read may be under way when the rest is dropped.
    if (!exchange_) begin_exchange();
    if (!goes_on) exchange_->head.keeps_alive = false;
    if (exchange_->request.project.empty()) exchange_->request.project = "default";
    send(shared_.service.refused(exchange_->request, exchange_->way, why));
  }

  void send(Response response) {
    Exchange& now = *exchange_;
    give_back_body();
    if (!now.in_flight.empty()) shared_.by_principal.give_back(std::exchange(now.in_flight, {}));
    if (shared_.is_draining) now.head.keeps_alive = false;
    if (response.stream && now.head.is_http_1_0) now.head.keeps_alive = false;
    const bool is_head_only = now.request.method == "HEAD";
    const bool has_body = !is_head_only && response.status != 204 && response.status != 304;
    head_ = head_text(response, now.request,
                      {.is_http_1_0 = now.head.is_http_1_0, .keeps_alive = now.head.keeps_alive, .has_body = has_body});
    body_ = has_body && !response.stream ? std::move(response.body) : std::string();
    status_ = response.status;
    now.error = std::move(response.error);
    channel_ = has_body ? response.stream : nullptr;
    if (response.stream && !channel_) response.stream->leave();
    bytes_out_ = head_.size() + body_.size();
    state_ = State::writing;
    deadline_ = Clock::now() + shared_.options.limits.write_time;
    const std::array<asio::const_buffer, 2> buffers{asio::buffer(head_), asio::buffer(body_)};
    auto answered = own([](ConnectionOf& self, Error error, std::size_t) {
      if (error || self.state_ == State::closed) return self.close();
      if (self.channel_) return self.begin_stream();
      self.after_answer();
    });
    asio::async_write(stream_, buffers, std::move(answered));
  }

  void after_answer() {
    const bool keeps_alive = exchange_->head.keeps_alive;
    end_exchange();
    body_ = {};
    if (keeps_alive) return next_request();
    linger();
  }

  /// Metrics and the log, once a request.
  void end_exchange() {
    if (!exchange_) return;
    const Exchange& now = *exchange_;
    if (!now.in_flight.empty()) shared_.by_principal.give_back(now.in_flight);
    give_back_body();
    note_end(now, shared_, status_, bytes_out_);
    exchange_.reset();
  }

  // ---- Streams

  void begin_stream() {
    state_ = State::streaming;
    deadline_ = Clock::time_point::max();
    // The channel may outlive the connection.
    channel_->on_ready(from_elsewhere(&ConnectionOf::send_pieces));
    watch_for_end();
  }

  void send_pieces() {
    if (state_ != State::streaming || is_sending_) return;
    Channel::Taken taken = channel_->take();
    if (taken.bytes.empty() && !taken.is_over) return;
    is_sending_ = true;
    deadline_ = Clock::now() + shared_.options.limits.write_time;
    bytes_out_ += taken.bytes.size();
    const bool is_framed = !exchange_->head.is_http_1_0;
    body_ = taken.bytes.empty() || !is_framed ? std::move(taken.bytes)
                                              : chunk_head(taken.bytes.size()) + taken.bytes + "\r\n";
    if (taken.is_over && is_framed) body_ += "0\r\n\r\n";
    auto sent = own([is_over = taken.is_over](ConnectionOf& self, Error error, std::size_t) {
      self.is_sending_ = false;
      if (error || self.state_ == State::closed) return self.close();
      self.deadline_ = Clock::time_point::max();
      if (!is_over) return self.send_pieces();
      self.channel_->leave();
      self.channel_.reset();
      self.is_streaming_ = false;
      --self.shared_.streams;
      self.after_answer();
    });
    asio::async_write(stream_, asio::buffer(body_), std::move(sent));
  }

  /// Notices that the client of a stream is gone. What it sends meanwhile is kept for the next request; who has sent
  /// all that it wants to send may still read what has an end.
  void watch_for_end() {
    if (is_watching_ || buffer_.size() > kReadAhead) return;
    is_watching_ = true;
    auto watched = own([](ConnectionOf& self, Error error, std::size_t size) {
      self.is_watching_ = false;
      // What lingers reads into the same buffer, and drops it.
      if (self.state_ == State::closed || self.state_ == State::lingering) return;
      const bool is_over = error || size == 0;
      if (!is_over)
        self.buffer_.commit(asio::buffer_copy(self.buffer_.prepare(size), asio::buffer(self.watched_, size)));
      if (auto then = std::exchange(self.after_watch_, {})) {
        if (self.state_ != State::head && self.state_ != State::body) return;  // Refused meanwhile.
        return is_over ? self.close() : then();
      }
      if (self.state_ != State::streaming) return;
      if (!is_over) return self.watch_for_end();
      if (error != asio::error::eof || !self.has_end_) return self.close();
      self.exchange_->head.keeps_alive = false;
    });
    stream_.async_read_some(asio::buffer(watched_), std::move(watched));
  }

  // ---- The stream below
  /// Whether nothing of a next request has come: not even bytes that the kernel holds and nobody has read.
  bool is_idle() {
    Error error;
    return buffer_.size() == 0 && (socket().available(error) == 0 || error);
  }

  template <class Then>
  void read_some(std::size_t most, Then then) {
    if (is_watching_) {  // The read that watched a stream goes on: it is the next one.
      after_watch_ = then;
      return;
    }
    auto came = own([then](ConnectionOf& self, Error error, std::size_t size) {
      if (self.state_ == State::closed) return;
      if (self.state_ != State::head && self.state_ != State::body) return;  // Refused meanwhile.
      if (error || size == 0) return self.close();
      self.buffer_.commit(size);
      then();
    });
    stream_.async_read_some(buffer_.prepare(most), std::move(came));
  }

  [[nodiscard]] std::string_view buffered() const {
    const auto data = buffer_.data();
    return {static_cast<const char*>(data.data()), data.size()};
  }

  /// Closes after what the client still sends has been read: unread bytes would take our answer with them.
  void linger() {
    state_ = State::lingering;
    deadline_ = Clock::now() + kLingerTime;
    if constexpr (kIsTls) {
      return stream_.async_shutdown(own([](ConnectionOf& self, Error) { self.close(); }));
    }
    Error ignored;
    socket().shutdown(asio::socket_base::shutdown_send, ignored);
    buffer_.clear();
    drop_some(0);
  }

  void drop_some(std::size_t dropped) {
    if (dropped > kLinger) return close();
    auto dropped_some = own([dropped](ConnectionOf& self, Error error, std::size_t size) {
      if (error || size == 0 || self.state_ == State::closed) return self.close();
      self.drop_some(dropped + size);
    });
    stream_.async_read_some(buffer_.prepare(kReadAhead), std::move(dropped_some));
  }

  void close() {
    if (state_ == State::closed) return;
    const bool is_working = state_ == State::working;
    if (state_ == State::waiting) end_waiting();
    state_ = State::closed;
    if (channel_) channel_->leave();
    channel_.reset();
    if (is_working && exchange_ && exchange_->stop) exchange_->stop->cancel();
    // What works for it ends by itself, and is logged then.
    if (!is_working) end_exchange();
    Error ignored;
    socket().close(ignored);
    loop_.connections.erase(this->shared_from_this());
  }

  Server::Shared& shared_;
  Loop& loop_;
  const Listener& listener_;
  Stream stream_;
  std::string address_;
  std::shared_ptr<TlsContext> tls_;
  std::vector<std::string> names_;  ///< Of the client's certificate.
  State state_ = State::head;
  Clock::time_point deadline_{};
  Clock::time_point body_began_{};
  Clock::time_point parked_{};
  bool is_new_ = true;      ///< Nothing of the next head has come.
  bool has_asked_ = false;  ///< A whole head has come.
  beast::flat_buffer buffer_;
  std::optional<Parser> parser_;
  std::shared_ptr<Exchange> exchange_;
  std::size_t reserved_ = 0;
  std::string head_;
  std::string body_;
  unsigned status_ = 0;
  std::size_t bytes_out_ = 0;
  std::shared_ptr<Channel> channel_;
  Wake wake_;  ///< While it waits for another answer.
  asio::steady_timer timer_{loop_.context};
  bool is_sending_ = false;
  bool is_streaming_ = false;  ///< It is counted as a stream.
  bool has_end_ = false;       ///< The stream: its pieces are made.
  bool is_watching_ = false;   ///< A read goes on since a stream.
  std::function<void()> after_watch_;
  std::array<char, 64> watched_{};
};

}  // namespace

void serve_connection(Server::Shared& shared, Loop& loop, const Listener& listener, TcpSocket socket,
                      std::string address) {
  boost::system::error_code ignored;
  socket.set_option(asio::ip::tcp::no_delay(true), ignored);
  if (!listener.tls)
    return std::make_shared<ConnectionOf<TcpSocket>>(shared, loop, listener, std::move(socket), std::move(address))
        ->start();
  std::shared_ptr<TlsContext> tls = shared.tls;
  auto connection = std::make_shared<ConnectionOf<TlsStream>>(
      shared, loop, listener, TlsStream(std::move(socket), tls->context()), std::move(address));
  connection->keep(std::move(tls));
  connection->start();
}
void serve_connection(Server::Shared& shared, Loop& loop, const Listener& listener, LocalSocket socket,
                      std::string address) {
  std::make_shared<ConnectionOf<LocalSocket>>(shared, loop, listener, std::move(socket), std::move(address))->start();
}

}  // namespace strata::service
