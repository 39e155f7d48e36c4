// SPDX-License-Identifier: Apache-2.0
// The events of the scanner beside those of libyaml, for tests and the fuzz target.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/yaml/libyaml_events.hpp"
#include "text/yaml/scanner.hpp"

namespace strata::text::testing {

/// An event with texts of its own.
struct KeptEvent {
  YamlEvent event;
  std::string text;
  std::string anchor;
  std::string tag;

  explicit KeptEvent(const YamlEvent& read) : event(read), text(read.text), anchor(read.anchor), tag(read.tag) {
    event.text = {};
    event.anchor = {};
    event.tag = {};
  }
  friend bool operator==(const KeptEvent&, const KeptEvent&) = default;

  [[nodiscard]] std::string to_string() const {
    constexpr const char* kKinds[] = {"+STR", "-STR", "+DOC", "-DOC", "=ALI", "=VAL", "+SEQ", "-SEQ", "+MAP", "-MAP"};
    constexpr const char* kStyles[] = {"", " :", " '", " \"", " |", " >", "", " flow"};
    std::string out = kKinds[static_cast<int>(event.kind)];
    if (!anchor.empty()) out += (event.kind == YamlEvent::Kind::alias ? " *" : " &") + anchor;
    if (!tag.empty()) out += " <" + tag + ">";
    out += kStyles[static_cast<int>(event.style)];
    for (const char c : text)
      out += c == '\n' ? std::string("\\n") : c == '\t' ? std::string("\\t") : std::string(1, c);
    out += fmt::format(" {}-{}", event.begin, event.end);
    const bool is_document =
        event.kind == YamlEvent::Kind::document_start || event.kind == YamlEvent::Kind::document_end;
    if (is_document && !event.implicit) out += " explicit";
    return out;
  }
};

/// What libyaml reads, up to its error.
struct LibyamlReading {
  std::vector<KeptEvent> events;
  bool has_failed = false;
};

/// `most`: reads no further. libyaml needs quadratic time for some texts.
inline LibyamlReading read_with_libyaml(const YamlInput& input, std::size_t most = std::size_t{1} << 20U) {
  LibyamlReading reading;
  LibyamlEvents events(input, false);
  try {
    do {
      reading.events.emplace_back(events.next());
    } while (reading.events.back().event.kind != YamlEvent::Kind::stream_end && reading.events.size() < most);
  } catch (const Error&) {
    reading.has_failed = true;
  }
  return reading;
}

/// What the scanner reads, up to the document that it leaves.
struct ScannerReading {
  std::vector<KeptEvent> events;
  bool has_bailed = false;
};

inline ScannerReading read_with_scanner(std::string_view text, std::size_t base = 0) {
  ScannerReading reading;
  YamlTape tape;
  YamlScanner scanner(text, tape, base);
  YamlEvent event;
  do {
    if (!scanner.next_document()) {
      reading.has_bailed = true;
      break;
    }
    while (!tape.is_at_end()) {
      tape.take(event);
      reading.events.emplace_back(event);
    }
  } while (reading.events.back().event.kind != YamlEvent::Kind::stream_end);
  return reading;
}

struct Comparison {
  std::string difference;  ///< Empty: what the scanner gives is what libyaml gives.
  bool is_valid = false;   ///< libyaml reads the text.
  bool is_taken = false;   ///< The scanner reads the text to its end.
};

/// Compares event by event. If the scanner leaves the text, the documents before are compared.
inline Comparison compare_events(const std::string& text) {
  Sources sources;
  const YamlInput input(sources, sources.add("f", text), {});
  const LibyamlReading expected = read_with_libyaml(input);
  const ScannerReading found = read_with_scanner(input.text().substr(input.begin()), input.begin());
  Comparison result{.difference = {}, .is_valid = !expected.has_failed, .is_taken = !found.has_bailed};
  for (std::size_t i = 0; i < found.events.size(); ++i) {
    if (i < expected.events.size() && found.events[i] == expected.events[i]) continue;
    result.difference = fmt::format("event {}: the scanner has {}, libyaml has {}", i, found.events[i].to_string(),
                                    i < expected.events.size() ? expected.events[i].to_string() : "an error");
    return result;
  }
  if (!found.has_bailed && found.events.size() != expected.events.size()) {
    result.difference =
        fmt::format("the scanner has {} events, libyaml has {}", found.events.size(), expected.events.size());
  }
  return result;
}

/// The events in one line, without the ends of the stream.
inline std::string joined(const std::vector<KeptEvent>& events) {
  std::string out;
  for (const KeptEvent& each : events) {
    if (each.event.kind == YamlEvent::Kind::stream_start || each.event.kind == YamlEvent::Kind::stream_end) continue;
    if (!out.empty()) out += "; ";
    out += each.to_string();
  }
  return out;
}

}  // namespace strata::text::testing
