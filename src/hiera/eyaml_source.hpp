// SPDX-License-Identifier: Apache-2.0
// `eyaml_lookup_key`: YAML files with encrypted blocks.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data_source.hpp"
#include "eyaml/eyaml.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {

/// Keys and decrypted values, for all nodes. Thread-safe.
class KeyRing {
 public:
  /// The decrypted values of one file with one pair of keys.
  struct Opened {
    std::mutex mutex;  ///< Guards `arenas` and `values`.
    std::shared_ptr<const DataFile> file;
    std::vector<std::unique_ptr<Arena>> arenas;  ///< For `values`.
    TextMap<Value> values;                       ///< By root key.
  };

  explicit KeyRing(const Settings& settings) : settings_(settings) {}
  /// The keys in the options. Null if there are none. Errors: `eyaml.*`.
  [[nodiscard]] std::shared_ptr<const eyaml::Keys> keys(const Value& options);
  /// Whether the private key in the options exists, whatever its content.
  [[nodiscard]] bool has_key(const Value& options) const;
  /// Settings::masks_locked.
  [[nodiscard]] bool masks_locked() const noexcept { return settings_.masks_locked; }
  [[nodiscard]] std::shared_ptr<Opened> opened(std::shared_ptr<const DataFile> file, const Value& options);

 private:
  struct Named;
  [[nodiscard]] std::optional<Named> find(const Value& options, std::string_view file_option,
                                          std::string_view variable_option) const;
  static std::string identity(const Value& options);

  const Settings& settings_;
  std::mutex mutex_;
  TextMap<std::shared_ptr<const eyaml::Keys>> keys_;
  TextMap<std::shared_ptr<Opened>> opened_;
};

[[nodiscard]] std::unique_ptr<DataSource> eyaml_source(const FunctionCall& call, const FunctionTools& tools);

}  // namespace strata::hiera
