// Shared by the readers of hiera.yaml's versions: checks that name the file, the path of the entry and what was expected.
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
  /// A text that is not empty.
  [[nodiscard]] std::string text(const Value& value, std::string_view path) const;
  /// All keys of a mapping must be among `known`.
  void keys(const Value& mapping, std::string_view path, std::initializer_list<std::string_view> known) const;
  /// Options of a data function: names of letters and digits, values of plain data, none that Puppet sets itself. `user`: who has them.
  [[nodiscard]] Value options(const Value& value, std::string_view path, std::string_view user);

  [[noreturn]] void fail(std::string_view path, const std::string& message, Origin at) const;
  /// A configuration of the right shape that contradicts itself: unlike a wrong shape, the reference takes it for a problem of the data. Remembered,
  /// as a wrong shape anywhere comes first.
  /// `key`: where the line of the place holds it, the reference names the line; empty: it names none.
  void refuse(std::string_view path, const std::string& message, Origin at, std::string_view key = {});
  /// Throws what was refused first, if anything was.
  void settle() const;
  [[noreturn]] void refuse_version(const std::string& message, Origin at) const;

 private:
  [[nodiscard]] WordedError located(std::string_view path, const std::string& message, Origin at, std::optional<unsigned> line = {}) const;

  const Sources& sources_;
  std::string file_;
  std::optional<WordedError> refused_;
};

/// Versions 3 and 4, into the shape of version 5.
void read_older_version(const ConfigContext& context, const ConfigChecker& check, const Value& root, Config& config);

}  // namespace strata::hiera
