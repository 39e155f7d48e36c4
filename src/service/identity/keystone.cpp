// SPDX-License-Identifier: Apache-2.0
// Tokens of Keystone.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <mutex>

#include "host/transfer.hpp"
#include "service/identity/key_source.hpp"
#include "service/identity/recognisers.hpp"
#include "service/identity/timed_cache.hpp"
#include "service/json.hpp"
#include "service/request_id.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kLongestKeystoneToken = 8192;
constexpr std::size_t kLargestAnswer = std::size_t{1} << 20U;
constexpr std::size_t kMostKeystoneTokens = 8192;
constexpr std::chrono::minutes kRight{5};
constexpr std::chrono::seconds kWrong{10};
constexpr std::chrono::seconds kEarlier{60};  ///< The service's own token is replaced so long before it ends.
constexpr std::chrono::seconds kSilence{5};   ///< After Keystone has not answered, it is not asked.
constexpr std::chrono::milliseconds kPatienceWithKeystone{10'000};

/// `2026-01-31T12:34:56.000000Z`: seconds since 1970. No value: another form.
std::optional<std::int64_t> time_of(std::string_view text) {
  const auto number = [text](std::size_t at, std::size_t size) -> std::optional<int> {
    int out = 0;
    if (text.size() < at + size) return std::nullopt;
    const auto [end, problem] = std::from_chars(text.data() + at, text.data() + at + size, out);
    return problem == std::errc() && end == text.data() + at + size ? std::optional(out) : std::nullopt;
  };
  const auto year = number(0, 4);
  const auto month = number(5, 2);
  const auto day = number(8, 2);
  const auto hour = number(11, 2);
  const auto minute = number(14, 2);
  const auto second = number(17, 2);
  if (!year || !month || !day || !hour || !minute || !second || *month < 1 || *day < 1 || !text.ends_with('Z'))
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(*year), std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const auto time = std::chrono::sys_days(date) + std::chrono::hours(*hour) + std::chrono::minutes(*minute) +
                    std::chrono::seconds(*second);
  return std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count();
}

const Value* member_at(const Value* at, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    if (at == nullptr || !at->is_mapping()) return nullptr;
    at = at->find(name);
  }
  return at;
}

std::string text_at(const Value* at, std::initializer_list<std::string_view> names) {
  const Value* found = member_at(at, names);
  return found != nullptr && found->is_text() ? std::string(found->text()) : std::string();
}

/// What an answer of Keystone says of a token.
struct ToldToken {
  Principal principal;
  std::int64_t expires = 0;
};

/// No value: the answer has another form.
std::optional<ToldToken> told_token(const std::string& text) {
  try {
    const JsonBody body = read_json_text(text, "<Keystone>", {.depth = 64, .input = kLargestAnswer});
    const Value* token = member_at(&body.root(), {"token"});
    const auto expires = time_of(text_at(token, {"expires_at"}));
    ToldToken out{.principal = {.name = text_at(token, {"user", "id"}),
                                .method = "keystone",
                                .project = text_at(token, {"project", "id"})},
                  .expires = expires.value_or(0)};
    if (!expires || out.principal.name.empty()) return std::nullopt;
    const Value* system = member_at(token, {"system", "all"});
    const bool is_of_system = system != nullptr && system->kind() == Kind::boolean && system->as_boolean();
    const Value* roles = member_at(token, {"roles"});
    // A token without a project is not one for all of them: its roles hold nowhere here, but for those of the system.
    if (roles != nullptr && roles->is_sequence() && (is_of_system || !out.principal.project.empty())) {
      for (const Value& role : roles->items()) {
        if (std::string name = text_at(&role, {"name"}); !name.empty()) out.principal.roles.push_back(std::move(name));
      }
    }
    out.principal.is_everywhere = is_of_system || out.principal.has_role("admin");
    const auto add = [&out](std::string_view name, std::string value) {
      if (!value.empty()) out.principal.attributes.push_back({std::string(name), std::move(value)});
    };
    if (is_of_system) add("system_scope", "all");
    add("domain_id", text_at(token, {"domain", "id"}));
    add("project_domain_id", text_at(token, {"project", "domain", "id"}));
    add("user_domain_id", text_at(token, {"user", "domain", "id"}));
    return out;
  } catch (const Error&) {
    return std::nullopt;
  }
}

class ByKeystone final : public Recogniser {
 public:
  ByKeystone(KeystoneOptions options, IdentityClocks clocks)
      : options_(std::move(options)),
        clocks_(std::move(clocks)),
        right_(kMostKeystoneTokens),
        wrong_(kMostKeystoneTokens) {
    while (options_.url.ends_with('/')) options_.url.pop_back();
    if (options_.url.ends_with("/v3")) options_.url.resize(options_.url.size() - 3);
  }

  [[nodiscard]] std::string_view name() const noexcept override { return "keystone"; }
  [[nodiscard]] std::string challenge() const override { return "Keystone uri=\"" + options_.url + "\""; }

