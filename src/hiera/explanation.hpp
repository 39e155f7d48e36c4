// SPDX-License-Identifier: Apache-2.0
// Builds the tree of events that `puppet lookup --explain` shows.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/hiera.hpp"

namespace strata::hiera {

/// A node of an explanation. The type decides the meaning of members; unused members are empty.
struct Explanation::Node {
  enum class Type {
    root,
    top,
    invalid_key,
    merge_source,
    module,
    interpolate,
    merge,
    data_provider,
    location,
    sub_key,
    segment,
    scope
  };
  enum class Event {
    none,
    found,
    not_found,
    location_not_found,
    result,
    found_in_overrides,
    found_in_defaults,
    module_not_found,
    module_provider_not_found
  };

  Type type = Type::root;
  Node* parent = nullptr;
  std::vector<std::unique_ptr<Node>> branches;
  std::vector<std::string> texts;
  Event event = Event::none;
  bool has_key = false;
  std::string key;
  Value value;
  std::string name;  ///< A provider, scope, merge strategy, module; the expression; the location; the joined segments.
  std::string original;       ///< For a location: as written.
  std::string configuration;  ///< For a provider: its hiera.yaml.
  std::string module;         ///< For a module's provider.
  bool is_module = false;
  bool is_uri = false;
  Value options;  ///< For a merge: a mapping without the strategy. Absent if there are none.
};

/// Receives events, for an Explanation or for nobody. Cheap to copy.
class Tracer {
 public:
  Tracer() = default;
  explicit Tracer(Explanation* explanation) : current_(explanation == nullptr ? nullptr : &explanation->root()) {}

  explicit operator bool() const noexcept { return current_ != nullptr; }

  /// Opens a node while this object exists. `name` is a function, so that unused names cost nothing.
  class Branch {
   public:
    template <class Fill>
    Branch(Tracer& tracer, Explanation::Node::Type type, const Fill& fill) : tracer_(tracer) {
      if (!tracer) return;
      Explanation::Node& node = tracer.add(type);
      fill(node);
      tracer.current_ = &node;
      entered_ = true;
    }
    ~Branch() {
      if (entered_) tracer_.current_ = tracer_.current_->parent;
    }
    Branch(const Branch&) = delete;
    Branch& operator=(const Branch&) = delete;

   private:
    Tracer& tracer_;
    bool entered_ = false;
  };

  /// Suppresses events while this object exists.
  class Silence {
   public:
    explicit Silence(Tracer& tracer) : tracer_(tracer), before_(tracer.current_) { tracer.current_ = nullptr; }
    ~Silence() { tracer_.current_ = before_; }
    Silence(const Silence&) = delete;
    Silence& operator=(const Silence&) = delete;

   private:
    Tracer& tracer_;
    Explanation::Node* before_;
  };

  void found(std::string_view key, const Value& value,
             Explanation::Node::Event event = Explanation::Node::Event::found) const;
  void not_found(std::string_view key) const;
  void event(Explanation::Node::Event event) const;
  void result(const Value& value) const;
  void merge_source(std::string_view name);
  void module_event(std::string_view module, Explanation::Node::Event event);
  void text(std::string text) const;

 private:
  Explanation::Node& add(Explanation::Node::Type type);
  Explanation::Node* current_ = nullptr;
};

}  // namespace strata::hiera
