// SPDX-License-Identifier: Apache-2.0
// Checks shared by the readers of all hiera.yaml versions. Errors name the file, the path of the entry and what was
// expected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "config.hpp"

namespace strata::hiera {

class ConfigChecker {
 public:
  ConfigChecker(const Sources& sources, std::string file) : sources_(sources), file_(std::move(file)) {}

  void mapping(const Value& value, std::string_view path) const;
  void sequence(const Value& value, std::string_view path, std::size_t least, std::size_t most = SIZE_MAX) const;
  /// A non-empty text.
  [[nodiscard]] std::string text(const Value& value, std::string_view path) const;
  /// All keys of a mapping must be in `known`.
  void keys(const Value& mapping, std::string_view path, std::initializer_list<std::string_view> known) const;
  /// Options of a data function: names of letters and digits, plain data as values, no names that Puppet sets itself.
  /// `user`: their owner.
  [[nodiscard]] Value options(const Value& value, std::string_view path, std::string_view user);

  [[noreturn]] void fail(std::string_view path, const std::string& message, Origin at) const;
  /// Records a configuration with the right shape that contradicts itself. Unlike a wrong shape, the reference treats
  /// it as a problem of the data. Recorded, because a wrong shape anywhere comes first. `key`: if the line of the place
  /// contains it, the reference gives the line. Empty: it does not.
  void refuse(std::string_view path, const std::string& message, Origin at, std::string_view key = {});
  /// Throws the first recorded problem, if any.
  void settle() const;
  [[noreturn]] void refuse_version(const std::string& message, Origin at) const;

 private:
  [[nodiscard]] WordedError located(std::string_view path, const std::string& message, Origin at,
                                    std::optional<unsigned> line = {}) const;

  const Sources& sources_;
  std::string file_;
  std::optional<WordedError> refused_;
};

/// Converts versions 3 and 4 to the shape of version 5.
void read_older_version(const ConfigContext& context, const ConfigChecker& check, const Value& root, Config& config);

}  // namespace strata::hiera
