#include "puppet/evaluation/scope.hpp"

namespace strata::puppet {

// Views of the same text are equal at a glance: names of one program are mostly compared by length and a few bytes.
std::size_t Scope::position(std::string_view name) const noexcept {
  if (index_ != nullptr) {
    const auto found = index_->find(name);
    return found == index_->end() ? size_ : found->second;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    if (at(i).name == name) return i;
  }
  return size_;
}

const Scope::Slot* Scope::find_here(std::string_view name) const noexcept {
  const std::size_t found = position(name);
  return found == size_ ? nullptr : &at(found);
}

const Value* Scope::find(std::string_view name) const noexcept {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (const Slot* slot = scope->find_here(name)) return &slot->value;
  }
  return nullptr;
}

bool Scope::assign(std::string_view name, const Value& value, Origin origin) {
  if (position(name) != size_) return false;
  if (size_ < kInline) {
    near_[size_] = {name, value, origin};
  } else {
    far_.push_back({name, value, origin});
  }
  if (index_ != nullptr) {
    index_->emplace(name, size_);
  } else if (size_ + 1 == kIndexed) {
    index_ = std::make_unique<std::unordered_map<std::string_view, std::size_t>>();
    for (std::size_t i = 0; i < kIndexed; ++i) index_->emplace(at(i).name, i);
  }
  ++size_;
  return true;
}

Origin Scope::assigned_at(std::string_view name) const noexcept {
  const Slot* slot = find_here(name);
  return slot == nullptr ? Origin{} : slot->assigned;
}

const Scope& Scope::top() const noexcept {
  const Scope* scope = this;
  while (scope->outer_ != nullptr) scope = scope->outer_;
  return *scope;
}

Value Scope::groups() const noexcept {
  for (const Scope* scope = this; scope != nullptr; scope = scope->outer_) {
    if (scope->groups_) return scope->groups_;
  }
  return {};
}

}  // namespace strata::puppet
