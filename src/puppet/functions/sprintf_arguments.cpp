// SPDX-License-Identifier: Apache-2.0
#include "puppet/functions/sprintf_arguments.hpp"

namespace strata::puppet {

void FormatArguments::choose(Mode mode) {
  if (mode_ != Mode::open && mode_ != mode)
    fail("arguments are taken in turn, by number or by name, but not in two of these ways");
  mode_ = mode;
}

const Value& FormatArguments::next() {
  choose(Mode::in_turn);
  return argument(++taken_);
}

const Value& FormatArguments::at(std::int64_t number) {
  choose(Mode::numbered);
  if (number < 1) fail("there is no argument " + std::to_string(number));
  return argument(static_cast<std::size_t>(number));
}

const Value& FormatArguments::named(std::string_view name) {
  choose(Mode::named);
  if (arguments_.size() != 1 || !is_hash(arguments_[0])) fail("names need one Hash as the argument");
  const Value* found = arguments_[0].find(name);
  if (found == nullptr) fail("the Hash has no key '" + std::string(name) + "'");
  secret_ = secret_ || shows_secret(*found);
  return *found;
}

const Value& FormatArguments::argument(std::size_t number) {
  if (number > arguments_.size()) fail("there are too few arguments");
  secret_ = secret_ || shows_secret(arguments_[number - 1]);
  return arguments_[number - 1];
}

}  // namespace strata::puppet
