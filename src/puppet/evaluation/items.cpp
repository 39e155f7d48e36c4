// SPDX-License-Identifier: Apache-2.0
// What can be gone through.
#include <array>

#include "puppet/evaluation/objects.hpp"
#include "puppet/evaluation/operations.hpp"
#include "puppet/kinds.hpp"
#include "puppet/types/make.hpp"
#include "strata/builder.hpp"
#include "text/unicode/characters.hpp"

namespace strata::puppet {
namespace {

/// How many numbers are from one to another; none where it is not finite.
std::optional<std::size_t> size_of_range(const IntegerRange& range) {
  if (!range.from || !range.to) return std::nullopt;
  const std::optional<std::int64_t> from = range.from->small();
  const std::optional<std::int64_t> to = range.to->small();
  if (!from || !to) return std::nullopt;
  if (*to < *from) return 0;
  return static_cast<std::size_t>(static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from)) + 1;
}

}  // namespace

std::optional<Items> Items::of(const Value& value, Evaluator& evaluator) {
  if (value.is_container()) return Items(value, evaluator, value.size());
  if (value.is_text()) return Items(value, evaluator, text::unicode::length(value.text()));
  if (value.kind() == Kind::integer) {
    if (value.as_integer() < 0) return std::nullopt;
    return Items(value, evaluator, static_cast<std::size_t>(value.as_integer()));
  }
  if (const IteratorObject* iterator = as_iterator(value)) {
    Items out(iterator->items() ? iterator->items() : Value::integer(0), evaluator, iterator->count());
    out.from_ = iterator->from();
    out.step_ = iterator->step();
    // Its items are in an arena of its own; the values that come of it may outlive the one that holds it.
    if (iterator->items()) static_cast<void>(evaluator.arena().object(iterator->shared_from_this()));
    return out;
  }
  const TypeObject* object = as_type(value);
  if (object == nullptr) return std::nullopt;
  const Type& type = *object->type();
  if (const auto* enumeration = type.get_if<EnumType>()) {
    SequenceBuilder texts(evaluator.arena(), enumeration->texts.size());
    for (const std::string& text : enumeration->texts)
      texts.append(evaluator.arena().text(text).with_origin(value.origin()));
    return Items(texts.finish(), evaluator, enumeration->texts.size());
  }
  const auto* integer = type.get_if<IntegerType>();
  if (integer == nullptr) return std::nullopt;
  const std::optional<std::size_t> size = size_of_range(integer->range);
  if (!size) return std::nullopt;
  Items out(value, evaluator, *size);
  out.from_ = *integer->range.from->small();
  return out;
}

Value Items::item() {
  switch (source_.kind()) {
    case Kind::sequence:
      return source_.items()[done_];
    case Kind::mapping:
    case Kind::set: {
      const Entry& entry = source_.entries()[done_];
      const std::array<Value, 2> pair = {entry.key, entry.value};
      return evaluator_->arena().sequence(pair).with_origin(entry.key.origin());
    }
    case Kind::text: {
      const std::size_t begin = byte_;
      text::unicode::decode(source_.text(), byte_);
      return evaluator_->arena()
          .text(source_.text().substr(begin, byte_ - begin))
          .with_origin(source_.origin())
          .with_secret(source_.is_secret());
    }
    default:
      return Value::integer(from_ + static_cast<std::int64_t>(done_) * step_).with_origin(source_.origin());
  }
}

bool Items::next(Value& item) {
  if (done_ == size_) return false;
  evaluator_->charge(1);
  item = this->item();
  ++done_;
  return true;
}

bool Items::next(Value& key, Value& value) {
  if (!is_hash()) {
    key = Value::integer(static_cast<std::int64_t>(done_)).with_origin(source_.origin());
    return next(value);
  }
  if (done_ == size_) return false;
  evaluator_->charge(1);
  const Entry& entry = source_.entries()[done_++];
  key = entry.key;
  value = entry.value;
  return true;
}

}  // namespace strata::puppet
