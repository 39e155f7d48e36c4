// SPDX-License-Identifier: Apache-2.0
#include "service/http/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <charconv>
#include <cmath>

#include "service/identity/identity.hpp"
#include "service/operation/log.hpp"
#include "service/operation/metrics.hpp"
#include "service/packing.hpp"
#include "service/request_id.hpp"
#include "session/parse_time.hpp"
#include "store/projects.hpp"
#include "store/store.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

/// Paths that are for everybody are asked without credentials: that is not a failure.
Recognition recognition_of(const Exchange& exchange) {
  const Route* const route = exchange.way.found.route;
  if (route == nullptr || route->action.empty()) return Recognition::not_asked;
  if (!exchange.request.unknown)
    return exchange.request.principal.method.empty() ? Recognition::not_asked : Recognition::success;
  const unsigned status = exchange.request.unknown->status;
  return status == 401 ? Recognition::failure : status == 429 ? Recognition::limited : Recognition::unavailable;
}

/// Tells the client how long reading texts, the store, and the rest took.
void note_times(Response& response, Clock::time_point begin) {
  using Milliseconds = std::chrono::duration<double, std::milli>;
  const double all = Milliseconds(Clock::now() - begin).count();
  const double in_store = Milliseconds(store::time_spent()).count();
  const double reading = Milliseconds(ParseTimer::spent()).count();
  response.headers.set("Server-Timing", fmt::format("parse;dur={:.3f}, store;dur={:.3f}, evaluate;dur={:.3f}", reading,
                                                    in_store, std::max(0.0, all - in_store - reading)));
}

}  // namespace

std::string Exchange::who() const {
  const Principal& principal = request.principal;
  return principal.method == "none" ? "none " + request.address : principal.method + ' ' + principal.name;
}

std::optional<Refusal> too_long(std::string_view bytes, const ServerLimits& limits) {
  if (bytes.size() > limits.request_line && bytes.find('\n') == std::string_view::npos) {
    return refusal(414, "request.line", fmt::format("the first line has more than {} bytes", limits.request_line));
  }
  if (bytes.size() > limits.request_line + limits.headers) {
    return refusal(431, "request.headers", fmt::format("the headers have more than {} bytes", limits.headers));
  }
  return std::nullopt;
}

std::optional<Refusal> take_head_of(Exchange& exchange, std::string_view bytes, const ServerLimits& limits, bool is_tls,
                                    Parser& parser) {
  std::optional<Refusal> out;
  try {
    exchange.head = read_head(bytes, limits, is_tls, parser, exchange.request);
    (void)patience(exchange.request, limits.request_time);
  } catch (const Refused& refused) {
    out = refused.refusal();
  } catch (const strata::Error& error) {
    out = refusal_of(error);
  }
  take_request_id(exchange.request);
  take_trace(exchange.request);
  return out;
}

std::chrono::milliseconds patience(const Request& request, std::chrono::seconds most) {
  const std::string* wanted = request.headers.find("Strata-Timeout");
  if (wanted == nullptr) return most;
  std::int64_t seconds = 0;
  const char* const end = wanted->data() + wanted->size();
  const auto [stopped, error] = std::from_chars(wanted->data(), end, seconds);
  if (stopped == end && error == std::errc::result_out_of_range && !wanted->starts_with('-')) return most;
  if (stopped != end || error != std::errc() || seconds < 1) {
    throw strata::Error("request.header", "Strata-Timeout is a number of seconds from 1 on");
  }
  return std::min<std::chrono::milliseconds>(most, std::chrono::seconds(std::min<std::int64_t>(seconds, most.count())));
}

Fed feed_body(Exchange& exchange, Parser& parser, boost::beast::flat_buffer& buffer) {
  namespace http = boost::beast::http;
  Fed out;
  while (!parser.is_done() && buffer.size() != 0) {
    boost::system::error_code error;
    const std::size_t used = parser.put(buffer.data(), error);
    buffer.consume(used);
    exchange.bytes_in += used;
    out.used += used;
    if (error == http::error::need_more) break;
    if (error == http::error::body_limit) {
      out.problem =
          refusal(413, "request.too-large", fmt::format("the body has more than {} bytes", exchange.way.longest_body));
    } else if (error) {
      out.problem = refusal(400, "request.malformed", fmt::format("the body is malformed: {}", error.message()));
    }
    if (out.problem || used == 0) break;
  }
  // The rest is not content, but an incomplete line.
  const std::string_view left(static_cast<const char*>(buffer.data().data()), buffer.size());
  if (!out.problem && !parser.is_done() && has_bare_line_feed(left)) {
    out.problem =
        refusal(400, "request.malformed", "the body is malformed: it has line ends without a carriage return");
  }
  return out;
}

