// SPDX-License-Identifier: Apache-2.0
#include "warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "detect.hpp"
#include "gzip.hpp"
#include "python_text.hpp"
#include "strata/text.hpp"

namespace strata::cloudinit {
namespace {

bool is_strategy_header(std::string_view name) {
  return equal_ignoring_case(name, "Merge-Type") || equal_ignoring_case(name, "X-Merge-Type");
}

/// The bytes that a text is the base64 form of, if all of its characters are base64.
std::optional<std::string> decoded_blob(std::string_view text) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=\r\n";
  text = trim(text);
  if (text.size() < 12 || text.find_first_not_of(kAlphabet) != std::string_view::npos) return std::nullopt;
  std::string joined;
  for (const char c : text) {
    if (c != '\r' && c != '\n') joined += c;
  }
  joined.resize(joined.size() / 4 * 4);
  return text::decode_base64(joined);
}

}  // namespace

bool is_encoded_blob(std::string_view text) {
  constexpr std::size_t kEnough = 4096;
  const auto decoded = decoded_blob(text.substr(0, kEnough));
  return decoded && (has_gzip_magic(*decoded) || !detect_type(*decoded).empty() ||
                     holds_ignoring_case(*decoded, "mime-version:", 4));
}

bool is_compressed_twice(std::string_view bytes, const Limits& limits) {
  if (!has_gzip_magic(bytes)) return false;
  try {
    return has_gzip_magic(inflate_gzip(bytes, limits).text);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return false;  // Too large to find out.
  }
}

void warn_at(Diagnostics& diagnostics, const Sources& sources, const Body& body, std::string code, std::string message,
             std::string hint) {
  const Origin origin = body.origin(sources);
  diagnostics.warn({.code = std::move(code),
                    .message = std::move(message),
                    .where = {.place = sources.place(origin), .line = {}, .message = {}},
                    .notes = {},
                    .hint = std::move(hint)});
}

void warn_about_blob(Diagnostics& diagnostics, const Sources& sources, SourceId blob, bool is_inflated,
                     const Limits& limits) {
  const std::string_view text = sources.text(blob);
  const Body body(blob, Range{0, text.size()});
  if (has_gzip_magic(text) && is_inflated) {
    warn_at(diagnostics, sources, body, "gzip.twice",
            "this is gzip data in gzip data: cloud-init decompresses it once, and uses the content unchanged",
            "compress it once");
  } else if (has_gzip_magic(text)) {
    warn_at(diagnostics, sources, body, "gzip.blob-damaged",
            "this begins as gzip data but cannot be fully decompressed, and is used unchanged",
            "compress the file again");
  } else if (is_encoded_blob(text) && is_compressed_twice(decoded_blob(text).value_or(std::string()), limits)) {
    warn_at(diagnostics, sources, body, "blob.base64",
            "this is the base64 form of gzip data in gzip data, which nothing decodes: the machine receives it "
            "unchanged",
            "decode it, or leave the encoding to the tool that launches the machine; and compress it once");
  } else if (is_encoded_blob(text)) {
    warn_at(diagnostics, sources, body, "blob.base64",
            "this is base64 text, which nothing decodes: the machine receives it unchanged",
            "decode it, or leave the encoding to the tool that launches the machine");
  }
}

void warn_about_part(Diagnostics& diagnostics, const Sources& sources, const Message& part, const std::string& name,
                     const Limits& limits) {
  for (const Header& header : part.headers) {
    const bool is_seen = header.name == "Merge-Type" || header.name == "X-Merge-Type";
    if (is_seen || !is_strategy_header(header.name)) continue;
    warn_at(diagnostics, sources, part.body, "mime.header-case",
            fmt::format("the header '{}' of part '{}' has no effect", header.name, name),
            "write it as 'Merge-Type' exactly");
  }
  if (part.is_container) return;
  const std::string_view payload = part.body.bytes(sources);
  const auto is_foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  if (part.may_be_damaged && std::ranges::any_of(payload, is_foreign)) {
    warn_at(diagnostics, sources, part.body, "mime.not-ascii",
            fmt::format("part '{}' has characters beyond ASCII without a transfer encoding; cloud-init damages them, "
                        "here they are read as UTF-8",
                        name),
            "encode the part as base64");
  }
  const std::string type = part.type();
  if (has_gzip_magic(payload) && type != "text/x-not-multipart") {
    warn_at(diagnostics, sources, part.body, "gzip.undeclared",
            fmt::format("part '{}' is gzip data but is declared as '{}', and is not decompressed", name, part.type()),
            is_compressed_twice(payload, limits) ? "declare it as 'application/gzip', and compress it once: it is gzip "
                                                   "data in gzip data"
                                                 : "declare it as 'application/gzip'");
  }
}

void warn_about_lost_headers(Diagnostics& diagnostics, const Sources& sources, const Message& compressed,
                             const std::string& name) {
  for (const Header& header : compressed.headers) {
    if (!is_strategy_header(header.name)) continue;
    warn_at(diagnostics, sources, compressed.body, "gzip.merge-type-lost",
            fmt::format("the header '{}' of part '{}' is lost, because the part is compressed", header.name, name),
            "name the mergers inside the part, under 'merge_how'");
  }
}

}  // namespace strata::cloudinit
