// SPDX-License-Identifier: Apache-2.0
#include "eyaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera::eyaml {
namespace {

bool is_pkcs7(std::string_view scheme) {
  constexpr std::string_view kName = "pkcs7";
  return scheme.empty() || std::ranges::equal(scheme, kName, [](char c, char lower) {
           return (c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c) == lower;
         });
}

std::string open_block(const Block& block, const Keys* keys) {
  constexpr std::size_t kShown = 40;
  if (!is_pkcs7(block.scheme)) {
    throw Error("eyaml.scheme",
                fmt::format("the value is encrypted with the unknown scheme '{}'", block.scheme.substr(0, kShown)))
        .hint("the only known one is PKCS7");
  }
  if (keys == nullptr) {
    throw Error("eyaml.no-keys", "the value is encrypted, and no private key is configured")
        .hint("give hiera.yaml the option pkcs7_private_key");
  }
  if (block.payload.find_first_not_of(" \n") == std::string_view::npos)
    throw Error("eyaml.envelope", "an encrypted block is empty");
  return keys->open(decode_payload(block.payload));
}

void cut_line_end(std::string& text) {
  if (text.ends_with("\r\n"))
    text.resize(text.size() - 2);
  else if (text.ends_with('\n') || text.ends_with('\r'))
    text.pop_back();
}

/// Opens the texts of a value, or masks them where there are no sources to tell errors by.
class Walk {
 public:
  Walk(const Keys* keys, Arena& arena, const Sources* sources) : keys_(keys), arena_(arena), sources_(sources) {}

  Value visit(const Value& value) {
    if (value.is_text()) return visit_text(value);
    if (value.is_sequence()) {
      const auto items = value.items();
      return visit_members<SequenceBuilder>(value, [items](std::size_t i) { return items[i]; });
    }
    if (value.is_mapping()) {
      const auto entries = value.entries();
      return visit_members<MappingBuilder>(value, [entries](std::size_t i) { return entries[i].value; });
    }
    return value;
  }

 private:
  /// Copies a container once the first of its members changes.
  template <class Builder, class Member>
  Value visit_members(const Value& container, const Member& member) {
    std::optional<Builder> copy;
    for (std::size_t i = 0; i < container.size(); ++i) {
      const Value before = member(i);
      const std::size_t changes = changes_;
      const Value after = visit(before);
      if (changes_ == changes) continue;
      if (!copy) copy = Builder::copy_of(arena_, container);
      copy->replace(i, after);
    }
    return copy ? copy->finish() : container;
  }

  Value visit_text(const Value& value) {
    const std::string_view text = value.text();
    if (!holds_block(text)) return value;
    ++changes_;
    auto found = opened_.find(text);
    if (found == opened_.end()) {
      try {
        const Decrypted decrypted = sources_ == nullptr ? masked(text) : decrypt(text, keys_);
        found = opened_.emplace(text, arena_.text(decrypted.text).with_secret(decrypted.secret)).first;
      } catch (Error& error) {
        throw std::move(error).at(*sources_, value.origin());
      }
    }
    return found->second.with_origin(value.origin()).with_secret(found->second.is_secret() || value.is_secret());
  }

  /// A text as it is shown to who has no key.
  static Decrypted masked(std::string_view text) {
    Decrypted out;
    std::size_t done = 0;
    while (const auto block = find_block(text, done)) {
      out.text += text.substr(done, block->begin - done);
      out.text += "<encrypted>";
      done = block->end;
    }
    out.text += text.substr(done);
    cut_line_end(out.text);
    return out;
  }

  const Keys* keys_;
  Arena& arena_;
  const Sources* sources_;
  std::size_t changes_ = 0;  ///< Texts that were replaced.
  TextViewMap<Value> opened_;
};

}  // namespace

Decrypted decrypt(std::string_view text, const Keys* keys) {
  if (!holds_block(text)) return {.text = std::string(text), .secret = false};
  Decrypted out;
  std::size_t done = 0;
  while (const auto block = find_block(text, done)) {
    out.text += text.substr(done, block->begin - done);
    const std::string content = open_block(*block, keys);
    if (text::find_invalid_utf8(content) != std::string_view::npos) {
      throw Error("eyaml.not-text", "the decrypted value is not UTF-8 text")
          .hint("encrypt bytes as base64 text, and decode them when they are used");
    }
    out.text += content;
    out.secret = true;
    done = block->end;
  }
  out.text += text.substr(done);
  cut_line_end(out.text);
  return out;
}

Value decrypt_value(const Value& value, const Keys* keys, Arena& arena, const Sources& sources) {
  return Walk(keys, arena, &sources).visit(value);
}

Value mask_value(const Value& value, Arena& arena) { return Walk(nullptr, arena, nullptr).visit(value); }

}  // namespace strata::hiera::eyaml
