// SPDX-License-Identifier: Apache-2.0
// Checks shared by the readers of all hiera.yaml versions. Errors name the file, the path of the entry and what was
// expected.
//
// One run reports all mistakes of a file: checks record what is wrong and go on, and `settle` throws it. The error that
// the reference reports is the first one, because `--explain` ends with its words: a wrong shape, wherever it is, comes
// before a configuration that contradicts itself, and both before what only a lookup finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config.hpp"

namespace strata::hiera {

class ConfigChecker {
 public:
  ConfigChecker(const Sources& sources, std::string file) : sources_(sources), file_(std::move(file)) {}

  /// Whether a value is a mapping. Records an error if not.
  bool mapping(const Value& value, std::string_view path);
  /// Whether a value is a sequence of a permitted size. Records an error if not.
  bool sequence(const Value& value, std::string_view path, std::size_t least, std::size_t most = SIZE_MAX);
  /// A non-empty text. Records an error for any other value, and returns the empty text.
  std::string text(const Value& value, std::string_view path);
  /// All keys of a mapping must be in `known`.
  void keys(const Value& mapping, std::string_view path, std::initializer_list<std::string_view> known);
  /// Options of a data function: names of letters and digits, plain data as values, no names that Puppet sets itself.
  /// Absent if they are not a mapping. `user`: their owner.
  Value options(const Value& value, std::string_view path, std::string_view user);

  /// Records a wrong shape.
  void fail(std::string_view path, const std::string& message, Origin at);
  /// Records a configuration with the right shape that contradicts itself. Unlike a wrong shape, the reference treats
  /// it as a problem of the data. `key`: if the line of the place contains it, the reference gives the line. Empty: it
  /// does not.
  void refuse(std::string_view path, const std::string& message, Origin at, std::string_view key = {});
  /// Records an error that only a lookup finds. It is thrown together with others, never alone.
  void expect_failure(const Error& error);
  /// Throws what is recorded: ConfigError if a shape is wrong, else LookupError; nothing if nothing is.
  void settle() const;
  [[noreturn]] void refuse_version(const std::string& message, Origin at) const;

 private:
  [[nodiscard]] WordedError located(std::string_view path, const std::string& message, Origin at,
                                    std::optional<unsigned> line = {}) const;
  void add_shape(const WordedError& error);

  const Sources& sources_;
  std::string file_;
  std::vector<WordedError> shapes_;
  std::vector<WordedError> refused_;
  std::vector<Diagnostic> expected_;
};

/// Converts versions 3 and 4 to the shape of version 5. Throws as ConfigChecker::settle.
void read_older_version(const ConfigContext& context, ConfigChecker& check, const Value& root, Config& config);

}  // namespace strata::hiera
