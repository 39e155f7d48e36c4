#include "text/yaml/events.hpp"

namespace strata::text {
namespace {

#ifdef STRATA_LIBYAML_ALONE
constexpr bool kScans = false;
#else
constexpr bool kScans = true;
#endif

}  // namespace

YamlEvents::YamlEvents(const YamlInput& input, bool lenient)
    : input_(input),
      lenient_(lenient),
      part_(input.ends_with_source() ? std::string_view() : input.text().substr(input.begin())),
      scanner_(input.ends_with_source() ? input.text().substr(input.begin()) : std::string_view(part_), input.begin()) {}

const YamlEvent& YamlEvents::next() {
  if (libyaml_ == nullptr && next_ == scanner_.size()) {
    next_ = 0;
    if (!kScans || !scanner_.next_document()) ask_libyaml();
  }
  if (libyaml_ != nullptr) return libyaml_->next();
  ++delivered_;
  event_ = scanner_.event(next_++);
  return event_;
}

/// From the beginning, without what was delivered.
void YamlEvents::ask_libyaml() {
  libyaml_ = std::make_unique<LibyamlEvents>(input_, lenient_);
  for (std::size_t i = 0; i < delivered_; ++i) libyaml_->next();
}

}  // namespace strata::text