bool is_too_slow(std::size_t bytes, Clock::duration time) {
  constexpr std::chrono::seconds kPatience{10};
  constexpr std::size_t kRate = 1024;  // Bytes a second.
  if (time <= kPatience) return false;
  return bytes <
         static_cast<std::size_t>(std::chrono::duration_cast<std::chrono::seconds>(time - kPatience).count()) * kRate;
}

void find_way_of(Exchange& exchange, const Service& service, const Listener& listener) {
  exchange.way = service.way(exchange.request);
  if (const std::string* project = Service::project_of(exchange.way)) exchange.request.project = *project;
  exchange.way.is_elsewhere = !listener.faces.empty() && exchange.way.face != nullptr &&
                              std::ranges::find(listener.faces, exchange.way.face->name()) == listener.faces.end();
  if (exchange.way.is_elsewhere) exchange.way.found = {};
}

void recognise(Exchange& exchange, const Identity& identity) {
  Request& request = exchange.request;
  try {
    request.principal = identity.recognise(request);
  } catch (const Refused& refused) {
    request.unknown = refused.refusal();
  } catch (const strata::Error& error) {
    request.unknown = refusal_of(error);
  }
  if (request.project.empty()) request.project = request.principal.project;
  if (request.project.empty())
    request.project = exchange.way.face == nullptr ? "default" : exchange.way.face->project();
  // Wherever the name is from: headers, events and logs contain it.
  if (!request.unknown && !store::is_project_name(request.project)) {
    request.unknown = refusal(400, "request.project",
                              "a project has a name of 1 to 255 bytes of UTF-8 without slashes and control characters");
  }
}

std::optional<Refusal> too_often(const Exchange& exchange, Server::Shared& shared) {
  const std::size_t rate = shared.options.limits.rate;
  if (rate == 0 || exchange.way.found.route == nullptr || exchange.way.found.route->action.empty()) return std::nullopt;
  const double wait = shared.rates.wait(exchange.who(), rate, Clock::now());
  if (wait <= 0) return std::nullopt;
  shared.metrics.count_rejected("rate");
  Refusal why = refusal(429, "service.too-many", "there are too many requests of yours in a second");
  why.headers.set("Retry-After", std::to_string(static_cast<int>(std::ceil(wait))));
  return why;
}

Response answer_of(Exchange& exchange, const Service& service) {
  const Clock::time_point begin = Clock::now();
  store::reset_time_spent();
  ParseTimer::reset();
  Response out;
  try {
    unpack(exchange.request, exchange.way.longest_body);
    out = service.answer(exchange.request, exchange.way, *exchange.stop);
  } catch (const Refused& refused) {
    out = service.refused(exchange.request, exchange.way, refused.refusal());
  } catch (const std::exception& failure) {
    out = service.refused(exchange.request, exchange.way, refusal(500, "service.internal", failure.what()));
  } catch (...) {  // One request must not end the service.
    out = service.refused(exchange.request, exchange.way,
                          refusal(500, "service.internal", "something was thrown that is no exception"));
  }
  note_times(out, begin);
  if (may_be_packed(out)) pack_for(exchange.request, out);
  return out;
}

void note_end(const Exchange& exchange, Server::Shared& shared, unsigned status, std::size_t bytes_out) {
  const Request& request = exchange.request;
  const double seconds = std::chrono::duration<double>(Clock::now() - exchange.began).count();
  const std::string_view face = exchange.way.face == nullptr ? std::string_view() : exchange.way.face->name();
  const std::string_view route =
      exchange.way.found.route == nullptr ? std::string_view() : exchange.way.found.route->pattern;
  shared.metrics.count({.face = face,
                        .route = route,
                        .method = request.method,
                        .status = status,
                        .seconds = seconds,
                        .way = request.principal.method,
                        .recognition = recognition_of(exchange)});
  shared.log.write("info", "request",
                   {{"request_id", std::string_view(request.id)},
                    {"trace_id", std::string_view(request.trace.id)},
                    {"span_id", std::string_view(request.trace.span)},
                    {"principal", std::string_view(request.principal.name)},
                    {"project", std::string_view(request.project)},
                    {"address", std::string_view(request.address)},
                    {"face", face},
                    {"method", std::string_view(request.method)},
                    {"route", route},
                    {"path", std::string_view(request.path)},
                    {"status", static_cast<std::int64_t>(status)},
                    {"bytes_in", static_cast<std::int64_t>(exchange.bytes_in)},
                    {"bytes_out", static_cast<std::int64_t>(bytes_out)},
                    {"seconds", seconds},
                    {"error", std::string_view(exchange.error)}});
}

}  // namespace strata::service
