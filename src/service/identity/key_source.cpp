// SPDX-License-Identifier: Apache-2.0
#include "service/identity/key_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "host/transfer.hpp"
#include "service/identity/reloaded_file.hpp"
#include "service/request_id.hpp"
#include "strata/error.hpp"
#include "value/shown_url.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kLargestJwks = std::size_t{1} << 20U;
constexpr std::chrono::minutes kShortestRefresh{5};
constexpr std::chrono::hours kLongestRefresh{24};
constexpr std::chrono::hours kUsualRefresh{1};
constexpr std::chrono::seconds kUnknownKey{60};
constexpr std::chrono::seconds kAfterFailure{60};      ///< While there are keys.
constexpr std::chrono::seconds kAfterFirstFailure{5};  ///< While there are none.
constexpr std::chrono::milliseconds kFetchTimeout{10'000};

class KeyFile final : public KeySource {
 public:
  KeyFile(const std::string& file, IdentityEvents events, const IdentityClocks& clocks)
      : keys_(
            file, kLargestJwks, [file](const std::string& text) { return std::make_shared<const KeySet>(text, file); },
            std::move(events), clocks) {}
  [[nodiscard]] bool is_ready() override { return true; }
  [[nodiscard]] std::shared_ptr<const KeySet> current(const Request& /*request*/) override { return keys_.current(); }
  [[nodiscard]] std::shared_ptr<const KeySet> newer(const Request& /*request*/) override { return keys_.current(); }

 private:
  ReloadedFile<KeySet> keys_;
};

class KeyUrl final : public KeySource {
 public:
  KeyUrl(std::string url, std::string ca, IdentityEvents events, IdentityClocks clocks)
      : url_(std::move(url)), ca_(std::move(ca)), events_(std::move(events)), clocks_(std::move(clocks)) {}

  [[nodiscard]] bool is_ready() override {
    const std::lock_guard lock(mutex_);
    return keys_ != nullptr && clocks_.steady() < due_;
  }

  [[nodiscard]] std::shared_ptr<const KeySet> current(const Request& request) override {
    const auto now = clocks_.steady();
    {
      const std::lock_guard lock(mutex_);
      if (keys_ != nullptr && now < due_) return keys_;
      if (keys_ == nullptr && now < due_) throw nobody_can_judge("the keys of the issuer of tokens cannot be had");
    }
    return fetched(now, false, request);
  }

  [[nodiscard]] std::shared_ptr<const KeySet> newer(const Request& request) override {
    const auto now = clocks_.steady();
    {
      const std::lock_guard lock(mutex_);
      if (keys_ != nullptr && now - asked_ < kUnknownKey) return keys_;
    }
    return fetched(now, true, request);
  }

 private:
  /// Asks, unless another thread does already: then its answer is waited for only where keys are missing.
  std::shared_ptr<const KeySet> fetched(std::chrono::steady_clock::time_point now, bool in_any_case,
                                        const Request& request) {
    std::unique_lock asking(asking_, std::defer_lock);
    {
      const std::lock_guard lock(mutex_);
      if (keys_ != nullptr && !asking.try_lock()) return keys_;
    }
    if (!asking.owns_lock()) asking.lock();
    {
      const std::lock_guard lock(mutex_);
      if (keys_ != nullptr && (in_any_case ? now - asked_ < kUnknownKey : now < due_)) return keys_;
      if (keys_ == nullptr && now < due_) throw nobody_can_judge("the keys of the issuer of tokens cannot be had");
      asked_ = now;
    }
    std::string problem;
    std::shared_ptr<const KeySet> keys;
    std::chrono::seconds kept{0};
    try {
      TransferRequest question{.url = url_,
                               .headers = {"Accept: application/jwk-set+json, application/json"},
                               .ca = ca_,
                               .connect_timeout = kFetchTimeout,
                               .timeout = kFetchTimeout,
                               .max_bytes = kLargestJwks};
      add_trace(question.headers, request);
      const auto answer = transfer(question);
      if (!answer) {
        problem = "libcurl is not installed";
      } else if (!answer->problem.empty() || answer->is_too_large || answer->status != 200) {
        problem = answer->is_too_large       ? "the answer is too large"
                  : !answer->problem.empty() ? answer->problem
                                             : fmt::format("status {}", answer->status);
      } else {
        keys = std::make_shared<const KeySet>(answer->body, shown_url(url_));
        kept = kept_for(answer->header("Cache-Control"));
      }
    } catch (const Error& error) {
      problem = error.what();
    }
    if (keys == nullptr && events_) events_("jwks-failed", shown_url(url_) + ": " + problem);
    const std::lock_guard lock(mutex_);
    if (keys != nullptr) {
      keys_ = std::move(keys);
      due_ = now + kept;
      return keys_;
    }
    due_ = now + (keys_ != nullptr ? kAfterFailure : kAfterFirstFailure);
    if (keys_ == nullptr) throw nobody_can_judge("the keys of the issuer of tokens cannot be had");
    return keys_;
  }

  const std::string url_;
  const std::string ca_;
  const IdentityEvents events_;
  const IdentityClocks clocks_;
  std::mutex asking_;
  std::mutex mutex_;  ///< Of all below.
  std::shared_ptr<const KeySet> keys_;
  std::chrono::steady_clock::time_point asked_ = {};
  std::chrono::steady_clock::time_point due_ = {};
};

}  // namespace

std::chrono::seconds kept_for(std::string_view cache_control) {
  constexpr std::string_view kMaxAge = "max-age=";
  std::optional<std::int64_t> seconds;
  for (std::string_view word : members_of(cache_control, ',')) {
    if (same_name(word, "no-store") || same_name(word, "no-cache")) return kShortestRefresh;
    if (word.size() <= kMaxAge.size() || !same_name(word.substr(0, kMaxAge.size()), kMaxAge)) continue;
    word.remove_prefix(kMaxAge.size());
    std::int64_t number = 0;
    const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (end == word.data() + word.size())
      seconds = problem == std::errc() ? number : std::chrono::seconds(kLongestRefresh).count();
  }
  if (!seconds) return kUsualRefresh;
  return std::clamp<std::chrono::seconds>(std::chrono::seconds(*seconds), kShortestRefresh, kLongestRefresh);
}

bool is_safe_url(std::string_view url) {
  if (url.starts_with("https://")) return true;
  constexpr std::string_view kHttp = "http://";
  if (!url.starts_with(kHttp)) return false;
  url.remove_prefix(kHttp.size());
  url = url.substr(0, url.find_first_of("/?#"));
  if (url.find('@') != std::string_view::npos) return false;
  const std::string_view host = url.starts_with('[') ? url.substr(0, url.find(']') + 1) : url.substr(0, url.find(':'));
  return host == "127.0.0.1" || host == "localhost" || host == "[::1]";
}

std::unique_ptr<KeySource> keys_of_file(const std::string& file, IdentityEvents events, const IdentityClocks& clocks) {
  return std::make_unique<KeyFile>(file, std::move(events), clocks);
}

std::unique_ptr<KeySource> keys_of_url(std::string url, std::string ca, IdentityEvents events, IdentityClocks clocks) {
  return std::make_unique<KeyUrl>(std::move(url), std::move(ca), std::move(events), std::move(clocks));
}

}  // namespace strata::service
