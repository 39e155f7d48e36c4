#include "puppet/language/syntax_errors.hpp"

namespace strata::puppet {

namespace {
constexpr std::size_t kMost = 20;
}

void SyntaxErrors::add(const Error& error) {
  const auto* several = dynamic_cast<const Errors*>(&error);
  if (several == nullptr) {
    if (!is_full()) all_.push_back(error.diagnostic());
    return;
  }
  for (const Diagnostic& diagnostic : several->all()) {
    if (!is_full()) all_.push_back(diagnostic);
  }
}

bool SyntaxErrors::is_full() const noexcept { return all_.size() >= kMost; }

void SyntaxErrors::raise() const {
  if (!all_.empty()) throw Errors(all_);
}

}  // namespace strata::puppet
