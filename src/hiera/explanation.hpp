// The tree of events that `puppet lookup --explain` shows, while it grows.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "strata/hiera.hpp"

namespace strata::hiera {

/// A node of an explanation. What a member means depends on the type; those that do not apply are empty.
struct Explanation::Node {
  enum class Type { root, top, invalid_key, merge_source, module, interpolate, merge, data_provider, location, sub_key, segment, scope };
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
  std::string name;           ///< Of a provider, scope, merge strategy, module; the expression; the location; the joined segments.
  std::string original;       ///< Of a location: as written.
  std::string configuration;  ///< Of a provider: its hiera.yaml.
  std::string module;         ///< Of a module's provider.
  bool is_module = false;
  bool is_uri = false;
  Value options;  ///< Of a merge: a mapping without the strategy; absent for none.
};

/// Where events go: nowhere, or into an Explanation. Cheap to copy.
class Tracer {
 public:
  Tracer() = default;
  explicit Tracer(Explanation* explanation) : current_(explanation == nullptr ? nullptr : &explanation->root()) {}

  explicit operator bool() const noexcept { return current_ != nullptr; }

  /// A node, as long as this lives; `name` is a function so that nobody pays for names that nobody reads.
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

  /// Nothing is told as long as this lives.
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

  void found(std::string_view key, const Value& value, Explanation::Node::Event event = Explanation::Node::Event::found) const;
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
