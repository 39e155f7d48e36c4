// SPDX-License-Identifier: Apache-2.0
// The events of a YAML text, from whichever of the two readers takes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "text/yaml/event.hpp"
#include "text/yaml/input.hpp"
#include "text/yaml/libyaml_events.hpp"
#include "text/yaml/scanner.hpp"
#include "text/yaml/tape.hpp"

namespace strata::text {

/// Thrown where the scanner alone reads, and leaves the text.
struct NotScanned {};

/// The scanner reads document after document. From the first one that it does not take, libyaml reads the text, and
/// finds what is wrong with it. libyaml reads ahead, so that its error may stand before events: nothing of a document
/// is delivered before all of it was scanned.
class YamlEvents {
 public:
  /// Who reads: the scanner and libyaml behind it, or one of them alone.
  enum class By : std::uint8_t { both, libyaml, scanner };

  /// As LibyamlEvents. The tape must outlive this.
  YamlEvents(const YamlInput& input, bool lenient, By by, YamlTape& tape);

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`; NotScanned, where the scanner
  /// alone reads.
  const YamlEvent& next() {
    if (tape_.is_at_end()) return fetch();
    tape_.take(event_);
    return event_;
  }

 private:
  const YamlEvent& fetch();

  const YamlInput& input_;
  bool lenient_;
  By by_;
  YamlTape& tape_;
  std::string part_;  ///< A copy of a text that ends within its source: the scanner needs a zero byte behind it.
  YamlScanner scanner_;
  std::size_t delivered_ = 0;  ///< Events of the scanner so far, with those of its document.
  std::unique_ptr<LibyamlEvents> libyaml_;
  YamlEvent event_;
};

}  // namespace strata::text
