// SPDX-License-Identifier: Apache-2.0
#include "archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "detect.hpp"
#include "python/data.hpp"
#include "python_text.hpp"
#include "strata/scalar_text.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "text/repeated_keys.hpp"
#include "value/fields.hpp"

namespace strata::cloudinit {
namespace {

/// Keys that say what the part is; all others become headers of it.
bool is_reserved(std::string_view key) {
  constexpr std::array<std::string_view, 7> kReserved = {
      "content", "filename", "type", "launch-index", "content-disposition", "number-attachments", "content-type"};
  return std::ranges::find(kReserved, lower(key)) != kReserved.end();
}

/// As Python converts it to text.
std::string as_text(const Value& value) {
  if (value.is_text()) return std::string(value.text());
  if (value.is_null()) return "None";
  if (value.kind() == Kind::boolean) return value.as_boolean() ? "True" : "False";
  return scalar_text(value);
}

/// The places of the lines of a literal block in `outer`, where the block begins at `offset`; empty where they are not
/// written there as they are.
std::vector<Segment> locate_block(const Sources& sources, SourceId source, std::size_t offset, std::string_view text) {
  const std::string_view outer = sources.text(source);
  std::vector<Segment> segments;
  std::size_t line = outer.find('\n', offset);
  if (line == std::string_view::npos) return {};
  ++line;
  for (std::size_t at = 0; at < text.size();) {
    if (line >= outer.size()) return {};
    const std::size_t feed = std::min(outer.find('\n', line), outer.size());
    const std::string_view written = without_line_end(outer.substr(line, std::min(feed + 1, outer.size()) - line));
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view wanted = text.substr(at, end - at);
    const bool is_there =
        wanted.empty() ? written.find_first_not_of(' ') == std::string_view::npos
                       : written.ends_with(wanted) && written.find_first_not_of(' ') >= written.size() - wanted.size();
    if (!is_there) return {};
    segments.push_back(
        {.inner = static_cast<std::uint32_t>(at), .outer = sources.at(source, line + written.size() - wanted.size())});
    at = end + 1;
    line = feed + 1;
  }
  return segments;
}

/// The place of a scalar's text in `source`; empty where it was written in another way.
std::vector<Segment> locate(const Sources& sources, SourceId source, const Value& scalar) {
  const std::string_view outer = sources.text(source);
  const std::string_view text = scalar.text();
  const std::uint32_t base = sources.at(source, 0).location;
  const std::size_t offset = scalar.origin().location - base;
  // An alias is not at the place of the text itself.
  if (scalar.origin().location < base || offset >= outer.size()) return {};
  if (outer[offset] == '|') return locate_block(sources, source, offset, text);
  const bool is_quoted = outer[offset] == '\'' || outer[offset] == '"';
  const std::size_t begin = is_quoted ? offset + 1 : offset;
  if (text.find('\n') != std::string_view::npos || !outer.substr(begin).starts_with(text)) return {};
  if (is_quoted && outer.substr(begin + text.size(), 1) != outer.substr(offset, 1)) return {};
  return {{.inner = 0, .outer = sources.at(source, begin)}};
}

/// For an entry that is a cloud-config itself.
constexpr std::string_view kBelowContent =
    "a cloud-config belongs below 'content': write 'content: |', and the mapping indented below it";

class ArchiveEntry {
 public:
  ArchiveEntry(const Sources& sources, SourceId archive, const Value& entry)
      : sources_(sources), archive_(archive), entry_(entry) {}

  std::unique_ptr<Message> read() {
    const Value* content = entry_.is_mapping() ? entry_.find("content") : &entry_;
    const bool is_binary = content != nullptr && content->kind() == Kind::binary;
    if (content != nullptr && !content->is_text() && !is_binary) {
      throw error("archive.content", wrong_kind("the content of an archive entry", "text", *content), *content)
          .hint("quote it, or write it as a block after '|'");
    }
    const std::string_view bytes = content == nullptr ? std::string_view() : content->text();
    const bool is_utf8 = text::find_invalid_utf8(bytes) == std::string_view::npos;
    std::string type = declared_type();
    if (type.empty() && is_utf8) type = detect_type(bytes);
    if (type.empty()) type = is_binary ? "application/octet-stream" : "text/cloud-config";

    auto result = std::make_unique<Message>();
    const bool is_text = type.starts_with("text/");
    if (is_text && !is_utf8) {
      throw error("archive.content", "the content of an archive entry of a text type must be UTF-8",
                  content == nullptr ? entry_ : *content);
    }
    result->headers = {{"Content-Type", is_text ? type + "; charset=\"utf-8\"" : type}, {"MIME-Version", "1.0"}};
    // The reference encodes text itself: an encoding that the entry names counts for other types only.
    if (is_text) result->headers.push_back({"Content-Transfer-Encoding", "7bit"});
    result->may_be_damaged = !is_text && !is_binary;
    std::vector<Segment> segments =
        content == nullptr || is_binary ? std::vector<Segment>() : locate(sources_, archive_, *content);
    result->body = Body(archive_, std::string(bytes), std::move(segments));
    if (entry_.is_mapping()) add_headers(*result);
    return result;
  }

