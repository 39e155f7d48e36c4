// SPDX-License-Identifier: Apache-2.0
// Data functions: their answers for one location.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config.hpp"
#include "data_file.hpp"
#include "key.hpp"

namespace strata::hiera {

/// Services for a data function, provided by the lookup that calls it.
class FunctionContext {
 public:
  virtual ~FunctionContext() = default;
  /// Replaces the expressions of a value, as the lookup does.
  [[nodiscard]] virtual Value interpolate(const Value& value) = 0;
  [[nodiscard]] virtual const std::string& environment_name() const = 0;
  /// Whether an explanation is recorded.
  [[nodiscard]] virtual bool explains() const = 0;
  /// Adds a line to the explanation, at the current location.
  virtual void explain(std::string text) = 0;
  /// An arena that lives as long as the lookup's result.
  [[nodiscard]] virtual Arena& arena() = 0;
};

/// One function at one location of one node's hierarchy.
class DataSource {
 public:
  struct Answer {
    Value value;                         ///< Absent if the key is not found.
    Content content = Content::unknown;  ///< If `interpolates`, the lookup must still replace expressions.
  };

  virtual ~DataSource() = default;
  /// The value of a root key, or of the whole key if `digs()`. Errors: LookupError for bad data, Error for unsupported
  /// features.
  [[nodiscard]] virtual Answer find(const Key& key, FunctionContext& context) = 0;
  /// Whether it resolves dotted keys itself.
  [[nodiscard]] virtual bool digs() const { return false; }
  /// Adds the root keys that it knows.
  virtual void list(std::vector<std::string_view>& keys, FunctionContext& context) {
    (void)keys;
    (void)context;
  }
  /// Whether `list` gives every key that `find` can find.
  [[nodiscard]] virtual bool lists_all() const { return false; }
  /// Whether it does not have a root key, if that is known without a call.
  [[nodiscard]] virtual bool lacks(std::string_view root_key) const {
    (void)root_key;
    return false;
  }
  /// The file that contains all answers, if there is one: plain values are then the same for every node.
  [[nodiscard]] virtual const DataFile* file() { return nullptr; }
  /// The file that it reads, however it uses it. Null if it reads none.
  [[nodiscard]] virtual const DataFile* read_file() { return file(); }
};

/// A function at a location, with its arguments.
struct FunctionCall {
  const HierarchyEntry& entry;
  const Config& config;
  Value options;     ///< Interpolated; a mapping, or absent.
  std::string path;  ///< Absolute. Empty if the entry has none.
  std::string uri;
  const std::string& module;  ///< The module of the layer. Empty outside modules.
};

/// Decrypts values and opens keys for all nodes. Thread-safe.
class KeyRing;

/// Users' own functions by name (`lua::NAME`). Null if there is no function with the name.
using FunctionLoader = std::function<std::unique_ptr<DataSource>(const FunctionCall& call)>;

/// Dependencies of data functions.
struct FunctionTools {
  const DataFiles& files;
  KeyRing& keys;
  const Settings& settings;
  const FunctionLoader& loader;
};

/// The reader behind a built-in `data_hash` function. No value for any other function.
[[nodiscard]] std::optional<Reader> reader_of(std::string_view function);
/// The function of a call. Errors: `hiera.function` (unknown, or written in Ruby), `hiera.function-options`.
[[nodiscard]] std::unique_ptr<DataSource> open_source(const FunctionCall& call, const FunctionTools& tools);

}  // namespace strata::hiera
