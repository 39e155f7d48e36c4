// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/parallel_stream.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "strata/error.hpp"
#include "text/yaml/profile.hpp"
#include "text/yaml/reader.hpp"
#include "value/in_order.hpp"

namespace strata::text {
namespace {

constexpr std::size_t kPart = std::size_t{1} << 16U;  ///< Bytes of a part, or somewhat more.

bool ends_marker(char c) { return c == ' ' || c == '\n'; }

/// Parts that begin with `---`, but for the first one. Empty: the text is for one thread.
std::vector<Stretch> parts_of(std::string_view text) {
  std::vector<Stretch> parts;
  std::size_t begin = 0;
  for (std::size_t at = text.find("\n---", kPart); at != std::string_view::npos;
       at = text.find("\n---", begin + kPart)) {
    // A longer row of them is something else: look for the next one.
    while (at != std::string_view::npos && (at + 4 >= text.size() || !ends_marker(text[at + 4])))
      at = text.find("\n---", at + 1);
    if (at == std::string_view::npos) break;
    parts.push_back({.begin = begin, .end = at + 1});
    begin = at + 1;
  }
  if (!parts.empty()) parts.push_back({.begin = begin, .end = text.size()});
  return parts;
}

/// All documents; no value where a part is not for this.
std::optional<std::vector<Document>> read_parts(const std::shared_ptr<Executor>& executor, Sources& sources,
                                                SourceId source, const Profile& profile, const Limits& limits,
                                                const std::vector<Stretch>& parts) {
  auto next = parts.begin();
  const auto read_part = [&](const Stretch& part) {
    DocumentPool pool(std::make_shared<Arena>((part.end - part.begin) * 5 / 2));
    return read_scanned_part(sources, source, part, profile, limits, pool);
  };
  // Nothing waits for its turn: all are kept anyway.
  detail::InOrder<Stretch, std::vector<Document>> work(
      executor, limits.depth, [&] { return next == parts.end() ? std::nullopt : std::optional(*next++); }, read_part,
      parts.size());
  std::vector<Document> all;
  try {
    while (auto some = work.next()) std::ranges::move(*some, std::back_inserter(all));
  } catch (const NotScanned&) {
    return std::nullopt;
  } catch (const Error&) {
    // Whatever it is, reading in order finds it at its place.
    return std::nullopt;
  }
  return all;
}

}  // namespace

std::vector<Document> read_yaml_stream(const std::shared_ptr<Executor>& executor, Sources& sources, SourceId source,
                                       const Profile& profile, const Limits& limits, DocumentPool& pool,
                                       std::size_t least) {
  const std::string_view text = sources.text(source);
  const bool is_large =
      executor != nullptr && executor->width() != 0 && text.size() >= least && text.size() <= limits.input;
  // A tab, a directive or the end of a stream: rare, and for one thread.
  const bool may_be_parted = is_large && profile.stream == Stream::all && !limits.libyaml_alone &&
                             text.find('\t') == std::string_view::npos && text.find("\n%") == std::string_view::npos &&
                             text.find("\n...") == std::string_view::npos;
  if (may_be_parted) {
    const std::vector<Stretch> parts = parts_of(text);
    if (parts.size() > 1) {
      if (auto documents = read_parts(executor, sources, source, profile, limits, parts)) return std::move(*documents);
    }
  }
  return read_yaml_stream(sources, source, profile, limits, pool);
}

}  // namespace strata::text
