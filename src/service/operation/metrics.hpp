// SPDX-License-Identifier: Apache-2.0
// What the service counts, as text for Prometheus.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace strata::service {

/// Whether it was found out who asks.
enum class Recognition : std::uint8_t { not_asked, success, failure, limited, unavailable };

/// A request that is over.
struct Finished {
  std::string_view face;   ///< Both live as long as the service.
  std::string_view route;  ///< The pattern; empty: none fits.
  std::string_view method;
  unsigned status = 0;
  double seconds = 0;
  std::string_view way = {};  ///< That recognised who asks: `tokens`. Empty: none did.
  Recognition recognition = Recognition::not_asked;
};

/// Thread-safe.
class Metrics {
 public:
  void count(const Finished& request);
  /// `reason`: a word of the program: `queue`, `connections`, …
  void count_rejected(std::string_view reason);

  std::atomic<std::int64_t> in_flight = 0;
  std::atomic<std::int64_t> connections = 0;

  /// A source of further lines. Call before the service starts.
  void add(std::function<void(std::string& out)> source) { sources_.push_back(std::move(source)); }
  /// All, in the text format 0.0.4.
  [[nodiscard]] std::string text() const;

 private:
  static constexpr std::array kBounds{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1,
                                      0.25,  0.5,    1.0,   2.5,  5.0,   10.0, 30.0};
  struct Times {
    std::array<std::uint64_t, kBounds.size() + 1> counts{};
    double sum = 0;
  };

  const std::chrono::system_clock::time_point began_ =
      std::chrono::system_clock::now();  ///< Of the process, but for some milliseconds.
  mutable std::mutex mutex_;             ///< Of the counts.
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, unsigned>, std::uint64_t> requests_;
  std::map<std::pair<std::string_view, std::string_view>, Times> times_;
  std::map<std::string, std::uint64_t, std::less<>> rejected_;
  std::map<std::string, std::array<std::uint64_t, 5>, std::less<>> identities_;  ///< By the way, then by Recognition.
  std::vector<std::function<void(std::string&)>> sources_;
};

/// The help and the type of a metric.
void append_metric_head(std::string& out, std::string_view name, std::string_view type, std::string_view help);
/// A text as the value of a label: between quotes.
[[nodiscard]] std::string metric_label(std::string_view text);
/// The lines of one metric: help, type and a value without labels.
void append_metric(std::string& out, std::string_view name, std::string_view type, std::string_view help, double value);

}  // namespace strata::service
