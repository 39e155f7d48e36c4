// SPDX-License-Identifier: Apache-2.0
#include "puppetdb.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "pushdown.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"
#include "value/shown_url.hpp"

namespace strata::bindings::queries {
namespace {

constexpr int kOk = 200;

/// The beginning of what a server said, in one line of printable characters.
std::string beginning(std::string_view body) {
  constexpr std::size_t kShown = 200;
  std::string out(body.substr(0, kShown));
  if (const std::size_t invalid = text::find_invalid_utf8(out); invalid != std::string_view::npos) out.resize(invalid);
  std::ranges::replace_if(
      out, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  return body.size() > out.size() ? out + "…" : out;
}

class PuppetDb final : public QueryService {
 public:
  PuppetDb(const PuppetDbSettings& settings, HttpClient* client, Sources& sources, const Limits& limits,
           std::string own_certname, std::function<std::string(const std::string& url)> when_refused)
      : settings_(settings),
        client_(client),
        sources_(sources),
        limits_(limits),
        own_certname_(std::move(own_certname)),
        when_refused_(std::move(when_refused)),
        url_(settings.url) {
    while (url_.ends_with('/')) url_.pop_back();
    title_ = fmt::format("PuppetDB at {}", shown_url(url_));
    url_ += "/pdb/query/v4";
    shown_ = shown_url(url_);
  }

  const ResourceSet& ask(const Query& query) override {
    std::string pushed = pushed_query(query, own_certname_);
    const auto known = answers_.find(pushed);
    if (known != answers_.end()) return *known->second;
    auto answer = read(fetch(pushed, query.origin), query.origin);
    return *answers_.emplace(std::move(pushed), std::move(answer)).first->second;
  }

  [[nodiscard]] std::optional<std::vector<std::string>> parameter_names(std::string_view /*type*/) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::string title() const override { return title_; }

 private:
  std::string fetch(const std::string& pushed, Origin origin) {
    if (client_ == nullptr) {
      std::string hint = "give resources with --inventory FILE";
      if (const std::string way = when_refused_ ? when_refused_(shown_url(settings_.url)) : std::string(); !way.empty())
        hint += "; or " + way;
      throw Error("query.unavailable", fmt::format("{} cannot be queried: network access is not allowed here", shown_))
          .at(sources_, origin)
          .hint(std::move(hint));
    }
    HttpRequest request;
    request.url = url_;
    request.body = fmt::format("{{\"query\": {}}}", pushed);
    request.ca = settings_.ssl_ca;
    request.certificate = settings_.ssl_cert;
    request.key = settings_.ssl_key;
    request.timeout = std::chrono::seconds(settings_.timeout);
    request.connect_timeout = std::min<std::chrono::milliseconds>(request.connect_timeout, request.timeout);
    request.max_bytes = limits_.input;
    request.stop = limits_.stop;
    HttpAnswer answer;
    try {
      answer = client_->post(request);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      const bool is_limit = error.category() == strata::Category::limit;
      throw Error(is_limit ? error.code() : "query.failed", error.what())
          .at(sources_, origin)
          .hint(error.diagnostic().hint);
    }
    if (answer.status != kOk) {
      throw Error("query.failed",
                  fmt::format("{} answers with status {}: {}", shown_, answer.status, beginning(answer.body)))
          .at(sources_, origin);
    }
    return std::move(answer.body);
  }

  std::unique_ptr<ResourceSet> read(std::string body, Origin origin) {
    const auto refuse = [&](std::string_view why) -> Error {
      return Error("query.answer", fmt::format("the answer of {} is not a list of resources: {}", shown_, why))
          .at(sources_, origin);
    };
    const SourceId source = sources_.add(shown_, std::move(body));
    try {
      const text::Document document = text::read_json(sources_, source, limits_);
      if (!document.root.is_sequence())
        throw Error("query.answer", fmt::format("it is {}", describe(document.root.kind())));
      auto set = std::make_unique<ResourceSet>(sources_, document.arena, document.root, "an answer of PuppetDB");
      set->sort();
      return set;
    } catch (const Error& error) {
      if (error.category() == strata::Category::limit || error.ends_request()) throw;
      const Place& place = error.diagnostic().where.place;
      throw refuse(place.line
                       ? fmt::format("{} (line {}, column {})", error.what(), *place.line, place.column.value_or(1))
                       : error.what());
    }
  }

  PuppetDbSettings settings_;
  HttpClient* client_;
  Sources& sources_;
  const Limits& limits_;
  std::string own_certname_;
  std::function<std::string(const std::string& url)> when_refused_;
  std::string url_;
  std::string shown_;  ///< The same in messages.
  std::string title_;
  TextMap<std::unique_ptr<ResourceSet>> answers_;
};

}  // namespace

std::unique_ptr<QueryService> puppetdb(const PuppetDbSettings& settings, HttpClient* client, Sources& sources,
                                       const Limits& limits, std::string own_certname,
                                       std::function<std::string(const std::string& url)> when_refused) {
  return std::make_unique<PuppetDb>(settings, client, sources, limits, std::move(own_certname),
                                    std::move(when_refused));
}

}  // namespace strata::bindings::queries
