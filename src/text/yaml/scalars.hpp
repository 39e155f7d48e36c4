// SPDX-License-Identifier: Apache-2.0
// Converts YAML scalars to values, with a Profile's tables.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "text/yaml/input.hpp"
#include "text/yaml/profile.hpp"

namespace strata::text {

/// Makes the scalars of one text's documents. Errors: `yaml.scalar`, `yaml.tag`, `yaml.forbidden`, `yaml.merge-key`.
class YamlScalars {
 public:
  /// The position of a scalar.
  struct Place {
    std::size_t offset;
    bool is_key;
  };

  YamlScalars(const Profile& profile, const YamlInput& input) : profile_(profile), input_(input) {}
  /// Begins a document, whose nodes go to `pool`.
  void begin(DocumentPool& pool);

  /// The meaning of an explicit tag on a node of the kind `node`; `otherwise` for no tag and for an ignored one.
  [[nodiscard]] Tag tag_of(std::string_view tag, Nodes node, Tag otherwise, std::size_t offset) const;
  [[nodiscard]] Value plain(std::string_view text, const Place& place);
  [[nodiscard]] Value tagged(std::string_view tag, std::string_view text, const Place& place);
  /// Keys repeat: each distinct key is kept once.
  [[nodiscard]] Value make_text(std::string_view text, bool is_key);

 private:
  [[nodiscard]] Error error(std::string_view code, std::string message, std::size_t offset) const;
  [[nodiscard]] Value make_symbol(std::string_view name);
  [[nodiscard]] std::optional<Value> make_bytes(const std::optional<std::string>& bytes, bool is_key);
  [[nodiscard]] Value require(std::optional<Value> value, std::string_view what, std::string_view text,
                              std::size_t offset) const;

  const Profile& profile_;
  const YamlInput& input_;
  DocumentPool* pool_ = nullptr;
  Arena* arena_ = nullptr;
};

}  // namespace strata::text
