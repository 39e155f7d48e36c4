// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/events.hpp"

namespace strata::text {
namespace {

#ifdef STRATA_LIBYAML_ALONE
constexpr bool kScans = false;
#else
constexpr bool kScans = true;
#endif

}  // namespace

YamlEvents::YamlEvents(const YamlInput& input, bool lenient, By by, YamlTape& tape)
    : input_(input),
      lenient_(lenient),
      by_(by),
      tape_(tape),
      part_(input.ends_with_source() ? std::string_view() : input.text().substr(input.begin())),
      scanner_(input.ends_with_source() ? input.text().substr(input.begin()) : std::string_view(part_), tape,
               input.begin()) {}

/// Of the next document, or of libyaml.
const YamlEvent& YamlEvents::fetch() {
  if (libyaml_ == nullptr) {
    if (kScans && by_ != By::libyaml && scanner_.next_document()) {
      delivered_ += tape_.size();
      tape_.take(event_);
      return event_;
    }
    if (by_ == By::scanner) throw NotScanned();
    // From the beginning, without what was delivered.
    libyaml_ = std::make_unique<LibyamlEvents>(input_, lenient_);
    for (std::size_t i = 0; i < delivered_; ++i) libyaml_->next();
  }
  return libyaml_->next();
}

}  // namespace strata::text
