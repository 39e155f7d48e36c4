// SPDX-License-Identifier: Apache-2.0
#include "service/operation/metrics.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace strata::service {
namespace {

constexpr std::array<std::string_view, 5> kRecognitions{"not asked", "success", "failure", "limited", "unavailable"};

std::string_view method_label(std::string_view method) {
  // Clients can make up methods; labels have few values.
  constexpr std::array<std::string_view, 7> kKnown{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"};
  const auto found = std::ranges::find(kKnown, method);
  return found == kKnown.end() ? std::string_view("other") : *found;
}

/// Numbers of the process, as other exporters name them.
void append_process(std::string& out, std::chrono::system_clock::time_point began) {
  constexpr double kPage = 4096;
  double total = 0;
  double resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  append_metric(out, "process_resident_memory_bytes", "gauge", "Memory that the process has.", resident * kPage);
  append_metric(out, "process_virtual_memory_bytes", "gauge", "Addresses that the process has.", total * kPage);
  rusage used{};
  if (getrusage(RUSAGE_SELF, &used) == 0) {
    const auto seconds = [](const timeval& time) {
      return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    append_metric(out, "process_cpu_seconds_total", "counter", "Processor time.",
                  seconds(used.ru_utime) + seconds(used.ru_stime));
  }
  std::error_code error;
  const auto open =
      std::distance(std::filesystem::directory_iterator("/proc/self/fd", error), std::filesystem::directory_iterator());
  append_metric(out, "process_open_fds", "gauge", "Descriptors that are open.", static_cast<double>(open));
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    append_metric(out, "process_max_fds", "gauge", "Descriptors that the process may open.",
                  static_cast<double>(limit.rlim_cur));
  }
  append_metric(out, "process_start_time_seconds", "gauge", "When the process started, since 1970.",
                std::chrono::duration<double>(began.time_since_epoch()).count());
}

}  // namespace

void append_metric_head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out += fmt::format("# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
}

std::string metric_label(std::string_view text) {
  std::string out = "\"";
  for (const char one : text) {
    if (one == '"' || one == '\\') out += '\\';
    out += one == '\n' ? ' ' : one;
  }
  return out += '"';
}

void append_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help,
                   double value) {
  append_metric_head(out, name, type, help);
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
  if (request.recognition == Recognition::not_asked) return;
  auto found = identities_.find(request.way);
  if (found == identities_.end())
    found = identities_.emplace(std::string(request.way), std::array<std::uint64_t, kRecognitions.size()>{}).first;
  ++found->second[static_cast<std::size_t>(request.recognition)];
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
    append_metric_head(out, "strata_http_requests_total", "counter", "Requests that were answered.");
    for (const auto& [key, count] : requests_) {
      const auto& [face, route, method, status] = key;
      out += fmt::format(R"(strata_http_requests_total{{face="{}",route="{}",method="{}",code="{}"}} {})"
                         "\n",
                         face, route, method, status, count);
    }
    append_metric_head(out, "strata_http_request_seconds", "histogram",
                       "Time from the whole request to the whole answer.");
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
      out += fmt::format(
          "strata_http_request_seconds_bucket{{{0},le=\"+Inf\"}} {1}\nstrata_http_request_seconds_sum{{{0}}} {2}\n",
          labels, sum, times.sum);
      out += fmt::format("strata_http_request_seconds_count{{{}}} {}\n", labels, sum);
    }
    append_metric_head(out, "strata_auth_total", "counter",
                       "Requests by the way that recognised who asks; without a way where nobody was.");
    for (const auto& [way, counts] : identities_) {
      for (std::size_t i = 1; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        out += fmt::format("strata_auth_total{{method={},outcome=\"{}\"}} {}\n", metric_label(way), kRecognitions[i],
                           counts[i]);
      }
    }
    append_metric_head(out, "strata_http_rejected_total", "counter",
                       "Requests and connections that were refused for lack of room.");
    for (const auto& [reason, count] : rejected_)
      out += fmt::format("strata_http_rejected_total{{reason=\"{}\"}} {}\n", reason, count);
  }
  append_metric(out, "strata_http_in_flight", "gauge", "Requests that are being answered.",
                static_cast<double>(in_flight));
  append_metric(out, "strata_connections", "gauge", "Connections that are open.", static_cast<double>(connections));
  append_process(out, began_);
  for (const auto& source : sources_) source(out);
  return out;
}

}  // namespace strata::service
