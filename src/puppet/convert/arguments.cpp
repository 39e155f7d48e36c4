#include "puppet/convert/arguments.hpp"

namespace strata::puppet {

bool is_whole(const Value& value) noexcept { return value.kind() == Kind::integer || value.kind() == Kind::big_integer; }
bool is_hash(const Value& value) noexcept { return value.is_mapping() || value.kind() == Kind::set; }

Error cannot_convert(const Value& from, std::string_view to) {
  const std::string end = " cannot be converted to " + std::string(to);
  if (!from.is_text()) return {"puppet.convert", "value of type " + to_string(*generalize(infer(from))) + end};
  return {"puppet.convert", "the string '" + (from.is_secret() ? "******" : std::string(from.text())) + "'" + end};
}

Error wrong_arguments(const Call& call, std::string_view expected) {
  return {"puppet.convert", to_string(call.type) + ".new takes " + std::string(expected)};
}

void need_arguments(const Call& call, std::size_t least, std::size_t most, std::string_view expected) {
  if (call.arguments.size() < least || call.arguments.size() > most) throw wrong_arguments(call, expected);
}

void need_room(const Call& call, std::size_t nodes) {
  if (nodes > call.limits.result)
    throw Error("limit.result", "the conversion would make more than " + std::to_string(call.limits.result) + " nodes").hint("--limit result=NUMBER");
}

}  // namespace strata::puppet
