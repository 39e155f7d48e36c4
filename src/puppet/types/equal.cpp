#include <algorithm>

#include "puppet/characters.hpp"
#include "puppet/types/make.hpp"

namespace strata::puppet {
namespace {

bool same(const TypeRef& left, const TypeRef& right) {
  if (left == nullptr || right == nullptr) return left == right;
  return same_type(*left, *right);
}

bool same_set(const std::vector<TypeRef>& left, const std::vector<TypeRef>& right) {
  return left.size() == right.size() && std::all_of(left.begin(), left.end(), [&](const TypeRef& one) {
           return std::any_of(right.begin(), right.end(), [&](const TypeRef& other) { return same(one, other); });
         });
}

}  // namespace

// Recursion: types nest as deep as a text or value may.
bool same_type(const Type& left, const Type& right) {
  if (&left == &right) return true;
  if (left.kind != right.kind || left.range != right.range || left.flag != right.flag || left.text != right.text || left.from != right.from ||
      left.to != right.to || left.members.size() != right.members.size()) {
    return false;
  }
  if (left.kind == TypeKind::pattern) {
    return left.texts.size() == right.texts.size() && std::is_permutation(left.texts.begin(), left.texts.end(), right.texts.begin());
  }
  // The first text of a resource is its type's name, of which the case of letters does not count.
  const auto same_text = [&](const std::string& one, const std::string& other) {
    return one == other || (left.kind == TypeKind::resource && &one == left.texts.data() && same_letters(one, other));
  };
  if (!std::equal(left.texts.begin(), left.texts.end(), right.texts.begin(), right.texts.end(), same_text)) return false;
  if (left.kind == TypeKind::variant) return same_set(left.parts, right.parts);
  return left.parts.size() == right.parts.size() && std::equal(left.parts.begin(), left.parts.end(), right.parts.begin(), same) &&
         std::equal(left.members.begin(), left.members.end(), right.members.begin(), [](const StructMember& one, const StructMember& other) {
           return one.name == other.name && one.optional == other.optional && same(one.type, other.type);
         });
}

bool is_plain(const Type& type) { return same_type(type, *plain(type.kind)); }

}  // namespace strata::puppet
