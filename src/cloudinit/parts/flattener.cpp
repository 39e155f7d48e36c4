// SPDX-License-Identifier: Apache-2.0
#include "flattener.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "archive.hpp"
#include "detect.hpp"
#include "gzip.hpp"
#include "include_list.hpp"
#include "launch_index.hpp"
#include "message_parser.hpp"
#include "python_text.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "warnings.hpp"

namespace strata::cloudinit {
namespace {

constexpr std::string_view kNotMultipart = "text/x-not-multipart";

bool is_gzip_type(std::string_view type) {
  constexpr std::array<std::string_view, 8> kTypes = {"application/gzip",         "application/gzip-compressed",
                                                      "application/gzipped",      "application/x-compress",
                                                      "application/x-compressed", "application/x-gunzip",
                                                      "application/x-gzip",       "application/x-gzip-compressed"};
  return std::ranges::find(kTypes, type) != kTypes.end();
}

/// Types that say so little that the text itself is asked.
bool is_vague(std::string_view type) {
  return type == "text/plain" || type == kNotMultipart || type == "text/x-shellscript";
}

bool is_network(std::string_view location) {
  const std::string start = lower(location.substr(0, 8));
  return start.starts_with("http://") || start.starts_with("https://") || start.starts_with("ftp://") ||
         start.starts_with("ftps://");
}

/// The path that a location names: `file:PATH`, `file://PATH` or a path.
std::string_view path_of(std::string_view location) {
  if (equal_ignoring_case(location.substr(0, 5), "file:"))
    location.remove_prefix(5);
  else
    return location;
  if (location.starts_with("//")) location.remove_prefix(2);
  return location;
}

/// Runs `read`; where it throws, the error also shows the include.
template <typename Read>
std::optional<std::string> noting(const Sources& sources, Origin where, const Read& read) {
  try {
    return read();
  } catch (Error& error) {
    throw std::move(error).note(sources, where, "included here");
  }
}

/// Runs `inflate`; where it throws, the error gets a place.
template <typename Inflate>
Inflated inflated_at(const Sources& sources, Origin where, const Inflate& inflate) {
  try {
    return inflate();
  } catch (Error& error) {
    throw std::move(error).at(sources, where);
  }
}

/// What messages call a part that is a whole file.
std::string label_of_file(const std::string& file, const std::string& number) {
  return fmt::format("{} ({})", file, number);
}

std::string part_number(std::size_t number) { return fmt::format("part-{:03}", number); }

}  // namespace

const std::string* Part::header(std::string_view wanted) const noexcept {
  const bool is_there = std::ranges::any_of(headers, [&](const Header& header) { return header.name == wanted; });
  return is_there ? find_header(headers, wanted) : nullptr;
}

std::vector<Part> Flattener::flatten(std::span<const SourceId> blobs, const std::optional<std::string>& launch_index) {
  messages_.clear();
  attached_.clear();
  chain_.clear();
  visited_ = 0;
  launch_index_ = launch_index;
  for (const SourceId blob : blobs) process_blob(blob);
  std::vector<Part> parts;
  for (Message* message : attached_) emit(*message, parts);
  messages_.clear();
  attached_.clear();
  return parts;
}

Message& Flattener::keep(std::unique_ptr<Message> message) {
  messages_.push_back(std::move(message));
  return *messages_.back();
}

void Flattener::process_blob(SourceId blob) {
  check_stop(limits_.stop);
  bool is_inflated = false;
  if (has_gzip_magic(sources_.text(blob))) {
    Inflated inflated =
        inflated_at(sources_, sources_.at(blob, 0), [&] { return inflate_gzip(sources_.text(blob), limits_); });
    is_inflated = inflated.problem.empty();
    if (is_inflated) blob = sources_.add_decoded(blob, sources_.part(blob), std::move(inflated.text));
  }
  const std::string_view text = sources_.text(blob);
  if (is_message(text)) {
    if (const std::size_t bad = text::find_invalid_utf8(text); bad != std::string_view::npos) {
      throw Error("mime.encoding", "this message is not UTF-8")
          .at(sources_, sources_.at(blob, bad))
          .hint("encode the part as base64");
    }
    Message& message = keep(parse_message(sources_, blob, limits_));
    process_message(message, message);
    return;
  }
  auto message = std::make_unique<Message>();
  message->headers = {{"Content-Type", std::string(kNotMultipart)}, {"MIME-Version", "1.0"}};
  message->body = Body(blob, Range{0, text.size()});
  message->is_encoded = false;
  Message& kept = keep(std::move(message));
  if (detect_type(text).empty()) warn_about_blob(diagnostics_, sources_, blob, is_inflated, limits_);
  process_message(kept, kept);
}

/// Handles one message and then those inside it. `base` is the outermost one: the reference writes the type of each
/// part there, which shows where it is a part itself.
void Flattener::process_message(Message& base, Message& message) {
  check_stop(limits_.stop);
  const std::string declared = message.type();
  if (main_type(declared) != "multipart") {
    Message& part = is_gzip_type(declared) ? inflate(message, declared) : message;
    const std::string known = &part == &message ? declared : "text/plain";
    const std::string_view payload = part.payload(sources_);
    const std::string_view detected = is_vague(known) ? detect_type(payload) : std::string_view();
    const std::string type = detected.empty() ? known : std::string(detected);
    if (type != known) replace_header(part.headers, "Content-Type", type);
    if (type == "text/x-include-url" || type == "text/x-include-once-url") {
      include(part);
    } else if (type == "text/cloud-config-archive") {
      for (auto& entry : read_archive(session_, part.body.source(sources_, file_name_of(part.headers)))) {
        attach(keep(std::move(entry)));
      }
    } else {
      replace_header(base.headers, "Content-Type", type);
      attach(part);
    }
  } else if (!message.boundary_problem.empty()) {
    warn_at(diagnostics_, sources_, message.body, "mime.boundary",
            fmt::format("a multipart message has no parts: {}", message.boundary_problem),
            "give it a boundary parameter, and write the boundary after '--' before each part");
  }
  for (const auto& child : message.children) process_message(base, *child);
}

Message& Flattener::inflate(Message& compressed, const std::string& declared) {
  std::string name = file_name_of(compressed.headers);
  const std::string shown = name.empty() ? part_number(attached_.size() + 1) : name;
  const std::string_view payload = compressed.payload(sources_);
  Inflated inflated =
      inflated_at(sources_, compressed.body.origin(sources_), [&] { return inflate_gzip(payload, limits_); });
  const auto fail = [&](std::string_view code, std::string_view problem,
                        std::string hint = "compress it with gzip and encode the result as base64") {
    throw Error(code, fmt::format("cannot decompress part '{}' of type '{}': {}", shown, declared, problem))
        .at(sources_, compressed.body.origin(sources_))
        .hint(std::move(hint));
  };
  if (!inflated.problem.empty()) fail("gzip.damaged", inflated.problem);
  if (has_gzip_magic(inflated.text))
    fail("gzip.encoding", "its content is gzip data again, which cloud-init does not decompress", "compress it once");
  if (text::find_invalid_utf8(inflated.text) != std::string_view::npos)
    fail("gzip.encoding", "its content is not UTF-8");
  warn_about_lost_headers(diagnostics_, sources_, compressed, shown);

  auto result = std::make_unique<Message>();
  result->headers = {{"Content-Type", "text/plain"}, {"MIME-Version", "1.0"}};
  if (!name.empty()) set_file_name(result->headers, name);
  if (const std::string* index = find_header(compressed.headers, "Launch-Index"))
    result->headers.push_back({"Launch-Index", *index});
  result->body = Body(compressed.body.outer(), std::move(inflated.text));
  result->is_encoded = false;
  result->may_be_damaged = true;
  return keep(std::move(result));
}

void Flattener::include(Message& list) {
  const SourceId source = list.body.source(sources_, file_name_of(list.headers));
  const std::string_view text = sources_.text(source);
  for (const Include& include : read_include_list(text)) {
    check_stop(limits_.stop);
    const Origin where = sources_.at(source, static_cast<std::size_t>(include.location.data() - text.data()));
    if (++includes_ > limits_.includes) {
      throw Error("limit.includes", fmt::format("more than {} includes", limits_.includes))
          .at(sources_, where)
          .hint("raise the limit with --limit includes=NUMBER");
    }
    if (chain_.size() >= limits_.include_depth) {
      throw Error("limit.include-depth",
                  fmt::format("includes are nested deeper than {} levels", limits_.include_depth))
          .at(sources_, where)
          .hint("raise the limit with --limit include-depth=LEVELS");
    }
    std::string key;
    const SourceId blob = fetch(include, key, where);
    chain_.push_back(std::move(key));
    process_blob(blob);
    chain_.pop_back();
  }
}

/// The content of a location; `key` becomes what it is known by in the chain of includes.
SourceId Flattener::fetch(const Include& include, std::string& key, Origin where) {
  const std::string location(include.location);
  const bool network = is_network(location);
  key = network ? location : std::string(path_of(location));
  if (std::ranges::find(chain_, key) != chain_.end()) {
    std::string chain;
    for (const std::string& link : chain_) chain += link + " -> ";
    throw Error("include.cycle", fmt::format("'{}' includes itself: {}{}", key, chain, key))
        .at(sources_, where)
        .hint("remove one of these includes");
  }
  if (include.once) {
    if (const auto found = fetched_once_.find(location); found != fetched_once_.end()) {
      // The reference reads what it kept as text.
      if (text::find_invalid_utf8(sources_.text(found->second)) != std::string_view::npos) {
        throw Error("include.encoding",
                    fmt::format("'{}' is not UTF-8, and is included once for the second time", location))
            .at(sources_, where)
            .hint("include it only here, or with #include");
      }
      return found->second;
    }
  }
  std::optional<std::string> text;
  if (network) {
    if (network_ == nullptr) {
      throw Error("include.network", fmt::format("the include '{}' needs network access", location))
          .at(sources_, where)
          .hint("allow it with --allow-network");
    }
    text = noting(sources_, where, [&] { return std::optional(network_->get(location, limits_.stop)); });
  } else {
    if (key.find("://") != std::string::npos) {
      throw Error("include.scheme", fmt::format("the include '{}' has a scheme that is not supported", location))
          .at(sources_, where)
          .hint("use a path, or a URL of the scheme file, http or https");
    }
    text = noting(sources_, where, [&] { return session_.snapshot().tree_below().read(key); });
  }
  if (!text) {
    const bool is_folder = session_.tree().kind(key) == FileKind::folder;
    throw Error("include.missing", fmt::format("cannot include '{}': {}", location,
                                               is_folder ? "it is a folder" : "there is no such file"))
        .at(sources_, where)
        .hint("relative paths are relative to the working directory");
  }
  if (text->size() > limits_.input) {
    throw Error("limit.input", fmt::format("the include '{}' has {} bytes, more than the limit of {}", location,
                                           text->size(), limits_.input))
        .at(sources_, where)
        .hint("raise it with --limit input=BYTES");
  }
  const SourceId source = sources_.add(key, std::move(*text));
  if (include.once) fetched_once_.emplace(location, source);
  return source;
}

void Flattener::attach(Message& message) {
  std::string name = file_name_of(message.headers);
  if (name.empty()) {
    name = part_number(attached_.size() + 1);
    set_file_name(message.headers, name);
    message.has_own_name = false;
  }
  message.payload(sources_);
  const bool is_file = !message.has_own_name && message.body.is_whole(sources_);
  warn_about_part(diagnostics_, sources_, message,
                  is_file ? label_of_file(sources_.file(message.body.outer()), name) : name, limits_);
  attached_.push_back(&message);
}

void Flattener::emit(Message& message, std::vector<Part>& parts) {
  check_stop(limits_.stop);
  if (const std::string* index = find_header(message.headers, "Launch-Index"); index != nullptr && launch_index_) {
    if (cloudinit::launch_index(*index) != launch_index_) return;
  }
  std::string type = message.type();
  if (main_type(type) != "multipart") {
    std::string name = file_name_of(message.headers);
    if (name.empty()) {
      name = part_number(visited_);
      message.has_own_name = false;
    }
    ++visited_;
    message.payload(sources_);
    const SourceId source = message.body.source(sources_, name);
    std::string label = message.has_own_name ? name
                        : sources_.part(source).empty()
                            ? label_of_file(sources_.file(source), name)
                            : fmt::format("{}[{}]", sources_.file(source), sources_.part(source));
    parts.push_back({.type = std::move(type),
                     .name = std::move(name),
                     .label = std::move(label),
                     .headers = message.headers,
                     .source = source});
  }
  for (const auto& child : message.children) emit(*child, parts);
}

}  // namespace strata::cloudinit
