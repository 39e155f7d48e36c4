// What a data function says of one location.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config.hpp"
#include "data_file.hpp"
#include "key.hpp"

namespace strata::hiera {

/// What a data function may ask of the lookup that calls it.
class FunctionContext {
 public:
  virtual ~FunctionContext() = default;
  /// A value with its expressions replaced, as the lookup would do it.
  [[nodiscard]] virtual Value interpolate(const Value& value) = 0;
  [[nodiscard]] virtual const std::string& environment_name() const = 0;
  /// Whether somebody reads explanations.
  [[nodiscard]] virtual bool explains() const = 0;
  /// Adds a line to the explanation, at the location that is searched.
  virtual void explain(std::string text) = 0;
  /// Where made values may go: lives as long as the lookup's result.
  [[nodiscard]] virtual Arena& arena() = 0;
};

/// One function at one location of one node's hierarchy.
class DataSource {
 public:
  struct Answer {
    Value value;                         ///< Absent where the key is not found.
    Content content = Content::unknown;  ///< Where `interpolates`, the lookup still has to replace expressions.
  };

  virtual ~DataSource() = default;
  /// The value of a root key; of the whole key where `digs()`. Errors: LookupError for bad data, Error for what is not supported.
  [[nodiscard]] virtual Answer find(const Key& key, FunctionContext& context) = 0;
  /// Whether it answers dotted keys by itself.
  [[nodiscard]] virtual bool digs() const { return false; }
  /// Adds the root keys that it knows of.
  virtual void list(std::vector<std::string_view>& keys, FunctionContext& context) {
    (void)keys;
    (void)context;
  }
  /// Whether `list` gives every key that `find` could find.
  [[nodiscard]] virtual bool lists_all() const { return false; }
  /// Whether it has nothing under a root key, where that can be told without a call.
  [[nodiscard]] virtual bool lacks(std::string_view root_key) const {
    (void)root_key;
    return false;
  }
  /// The file that all answers come from, where there is one: what is plain there is the same for every node.
  [[nodiscard]] virtual const DataFile* file() { return nullptr; }
  /// The file that it reads, whatever it makes of it; null where it reads none.
  [[nodiscard]] virtual const DataFile* read_file() { return file(); }
};

/// A function at a location, as it is called.
struct FunctionCall {
  const HierarchyEntry& entry;
  const Config& config;
  Value options;     ///< Interpolated; a mapping, or absent.
  std::string path;  ///< Absolute; empty where the entry has none.
  std::string uri;
  const std::string& module;  ///< Of the layer; empty outside modules.
};

/// Opens decrypted values and keys for all nodes. Thread-safe.
class KeyRing;

/// Functions of users' own, by name (`lua::NAME`): null where there is none of the name.
using FunctionLoader = std::function<std::unique_ptr<DataSource>(const FunctionCall& call)>;

/// What data functions need.
struct FunctionTools {
  const DataFiles& files;
  KeyRing& keys;
  const Settings& settings;
  const FunctionLoader& loader;
};

/// The function of a call. Errors: `hiera.function` (unknown, or written in Ruby), `hiera.function-options`.
[[nodiscard]] std::unique_ptr<DataSource> open_source(const FunctionCall& call, const FunctionTools& tools);

}  // namespace strata::hiera