  [[nodiscard]] bool is_brief(const Request& request) const override {
    const std::string* token = request.headers.find("X-Auth-Token");
    if (token == nullptr) return true;
    const std::string key = credentials_key(*token);
    const auto now = clocks_.steady();
    return right_.find(key, now).has_value() || wrong_.find(key, now).has_value();
  }

  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string* token = request.headers.find("X-Auth-Token");
    if (token == nullptr) return std::nullopt;
    if (!is_token_text(*token, kLongestKeystoneToken)) throw wrong_credentials();
    const std::string key = credentials_key(*token);
    const auto now = clocks_.steady();
    if (auto known = right_.find(key, now)) return known;
    if (wrong_.find(key, now)) throw wrong_credentials();
    std::optional<ToldToken> told = ask(*token, request);
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::seconds>(clocks_.wall().time_since_epoch()).count();
    if (!told || told->expires <= time) {
      wrong_.put(key, true, now + kWrong, now);
      throw wrong_credentials();
    }
    const std::chrono::seconds rest(told->expires - time);
    right_.put(key, told->principal, now + std::min<std::chrono::seconds>(rest, kRight), now);
    return std::move(told->principal);
  }

 private:
  /// No value: the token is not valid. Error (Refused, 503) if Keystone does not say.
  std::optional<ToldToken> ask(const std::string& token, const Request& request) const {
    const bool has_own = !options_.username.empty();
    for (const bool is_last : {false, true}) {
      const std::string own = has_own ? own_token(is_last, request) : token;
      TransferRequest question{
          .url = options_.url + "/v3/auth/tokens?nocatalog",
          .headers = {"X-Auth-Token: " + own, "X-Subject-Token: " + token, "Accept: application/json"}};
      const Transfer answer = exchange(std::move(question), request);
      if (answer.status == 200) {
        auto told = told_token(answer.body);
        if (!told) throw nobody_can_judge("Keystone answers in a form that is not known");
        return told;
      }
      if (answer.status == 404) return std::nullopt;
      // The service's own token may have been taken back; a token that is asked for with itself is wrong.
      if (answer.status == 401 && !has_own) return std::nullopt;
      if (answer.status != 401 || is_last)
        throw nobody_can_judge(fmt::format("Keystone answers with status {}", answer.status));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string own_token(bool is_refused, const Request& request) const {
    const std::lock_guard lock(mutex_);
    const auto now = clocks_.steady();
    if (!own_.empty() && now < own_until_ && !is_refused) return own_;
    const Transfer answer =
        exchange({.url = options_.url + "/v3/auth/tokens",
                  .body = login(),
                  .headers = {"Content-Type: application/json", "Accept: application/json", "Expect:"}},
                 request);
    const std::string_view token = answer.header("X-Subject-Token");
    const auto told = answer.status == 201 ? told_token(answer.body) : std::nullopt;
    if (!told || !is_token_text(token, kLongestKeystoneToken)) {
      throw nobody_can_judge(fmt::format("Keystone does not know the service itself: status {}", answer.status));
    }
    const std::int64_t time =
        std::chrono::duration_cast<std::chrono::seconds>(clocks_.wall().time_since_epoch()).count();
    own_ = token;
    own_until_ = now + std::chrono::seconds(told->expires - time) - kEarlier;
    return own_;
  }

  [[nodiscard]] std::string login() const {
    Arena arena;
    const auto text = [&arena](const std::string& value) { return arena.text(value); };
    const Value user = json_object(arena, {{"name", text(options_.username)},
                                           {"domain", json_object(arena, {{"name", text(options_.user_domain)}})},
                                           {"password", text(options_.password)}});
    SequenceBuilder methods(arena, 1);
    methods.append(arena.text("password"));
    const Value identity =
        json_object(arena, {{"methods", methods.finish()}, {"password", json_object(arena, {{"user", user}})}});
    MappingBuilder auth(arena);
    auth.insert("identity", identity);
    if (!options_.project.empty()) {
      const Value project =
          json_object(arena, {{"name", text(options_.project)},
                              {"domain", json_object(arena, {{"name", text(options_.project_domain)}})}});
      auth.insert("scope", json_object(arena, {{"project", project}}));
    }
    return text::write_json(json_object(arena, {{"auth", auth.finish()}}), {.indent = -1});
  }

  Transfer exchange(TransferRequest question, const Request& request) const {
    question.ca = options_.ca;
    question.connect_timeout = kPatienceWithKeystone;
    question.timeout = kPatienceWithKeystone;
    question.max_bytes = kLargestAnswer;
    add_trace(question.headers, request);
    const auto silent = [] { return nobody_can_judge("Keystone does not answer"); };
    // A request now would wait without a result, and others with it.
    if (clocks_.steady() < silent_until_.load()) throw silent();
    std::optional<Transfer> answer = transfer(question);
    if (!answer) throw nobody_can_judge("Keystone cannot be asked: libcurl is not installed");
    if (!answer->problem.empty() || answer->is_too_large) {
      silent_until_ = clocks_.steady() + kSilence;
      throw silent();
    }
    return *std::move(answer);
  }

  KeystoneOptions options_;
  const IdentityClocks clocks_;
  mutable TimedCache<Principal> right_;
  mutable TimedCache<bool> wrong_;
  mutable std::atomic<std::chrono::steady_clock::time_point> silent_until_ = std::chrono::steady_clock::time_point();
  mutable std::mutex mutex_;  ///< Of all below.
  mutable std::string own_;
  mutable std::chrono::steady_clock::time_point own_until_ = {};
};

}  // namespace

std::unique_ptr<Recogniser> recognise_by_keystone(KeystoneOptions options, IdentityClocks clocks) {
  if (!is_safe_url(options.url)) {
    throw Error("service.auth",
                "Keystone is asked by https, or by http on this machine: tokens and a password are sent to it")
        .hint("--auth keystone:https://HOST");
  }
  if (!options.username.empty() && options.password.empty())
    throw Error("service.auth", "the service's own user of Keystone has no password");
  return std::make_unique<ByKeystone>(std::move(options), std::move(clocks));
}

}  // namespace strata::service
