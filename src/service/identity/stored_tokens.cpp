// SPDX-License-Identifier: Apache-2.0
// Tokens of the store.
#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <stop_token>
#include <thread>
#include <unordered_map>

#include "service/identity/recognisers.hpp"
#include "service/identity/token_principal.hpp"
#include "store/records.hpp"
#include "store/store.hpp"
#include "store/tokens.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::milliseconds kBelieved{1000};  ///< After this, the store is asked again.
constexpr std::chrono::milliseconds kBelievedSafe{
    900};                                         ///< Up to this, recognising is brief: it needs a little time itself.
constexpr std::chrono::milliseconds kRound{400};  ///< How often what is in use is looked at ahead of that.
constexpr std::chrono::seconds kUnusedTokenTime{30};  ///< Without a use.
constexpr std::size_t kMostKnown = 16'384;
constexpr std::size_t kFewTokens = 16;  ///< More are read at once.

class StoredTokens final : public Recogniser {
 public:
  StoredTokens(store::Store& store, IdentityEvents events, IdentityClocks clocks)
      : store_(store),
        events_(std::move(events)),
        clocks_(std::move(clocks)),
        thread_([this](const std::stop_token& stop) { look_ahead(stop); }) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "tokens"; }
  [[nodiscard]] std::string challenge() const override { return "Bearer realm=\"strata\""; }

  [[nodiscard]] bool is_brief(const Request& request) const override {
    const auto presented = store::read_token(bearer_of(request));
    if (!presented) return true;
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(credentials_key(bearer_of(request)));
    return found != known_.end() && clocks_.steady() - found->second.checked <= kBelievedSafe;
  }

  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (!bearer.starts_with("strata_")) return std::nullopt;
    const auto presented = store::read_token(bearer);
    if (!presented) throw wrong_credentials();
    const std::string key = credentials_key(bearer);
    const std::string hash = store::token_hash(presented->secret);
    store::Token token;
    if (std::optional<store::Token> known = recall(key)) {
      token = *std::move(known);
    } else {
      token = ask(*presented, key, hash);
    }
    if (store::is_expired(token, wall_time(clocks_))) throw wrong_credentials();
    return token_principal(token);
  }

 private:
  struct Known {
    store::Token token;
    std::chrono::steady_clock::time_point checked;
    std::chrono::steady_clock::time_point used;
  };

  std::optional<store::Token> recall(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(key);
    const auto now = clocks_.steady();
    if (found == known_.end() || now - found->second.checked > kBelieved) return std::nullopt;
    found->second.used = now;
    note_use_of(found->second.token);
    return found->second.token;
  }

  store::Token ask(const store::PresentedToken& presented, const std::string& key, const std::string& hash) const {
    const auto asked = clocks_.steady();
    std::optional<store::Token> found;
    try {
      store_.read([&](store::Transaction& transaction) { found = find_token(transaction, presented.id); },
                  {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5)});
    } catch (const Error&) {
      throw nobody_can_judge("the store with the tokens does not answer");
    }
    // An unknown token takes as long as a wrong one.
    static const std::string nobody(hash.size(), '\0');
    const bool is_right = store::same_secret(hash, found ? found->hash : nobody) && found;
    const std::lock_guard lock(mutex_);
    if (!is_right) {
      known_.erase(key);
      throw wrong_credentials();
    }
    if (known_.size() >= kMostKnown) forget(asked);
    known_[key] = {.token = *found, .checked = asked, .used = asked};
    note_use_of(*found);
    wake_.notify_one();
    return *std::move(found);
  }

  // All below with the mutex held, but for what look_ahead calls.

  void forget(std::chrono::steady_clock::time_point now) const {
    std::erase_if(known_, [now](const auto& one) { return now - one.second.used > kUnusedTokenTime; });
    while (known_.size() > kMostKnown - kMostKnown / 4) known_.erase(known_.begin());
  }

  void note_use_of(const store::Token& token) const {
    const std::int64_t today = day_of(wall_time(clocks_));
    if (token.last_used_day.value_or(-1) < today) uses_.try_emplace(token.id, today);
  }

  void look_ahead(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      const auto has_work = [this] { return !known_.empty() || !uses_.empty(); };
      if (!has_work()) wake_.wait(lock, stop, has_work);
      wake_.wait_for(lock, stop, kRound, [] { return false; });
      if (stop.stop_requested()) return;
      forget_unused();
      lock.unlock();
      try {
        refresh();
        write_uses();
      } catch (const std::exception&) {
        // The store does not answer: requests will find out, and say so.
      }
      lock.lock();
    }
  }

  void forget_unused() const {
    const auto now = clocks_.steady();
    std::erase_if(known_, [now](const auto& one) { return now - one.second.used > kUnusedTokenTime; });
  }

  /// Reads the rows of all tokens that are in use, so that requests need not.
  void refresh() const {
    std::map<std::string, store::Token, std::less<>> rows;
    std::vector<std::string> ids;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [key, known] : known_) ids.push_back(known.token.id);
    }
    if (ids.empty()) return;
    const auto asked = clocks_.steady();
    store_.read(
        [&](store::Transaction& transaction) {
          rows.clear();
          if (ids.size() > kFewTokens) {
            for (store::Token& token : tokens(transaction)) rows.insert_or_assign(token.id, std::move(token));
          } else {
            for (const std::string& id : ids) {
              if (auto token = find_token(transaction, id)) rows.insert_or_assign(id, *std::move(token));
            }
          }
        },
        {.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5)});
    const std::lock_guard lock(mutex_);
    for (auto known = known_.begin(); known != known_.end();) {
      const auto row = rows.find(known->second.token.id);
      const bool was_asked = known->second.checked <= asked;
      if (was_asked && (row == rows.end() || row->second.hash != known->second.token.hash)) {
        known = known_.erase(known);
        continue;
      }
      if (was_asked) {
        known->second.token = row->second;
        known->second.checked = asked;
      }
      ++known;
    }
  }

  /// Notes the day of the last use; tells of tokens that are valid for less than a week.
  void write_uses() {
    std::map<std::string, std::int64_t, std::less<>> uses;
    {
      const std::lock_guard lock(mutex_);
      uses = uses_;
    }
    if (uses.empty()) return;
    std::vector<store::Token> ending;
    store_.database().write([&](store::Transaction& transaction) {
      ending.clear();
      for (const auto& [id, day] : uses) {
        const auto token = find_token(transaction, id);
        if (!token || token->last_used_day.value_or(-1) >= day) continue;
        note_use(transaction, id, day);
        if (ends_soon(*token, wall_time(clocks_))) ending.push_back(*token);
      }
    });
    forget_uses(uses);
    for (const store::Token& token : ending) {
      if (events_)
        events_("token-ends-soon",
                "the token '" + token.id + "' of the project '" + token.project + "' ends within a week");
    }
  }

  void forget_uses(const std::map<std::string, std::int64_t, std::less<>>& uses) const {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, day] : uses) {
      if (const auto found = uses_.find(id); found != uses_.end() && found->second == day) uses_.erase(found);
      for (auto& [key, known] : known_) {
        if (known.token.id == id) known.token.last_used_day = std::max(known.token.last_used_day.value_or(-1), day);
      }
    }
  }

  store::Store& store_;
  const IdentityEvents events_;
  const IdentityClocks clocks_;
  mutable std::mutex mutex_;  ///< Of all below.
  mutable std::condition_variable_any wake_;
  mutable std::unordered_map<std::string, Known> known_;                ///< By credentials_key.
  mutable std::map<std::string, std::int64_t, std::less<>> uses_ = {};  ///< Days that are to be written, by id.
  std::jthread thread_;                                                 ///< The last member: it ends first.
};

}  // namespace

std::unique_ptr<Recogniser> recognise_by_stored_tokens(store::Store& store, IdentityEvents events,
                                                       IdentityClocks clocks) {
  return std::make_unique<StoredTokens>(store, std::move(events), std::move(clocks));
}

}  // namespace strata::service
