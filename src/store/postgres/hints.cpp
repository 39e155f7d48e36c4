// SPDX-License-Identifier: Apache-2.0
#include "hints.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>

namespace strata::store {
namespace {

constexpr std::chrono::seconds kBetweenAttempts{2};
constexpr std::chrono::seconds kBetweenLooks{5};

/// Those of strata that have locks, and whose process neither sends nor takes anything any more.
const std::string& standing_writes() {
  static const std::string sql = fmt::format(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = "
      "current_user "
      "AND application_name = current_setting('application_name') AND pid <> pg_backend_pid() AND state = 'active' AND "
      "backend_xid IS NOT NULL "
      "AND wait_event IN ('ClientRead', 'ClientWrite') AND state_change < now() - interval '{} seconds'",
      kPatienceWithWriters.count());
  return sql;
}

}  // namespace

PostgresHints::PostgresHints(PostgresSettings settings)
    : settings_(std::move(settings)), woken_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (woken_ < 0) throw Error("store.failed", "the system has no more descriptors");
}

PostgresHints::~PostgresHints() { ::close(woken_); }

void PostgresHints::wake() noexcept {
  const std::uint64_t one = 1;
  (void)!::write(woken_, &one, sizeof one);
}

bool PostgresHints::is_connected() noexcept {
  if (connection_ != nullptr) return true;
  if (Clock::now() < not_before_) return false;
  not_before_ = Clock::now() + kBetweenAttempts;
  try {
    connection_ = connect(settings_);
    run("LISTEN strata", {});
  } catch (const std::exception&) {
    connection_.reset();
  }
  return connection_ != nullptr;
}

void PostgresHints::run(const char* sql, const std::vector<const char*>& parameters) {
  const Pq& pq = Pq::loaded();
  const auto clear = [&pq](PGresult* result) { pq.clear(result); };
  const std::unique_ptr<PGresult, decltype(clear)> result(
      pq.execParams(connection_.get(), sql, static_cast<int>(parameters.size()), nullptr, parameters.data(), nullptr,
                    nullptr, 0),
      clear);
  const ExecStatusType status = pq.resultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) connection_.reset();
}

std::vector<std::string> PostgresHints::heard() {
  const Pq& pq = Pq::loaded();
  std::vector<std::string> out;
  if (pq.consumeInput(connection_.get()) != 1) {
    connection_.reset();
    return out;
  }
  const auto free_memory = [&pq](PGnotify* notification) { pq.freemem(notification); };
  for (;;) {
    const std::unique_ptr<PGnotify, decltype(free_memory)> one(pq.notifies(connection_.get()), free_memory);
    if (one == nullptr) return out;
    out.emplace_back(one->extra);
  }
}

void PostgresHints::end_standing() {
  if (Clock::now() < look_at_ || !is_connected()) return;
  look_at_ = Clock::now() + kBetweenLooks;
  run(standing_writes().c_str(), {});
}

std::vector<std::string> PostgresHints::exchange(const std::vector<std::string>& texts, Clock::time_point end) {
  for (const std::string& text : texts) {
    if (is_connected()) run("SELECT pg_notify('strata', $1)", {text.c_str()});
  }
  end_standing();
  for (;;) {
    if (is_connected()) {
      // What came with the answer to a statement is here already.
      if (auto out = heard(); !out.empty()) return out;
    }
    const auto patience = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now());
    if (patience.count() <= 0) return {};
    const int socket = connection_ == nullptr ? -1 : Pq::loaded().socket(connection_.get());
    std::array<pollfd, 2> both{pollfd{.fd = woken_, .events = POLLIN, .revents = 0},
                               pollfd{.fd = socket, .events = POLLIN, .revents = 0}};
    (void)::poll(both.data(), both.size(), static_cast<int>(patience.count()));
    if (both[0].revents != 0) {
      std::uint64_t ignored = 0;
      (void)!::read(woken_, &ignored, sizeof ignored);
      return connection_ == nullptr ? std::vector<std::string>() : heard();
    }
  }
}

}  // namespace strata::store
