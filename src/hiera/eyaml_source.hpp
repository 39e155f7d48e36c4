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

struct KeyOptions;

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
  // `options` name files. Relative names count from the working directory, as in the reference; those that are not
  // there from `folder`, that of the hierarchy's file, so that a repository can be read from anywhere.

  /// The keys in the options. Null if there are none. Errors: `eyaml.*`.
  [[nodiscard]] std::shared_ptr<const eyaml::Keys> keys(const Value& options, const std::string& folder);
  /// Whether the private key in the options exists, whatever its content.
  [[nodiscard]] bool has_key(const Value& options, const std::string& folder) const;
  /// For explanations: which files of `folder` are used. Empty: none, or `keys` was not called.
  [[nodiscard]] std::vector<std::string> remarks(const Value& options, const std::string& folder);
  /// Settings::masks_locked.
  [[nodiscard]] bool masks_locked() const noexcept { return settings_.masks_locked; }
  [[nodiscard]] std::shared_ptr<Opened> opened(std::shared_ptr<const DataFile> file, const Value& options,
                                               const std::string& folder);

 private:
  struct Named;
  struct Place;
  /// A pair of keys that was read.
  struct Pair {
    std::shared_ptr<const eyaml::Keys> keys;
    std::vector<std::string> remarks;
  };
  [[nodiscard]] std::optional<Named> find(const Place& place, const KeyOptions& names,
                                          std::vector<std::string>& remarks) const;
  [[nodiscard]] std::optional<Named> from_environment(const Value& options, const KeyOptions& names) const;
  /// The text of a key file. `remark`: where it is, if not in the working directory.
  [[nodiscard]] std::optional<std::string> text_at(const std::string& file, const std::string& folder,
                                                   std::string& remark) const;
  static std::string identity(const Value& options, const std::string& folder);

  const Settings& settings_;
  std::mutex mutex_;
  TextMap<Pair> keys_;
  TextMap<std::shared_ptr<Opened>> opened_;
};

[[nodiscard]] std::unique_ptr<DataSource> eyaml_source(const FunctionCall& call, const FunctionTools& tools);

}  // namespace strata::hiera
