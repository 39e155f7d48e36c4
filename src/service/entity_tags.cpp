// SPDX-License-Identifier: Apache-2.0
#include "service/entity_tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "tree/sha256.hpp"

namespace strata::service {

std::string entity_tag(std::string_view content) { return '"' + sha256_text(content).substr(0, 43) + '"'; }

namespace {

/// The tag of an answer in its plain form: others are the same thing in other bytes.
std::string plain_form(std::string tag) {
  for (const std::string_view form : {"-gzip\"", "-yaml\"", "-gzip\""}) {
    if (tag.ends_with(form)) tag.replace(tag.size() - form.size(), form.size(), "\"");
  }
  return tag;
}

constexpr char kDescription = '+';  ///< In tags of descriptions.

/// The tag of what a description describes.
std::string described_tag(std::string tag) {
  const std::size_t at = tag.find(kDescription);
  if (at != std::string::npos) tag.replace(at, std::string::npos, "\"");
  return tag;
}

/// Takes the next tag from a list.
std::string_view take_tag(std::string_view& list) {
  std::string_view one = list.substr(0, list.find(','));
  list.remove_prefix(std::min(list.size(), one.size() + 1));
  while (one.starts_with(' ') || one.starts_with('\t')) one.remove_prefix(1);
  while (one.ends_with(' ') || one.ends_with('\t')) one.remove_suffix(1);
  return one;
}

bool is_tag(std::string_view one, std::string_view tag) { return one == tag || plain_form(std::string(one)) == tag; }

}  // namespace

std::string description_tag(std::string_view tag, std::string_view content) {
  constexpr std::size_t kLength = 22;
  return fmt::format("{}{}{}\"", tag.substr(0, tag.size() - 1), kDescription, sha256_text(content).substr(0, kLength));
}

bool has_tag(std::string_view list, std::string_view tag) {
  while (!list.empty()) {
    const std::string_view one = take_tag(list);
    if (is_tag(one, tag) || is_tag(described_tag(std::string(one)), tag)) return true;
  }
  return false;
}

namespace {

/// The tag by which a client says that it has the answer. Empty: it does not.
std::string known_tag(const Request& request, std::string_view tag) {
  const std::string known = request.headers.list("If-None-Match");
  std::string_view list = known;
  const bool is_weak = tag.starts_with("W/");
  const std::string_view strong = tag.substr(is_weak ? 2 : 0);
  while (!list.empty()) {
    std::string_view one = take_tag(list);
    if (one == "*") return std::string(tag);
    if (one.starts_with("W/")) one.remove_prefix(2);
    if (is_tag(one, strong)) return std::string(is_weak ? tag : one);
    // Results of batches have their tags without quotes, and so do some clients.
    if (one == bare_tag(strong)) return std::string(tag);
  }
  return {};
}

}  // namespace

bool has_answer(const Request& request, std::string_view tag) { return !known_tag(request, tag).empty(); }

namespace {

/// Whether a header names what has `tags`.
bool names_one(const std::string& list, std::span<const std::string> tags) {
  return !tags.empty() &&
         (list == "*" || std::ranges::any_of(tags, [&list](const std::string& tag) { return has_tag(list, tag); }));
}

}  // namespace

bool allows_write(const Request& request, std::span<const std::string> tags) {
  return request.headers.find("If-Match") == nullptr || names_one(request.headers.list("If-Match"), tags);
}

void check_preconditions(const Call& call, std::span<const std::string> tags, bool demands_match, bool is_there) {
  const auto refuse = [tags](unsigned status, std::string code, std::string message) {
    Refusal out{.status = status,
                .code = std::move(code),
                .message = std::move(message),
                .hint = "",
                .type = "",
                .headers = {}};
    if (!tags.empty()) out.headers.add("ETag", tags.front());
    throw Refused(std::move(out));
  };
  const std::string expected = call.request.headers.list("If-Match");
  const bool names_nothing = expected == "*" && !is_there;
  if (names_nothing || !allows_write(call.request, tags)) {
    const bool is_absent = names_nothing || tags.empty();
    refuse(412, "request.precondition",
           is_absent ? std::string("it is not there") : fmt::format("it is {}, not {}", tags.front(), expected));
  }
  if (!is_there) return;
  if (names_one(call.request.headers.list("If-None-Match"), tags))
    refuse(412, "request.precondition", "it is there already");
  if (demands_match && call.request.headers.find("If-Match") == nullptr && !tags.empty())
    refuse(428, "request.if-match", "a change of what is there needs If-Match");
}

std::string_view bare_tag(std::string_view tag) { return tag.substr(1, tag.size() - 2); }

Response tagged(const Call& call, const std::string& tag, const std::string& body) {
  Response out{.status = 200, .headers = {{"ETag", tag}, {"Cache-Control", "private, no-cache"}}};
  if (std::string known = known_tag(call.request, tag); !known.empty()) {
    out.status = 304;
    out.headers.set("ETag", std::move(known));  // Of the form that the client has.
    return out;
  }
  out.headers.add("Content-Type", "application/json");
  out.body = body;
  return out;
}

}  // namespace strata::service
