// SPDX-License-Identifier: Apache-2.0
#include "heat/attached_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "heat/documents.hpp"
#include "heat/file_references.hpp"
#include "heat/schema_reader.hpp"
#include "heat/template.hpp"
#include "heat/template_version.hpp"
#include "heat/url.hpp"
#include "python/data.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/scalar_text.hpp"
#include "strata/stop.hpp"
#include "text/unicode/characters.hpp"

namespace strata::heat {
namespace {

/// As the client asks it: `in` on whatever a text parsed to.
bool says_version(const Value& root) {
  return std::ranges::any_of(version_keys(), [&](std::string_view key) {
    if (root.is_text()) return root.text().find(key) != std::string_view::npos;
    if (root.is_sequence())
      return std::ranges::any_of(root.items(), [&](const Value& item) { return item.is_text() && item.text() == key; });
    return (root.is_mapping() || root.kind() == Kind::set) && root.find(key) != nullptr;
  });
}

/// Base64 in lines of 76 characters, each with its end.
std::string base64_lines(std::string_view bytes) {
  constexpr std::size_t kLine = 76;
  const std::string encoded = base64_encode(bytes);
  std::string lines;
  for (std::size_t at = 0; at < encoded.size(); at += kLine) lines.append(encoded, at, kLine).push_back('\n');
  return lines;
}

}  // namespace

std::string sent_text(std::string bytes) {
  return text::find_invalid_utf8(bytes) == std::string_view::npos ? std::move(bytes) : base64_lines(bytes);
}

void AttachedFiles::fail(const std::string& url, Origin user, const std::string& why) const {
  throw Error("bundle.fetch", fmt::format("could not fetch contents for {}: {}", url, why)).at(sources_, user);
}

std::string AttachedFiles::fetch(const std::string& url, Origin user) const {
  check_stop(limits_.stop);
  const Url parsed = parse_url(url);
  if (parsed.scheme == "http" || parsed.scheme == "https") {
    if (network_ == nullptr) {
      throw Error("bundle.network", fmt::format("the network is not allowed, and {} needs it", url))
          .at(sources_, user)
          .hint("--allow-network");
    }
    try {
      return network_->get(url, limits_.stop);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      fail(url, user, error.what());
    }
  }
  if (parsed.scheme != "file") fail(url, user, "unknown url type");
  if (!parsed.host.empty() && parsed.host != "localhost") fail(url, user, "a file of another host");
  try {
    auto bytes = tree_.read(path_of(parsed));
    if (bytes) return *std::move(bytes);
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    fail(url, user, error.what());
  }
  fail(url, user, "there is no such file");
}

void AttachedFiles::put(const std::string& url, const Value& text) {
  const auto [found, is_new] = index_.try_emplace(url, files_.size());
  if (is_new) {
    files_.emplace_back(url, text);
  } else {
    files_[found->second].second = text;
  }
}

text::Stretch AttachedFiles::stripped(SourceId source) const {
  const std::string_view all = sources_.text(source);
  const std::string_view text = text::unicode::strip(all, true, true);
  const auto begin = static_cast<std::size_t>(text.data() - all.data());
  return {.begin = begin, .end = begin + text.size()};
}

std::optional<text::Document> AttachedFiles::parse_template(SourceId source) {
  const text::Stretch stretch = stripped(source);
  const bool is_json = sources_.text(source).substr(stretch.begin, stretch.end - stretch.begin).starts_with('{');
  try {
    text::Document document = is_json ? text::read_json_stretch(sources_, source, stretch, limits_)
                                      : text::read_yaml_stretch(sources_, source, stretch, text::heat(), limits_);
    if (says_version(document.root)) {
      gather_hidden(document.root, hidden_);
      document.root = with_marked_defaults(arena_, document.root);
      warn_of_repeated_keys(session_, document.repeated_keys);
      return document;
    }
  } catch (const Error& error) {
    if (error.category() != Category::input) throw;
  }
  return std::nullopt;
}

void AttachedFiles::attach(const std::string& url, Origin user) {
  if (const auto done = attached_.find(url); done != attached_.end()) {
    put(url, done->second);
    return;
  }
  if (++begun_ > limits_.includes) {
    throw Error("limit.includes", fmt::format("more than {} files are attached", limits_.includes))
        .at(sources_, user)
        .hint("raise the limit with --limit includes=NUMBER");
  }
  const std::string bytes = fetch(url, user);
  Value text;
  if (text::find_invalid_utf8(bytes) != std::string_view::npos) {
    text = arena_.text(base64_lines(bytes));
  } else {
    const Url parsed = parse_url(url);
    const SourceId source = sources_.add(parsed.scheme == "file" ? path_of(parsed) : url, bytes);
    const auto document = parse_template(source);
    if (document) documents_.push_back(document->arena);
    text =
        (document ? template_text(url, document->root, user) : arena_.text(bytes)).with_origin(sources_.at(source, 0));
  }
  attached_.emplace(url, text);
  put(url, text);
}

Value AttachedFiles::template_text(const std::string& url, const Value& root, Origin user) {
  if (const auto circle = way_.circle(url); !circle.empty()) {
    throw Error("bundle.loop", fmt::format("the template uses itself: {} -> {}", fmt::join(circle, " -> "), url))
        .at(sources_, user);
  }
  if (way_.size() >= limits_.include_depth) {
    throw Error("limit.include-depth",
                fmt::format("templates are nested more than {} levels deep", limits_.include_depth))
        .at(sources_, user)
        .hint("raise the limit with --limit include-depth=NUMBER");
  }
  const Chain<std::string>::Step step(way_, url);
  return arena_.text(python::json(resolved(root, folder_of(url)))).with_secret(report::holds_secret(root));
}

text::Document AttachedFiles::read_template(const std::string& url, Origin user) {
  const std::string bytes = fetch(url, user);
  const Url parsed = parse_url(url);
  const SourceId source = sources_.add(parsed.scheme == "file" ? path_of(parsed) : url, bytes);
  auto document = parse_template(source);
  if (!document) {
    // The reader says better what is wrong.
    const text::Document again = read_template_text(sources_, source, [&] {
      return text::read_yaml_stretch(sources_, source, stripped(source), text::heat(), limits_);
    });
    throw Error("bundle.template", fmt::format("{} is not a template: it does not give its version", url))
        .at(sources_, again.root ? again.root.origin() : sources_.at(source, 0))
        .hint("begin it with `heat_template_version: 2018-08-31`");
  }
  const Chain<std::string>::Step step(way_, url);
  document->root = resolved(document->root, folder_of(url));
  return *std::move(document);
}

Value AttachedFiles::resolved(const Value& value, const std::string& base) {
  stop_.tick();
  if (value.is_sequence()) return with_members(arena_, value, [&](const Value& item) { return resolved(item, base); });
  return value.is_mapping() ? resolved_mapping(value, base) : value;
}

Value AttachedFiles::resolved_mapping(const Value& mapping, const std::string& base) {
  MappingBuilder out = MappingBuilder::copy_of(arena_, mapping);
  const auto entries = mapping.entries();
  // What is deeper comes first.
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].value.is_container()) out.replace(i, resolved(entries[i].value, base));
  }
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!template_names_file(entries[i])) continue;
    const Value& path = entries[i].value;
    const std::string url = referenced_url(base, path.text());
    attach(url, path.origin());
    out.replace(i, arena_.text(url).with_origin(path.origin()));
  }
  return out.finish();
}

}  // namespace strata::heat