 private:
  [[nodiscard]] Error error(std::string_view code, std::string message, const Value& value) const {
    return Error(code, std::move(message)).at(sources_, value.origin());
  }

  std::string declared_type() const {
    const Value* type = entry_.is_mapping() ? entry_.find("type") : nullptr;
    if (type == nullptr || !python::truth(*type)) return {};
    if (!type->is_text() || type->text().find('/') == std::string_view::npos) {
      throw error("archive.type",
                  fmt::format("the type '{}' of an archive entry is not a content type", as_text(*type)), *type)
          .hint("write it as 'text/cloud-config', or leave it out");
    }
    return std::string(type->text());
  }

  void add_headers(Message& message) const {
    if (const Value* name = entry_.find("filename")) set_file_name(message.headers, as_text(*name));
    if (const Value* index = entry_.find("launch-index")) message.headers.push_back({"Launch-Index", as_text(*index)});
    for (const strata::Entry& entry : entry_.entries()) {
      if (!entry.key.is_text()) {
        throw error("archive.header",
                    fmt::format("the key '{}' of an archive entry is not a header name", as_text(entry.key)), entry.key)
            .hint("quote it");
      }
      if (is_reserved(entry.key.text())) continue;
      if (!entry.value.is_text() && !entry.value.is_null()) {
        throw error(
            "archive.header",
            wrong_kind(fmt::format("the header '{}' of an archive entry", entry.key.text()), "text", entry.value),
            entry.value)
            .hint(entry_.find("content") == nullptr ? std::string(kBelowContent) : "quote it");
      }
      message.headers.push_back(
          {std::string(entry.key.text()), entry.value.is_null() ? std::string() : std::string(entry.value.text())});
    }
  }

  const Sources& sources_;
  SourceId archive_;
  const Value& entry_;
};

void warn(Diagnostics& diagnostics, Diagnostic diagnostic) {
  diagnostic.code = "archive.syntax";
  diagnostic.message = "the archive is left out: " + diagnostic.message;
  diagnostics.warn(std::move(diagnostic));
}

/// The members of an entry without content become headers, although they look like a cloud-config.
void warn_of_missing_content(Session& session, const Value& entry) {
  if (!entry.is_mapping() || entry.find("content") != nullptr) return;
  const auto becomes_header = [](const strata::Entry& member) {
    return member.key.is_text() && !is_reserved(member.key.text()) &&
           (member.value.is_text() || member.value.is_null());
  };
  const auto found = std::ranges::find_if(entry.entries(), becomes_header);
  if (found == entry.entries().end()) return;
  session.diagnostics().warn(
      Error("archive.no-content", fmt::format("this archive entry has no 'content': '{}' becomes a header of an empty "
                                              "part",
                                              text::shown_key(found->key.text())))
          .at(session.sources(), found->key.origin())
          .hint(std::string(kBelowContent))
          .diagnostic());
}

}  // namespace

std::vector<std::unique_ptr<Message>> read_archive(Session& session, SourceId archive) {
  Sources& sources = session.sources();
  std::vector<std::unique_ptr<Message>> result;
  text::Document document;
  try {
    document = text::read_yaml(sources, archive, text::pyyaml(), session.limits());
  } catch (const Error& error) {
    if (error.gives_up()) throw;
    warn(session.diagnostics(), error.diagnostic());
    return result;
  }
  const Value& root = document.root;
  text::warn_of_repeated_keys(session.diagnostics(), sources, document, "cloud-config.repeated-key", "the archive: ");
  if (!root || root.is_null()) return result;
  if (!root.is_sequence() && root.kind() != Kind::set) {
    warn(session.diagnostics(), Error("", wrong_kind("its root", "a sequence", root))
                                    .at(sources, root.origin())
                                    .hint("begin each entry with '- '")
                                    .diagnostic());
    return result;
  }
  StopCheck stop(session.limits().stop);
  const auto add = [&](const Value& entry) {
    stop.tick();
    warn_of_missing_content(session, entry);
    if (entry.is_text() || entry.is_mapping()) result.push_back(ArchiveEntry(sources, archive, entry).read());
  };
  if (root.is_sequence()) {
    for (const Value& entry : root.items()) add(entry);
  } else {
    for (const strata::Entry& entry : root.entries()) add(entry.key);
  }
  return result;
}

}  // namespace strata::cloudinit
