// The events of a YAML text, from whichever of the two readers takes it.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "text/yaml/event.hpp"
#include "text/yaml/input.hpp"
#include "text/yaml/libyaml_events.hpp"
#include "text/yaml/scanner.hpp"

namespace strata::text {

/// The scanner reads document after document. From the first one that it does not take, libyaml reads the text, and finds what is wrong with it.
/// libyaml reads ahead, so that its error may stand before events: nothing of a document is delivered before all of it was scanned.
class YamlEvents {
 public:
  /// As LibyamlEvents.
  YamlEvents(const YamlInput& input, bool lenient);

  /// The next event; valid until the next call. Errors: `yaml.syntax`, `yaml.encoding`.
  const YamlEvent& next();

 private:
  void ask_libyaml();

  const YamlInput& input_;
  bool lenient_;
  std::string part_;  ///< A copy of a text that ends within its source: the scanner needs a zero byte behind it.
  YamlScanner scanner_;
  std::size_t next_ = 0;       ///< Of the scanner's document.
  std::size_t delivered_ = 0;  ///< Events so far.
  std::unique_ptr<LibyamlEvents> libyaml_;
  YamlEvent event_;
};

}  // namespace strata::text
