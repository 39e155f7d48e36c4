#include "service/operation/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

namespace strata::service {
namespace {

std::string_view method_label(std::string_view method) {
  // Clients can make up methods; labels have few values.
  constexpr std::array<std::string_view, 7> kKnown{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
  const auto found = std::ranges::find(kKnown, method);
  return found == kKnown.end() ? std::string_view("other") : *found;
}

void append_head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

/// Bytes of memory that the process has.
double resident_bytes() {
  std::ifstream file("/proc/self/statm");
  double total = 0;
  double resident = 0;
  constexpr double kPage = 4096;
  file >> total >> resident;
  return resident * kPage;
}

}  // namespace

void append_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help, double value) {
  append_head(out, name, type, help);
  out += fmt::format("{} {}\n", name, value);
}

void Metrics::count(const Finished& request) {
  const auto bucket = static_cast<std::size_t>(std::ranges::lower_bound(kBounds, request.seconds) - kBounds.begin());
  const std::string_view method = method_label(request.method);
  const std::scoped_lock lock(mutex_);
  ++requests_[{request.face, request.route, method, request.status}];
  Times& times = times_[{request.face, request.route}];
  ++times.counts[bucket];
  times.sum += request.seconds;
}

void Metrics::count_rejected(std::string_view reason) {
  const std::scoped_lock lock(mutex_);
  const auto found = rejected_.find(reason);
  if (found == rejected_.end()) {
    rejected_.emplace(reason, 1);
  } else {
    ++found->second;
  }
}

std::string Metrics::text() const {
  std::string out;
  {
    const std::scoped_lock lock(mutex_);
    append_head(out, "strata_http_requests_total", "counter", "Requests that were answered.");
    for (const auto& [key, count] : requests_) {
      const auto& [face, route, method, status] = key;
      out += fmt::format(R"(strata_http_requests_total{{face="{}",route="{}",method="{}",code="{}"}} {})"
                         "\n",
                         face, route, method, status, count);
    }
    append_head(out, "strata_http_request_seconds", "histogram", "Time from the whole request to the whole answer.");
    for (const auto& [key, times] : times_) {
      const std::string labels = fmt::format(R"(face="{}",route="{}")", key.first, key.second);
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i < kBounds.size(); ++i) {
        sum += times.counts[i];
        out += fmt::format(R"(strata_http_request_seconds_bucket{{{},le="{}"}} {})"
                           "\n",
                           labels, kBounds[i], sum);
      }
      sum += times.counts.back();
      out += fmt::format("strata_http_request_seconds_bucket{{{0},le=\"+Inf\"}} {1}\nstrata_http_request_seconds_sum{{{0}}} {2}\n", labels, sum,
                         times.sum);
      out += fmt::format("strata_http_request_seconds_count{{{}}} {}\n", labels, sum);
    }
    append_head(out, "strata_http_rejected_total", "counter", "Requests and connections that were refused for lack of room.");
    for (const auto& [reason, count] : rejected_) out += fmt::format("strata_http_rejected_total{{reason=\"{}\"}} {}\n", reason, count);
  }
  append_metric(out, "strata_http_in_flight", "gauge", "Requests that are being answered.", static_cast<double>(in_flight));
  append_metric(out, "strata_connections", "gauge", "Connections that are open.", static_cast<double>(connections));
  append_metric(out, "process_resident_memory_bytes", "gauge", "Memory that the process has.", resident_bytes());
  for (const auto& source : sources_) source(out);
  return out;
}

}  // namespace strata::service
