// SPDX-License-Identifier: Apache-2.0
// Tokens of a file.
#include <fmt/format.h>

#include <charconv>
#include <map>

#include "service/identity/recognisers.hpp"
#include "service/identity/reloaded_file.hpp"
#include "service/identity/token_principal.hpp"
#include "store/encoding.hpp"
#include "store/tokens.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::size_t kLargestTokenFile = std::size_t{16} << 20U;

using TokensById = std::map<std::string, store::Token, std::less<>>;

/// Reads a map of ids to tokens.
class TokenFileReader {
 public:
  TokenFileReader(const std::string& text, const std::string& file) : source_(sources_.add(file, text)) {}

  std::shared_ptr<const TokensById> read() {
    const text::Document document = text::read_yaml(sources_, source_, text::core12(), {.depth = 16, .aliases = 1000});
    auto out = std::make_shared<TokensById>();
    if (!document.root || document.root.is_null()) return out;
    if (!document.root.is_mapping()) fail(document.root, "a file of tokens is a map of ids to what they are");
    for (const Entry& entry : document.root.entries()) {
      if (!entry.key.is_text()) fail(entry.key, "the id of a token is a text");
      (*out)[std::string(entry.key.text())] = token_of(std::string(entry.key.text()), entry.value);
    }
    return out;
  }

 private:
  [[noreturn]] void fail(const Value& at, std::string why, std::string hint = {}) const {
    throw std::move(Error("service.tokens", std::move(why)).at(sources_, at.origin()).hint(std::move(hint)));
  }

  store::Token token_of(std::string id, const Value& value) const {
    if (!value.is_mapping()) fail(value, fmt::format("the token '{}' is a map", id));
    store::Token out{.id = std::move(id), .hash = {}, .project = "default", .roles = {}};
    for (const Entry& entry : value.entries()) {
      const std::string_view name = entry.key.is_text() ? entry.key.text() : std::string_view();
      if (name == "sha256") {
        const auto bytes = store::from_hex(text_of(entry.value, name));
        if (!bytes || bytes->size() != 32) fail(entry.value, "sha256 is 64 hexadecimal digits");
        out.hash = *bytes;
      } else if (name == "project") {
        out.project = text_of(entry.value, name);
        if (out.project.empty()) fail(entry.value, "a project has a name");
      } else if (name == "roles") {
        out.roles = roles(entry.value);
      } else if (name == "node") {
        out.node = text_of(entry.value, name);
      } else if (name == "expires") {
        out.expires_at = end_of(entry.value);
      } else {
        constexpr std::array<std::string_view, 5> kNames{"expires", "node", "project", "roles", "sha256"};
        fail(entry.key, fmt::format("a token has no '{}'", name),
             name_hint(kNames, name, "it has expires, node, project, roles and sha256"));
      }
    }
    if (out.hash.empty() || out.roles.empty())
      fail(value, fmt::format("the token '{}' needs sha256 and roles", out.id));
    // What `strata token create` refuses would open more than is meant, or nothing.
    if (out.id.empty()) fail(value, "a token has an id");
    try {
      store::check_new_token(
          {.id = out.id, .project = out.project, .roles = store::roles_of(out), .node = out.node.value_or("")});
    } catch (const Error& error) {
      fail(value, fmt::format("the token '{}': {}", out.id, error.what()));
    }
    return out;
  }

  std::string text_of(const Value& value, std::string_view name) const {
    if (!value.is_text()) fail(value, fmt::format("{} is a text", name));
    return std::string(value.text());
  }

  std::string roles(const Value& value) const {
    if (!value.is_sequence()) fail(value, "roles are a list");
    std::string out;
    for (const Value& role : value.items()) {
      const std::string name = text_of(role, "a role");
      if (name.empty() || name.find(',') != std::string::npos) fail(role, "a role has a name without commas");
      out.append(out.empty() ? "" : ",").append(name);
    }
    return out;
  }

  /// `2027-01-31`: valid until that day begins, UTC.
  std::int64_t end_of(const Value& value) const {
    const std::string text = text_of(value, "expires");
    int year = 0;
    unsigned month = 0;
    unsigned day = 0;
    const auto number = [&text](std::size_t at, std::size_t size, auto& out) {
      const char* end = text.data() + at + size;
      return std::from_chars(text.data() + at, end, out).ptr == end;
    };
    const bool is_read = text.size() == 10 && text[4] == '-' && text[7] == '-' && number(0, 4, year) &&
                         number(5, 2, month) && number(8, 2, day);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (!is_read || !date.ok()) fail(value, "expires is a day: 2027-01-31");
    return std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::sys_days(date).time_since_epoch())
        .count();
  }

  Sources sources_;
  SourceId source_;
};

class TokenFile final : public Recogniser {
 public:
  TokenFile(const std::string& file, IdentityEvents events, const IdentityClocks& clocks)
      : clocks_(clocks),
        tokens_(
            file, kLargestTokenFile, [file](const std::string& text) { return TokenFileReader(text, file).read(); },
            std::move(events), clocks) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "tokens"; }
  [[nodiscard]] std::string challenge() const override { return "Bearer realm=\"strata\""; }
  [[nodiscard]] bool is_brief(const Request& /*request*/) const override { return true; }

  [[nodiscard]] std::optional<Principal> recognise(const Request& request) const override {
    const std::string_view bearer = bearer_of(request);
    if (!bearer.starts_with("strata_")) return std::nullopt;
    const auto presented = store::read_token(bearer);
    if (!presented) throw wrong_credentials();
    const auto tokens = tokens_.current();
    const auto found = tokens->find(presented->id);
    const std::string hash = store::token_hash(presented->secret);
    static const std::string nobody(hash.size(), '\0');
    const bool is_right = store::same_secret(hash, found == tokens->end() ? nobody : found->second.hash);
    if (found == tokens->end() || !is_right || store::is_expired(found->second, wall_time(clocks_)))
      throw wrong_credentials();
    return token_principal(found->second);
  }

 private:
  const IdentityClocks clocks_;
  mutable ReloadedFile<TokensById> tokens_;
};

}  // namespace

std::unique_ptr<Recogniser> recognise_by_token_file(const std::string& file, IdentityEvents events,
                                                    const IdentityClocks& clocks) {
  return std::make_unique<TokenFile>(file, std::move(events), clocks);
}

}  // namespace strata::service
