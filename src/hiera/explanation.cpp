// SPDX-License-Identifier: Apache-2.0
#include "explanation.hpp"

#include <fmt/format.h>

#include "reference_words.hpp"
#include "ruby/ruby.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::hiera {

using Node = Explanation::Node;

namespace {

bool has_value(Node::Event event) {
  using enum Node::Event;
  return event == found || event == found_in_defaults || event == found_in_overrides || event == result;
}

std::string_view name_of(Node::Event event) {
  switch (event) {
    case Node::Event::none:
      return "";
    case Node::Event::found:
      return "found";
    case Node::Event::not_found:
      return "not_found";
    case Node::Event::location_not_found:
      return "location_not_found";
    case Node::Event::result:
      return "result";
    case Node::Event::found_in_overrides:
      return "found_in_overrides";
    case Node::Event::found_in_defaults:
      return "found_in_defaults";
    case Node::Event::module_not_found:
      return "module_not_found";
    case Node::Event::module_provider_not_found:
      return "module_provider_not_found";
  }
  return "";
}

std::string_view name_of(const Node& node) {
  switch (node.type) {
    case Node::Type::root:
    case Node::Type::top:
      return "root";
    case Node::Type::invalid_key:
      return "invalid_key";
    case Node::Type::merge_source:
      return "merge_source";
    case Node::Type::module:
      return "module";
    case Node::Type::interpolate:
      return "interpolate";
    case Node::Type::merge:
      return "merge";
    case Node::Type::data_provider:
      return "data_provider";
    case Node::Type::location:
      return node.is_uri ? "uri" : "path";
    case Node::Type::sub_key:
      return "sub_key";
    case Node::Type::segment:
      return "segment";
    case Node::Type::scope:
      return "scope";
  }
  return "root";
}

class TextWriter {
 public:
  // Recursion: as deep as lookups nest, which the recursion check and Limits::depth bound.
  void write(const Node& node, int indent) {
    switch (node.type) {
      case Node::Type::root:
        branches(node, indent);
        texts(node, indent);
        return;
      case Node::Type::top:
        line(indent, fmt::format("Searching for \"{}\"", node.key));
        branches(node, indent + 2);
        return;
      case Node::Type::invalid_key:
        line(indent, fmt::format("Invalid key \"{}\"", node.key));
        return;
      case Node::Type::merge_source:
        line(indent, fmt::format("Using merge options from \"{}\" hash", node.name));
        return;
      case Node::Type::module:
        line(indent, node.event == Node::Event::module_not_found
                         ? fmt::format("Module \"{}\" not found", node.name)
                         : fmt::format("Module data provider for module \"{}\" not found", node.name));
        return;
      case Node::Type::interpolate:
        line(indent, fmt::format("Interpolation on \"{}\"", node.name));
        branches(node, indent + 2);
        return;
      case Node::Type::merge:
        merge(node, indent);
        return;
      case Node::Type::location:
        location(node, indent);
        return;
      case Node::Type::segment:
        outcome(node, indent);
        return;
      case Node::Type::data_provider:
        line(indent, node.name);
        if (!node.configuration.empty())
          line(indent + 2, fmt::format("Using configuration \"{}\"", node.configuration));
        break;
      case Node::Type::sub_key:
        line(indent, fmt::format("Sub key: \"{}\"", node.name));
        break;
      case Node::Type::scope:
        line(indent, node.name);
        break;
    }
    branches(node, indent + 2);
    outcome(node, indent + 2);
  }

  std::string take() { return std::move(out_); }

 private:
  void line(int indent, std::string_view text) {
    fmt::format_to(std::back_inserter(out_), "{:{}}{}\n", "", indent, text);
  }

  void branches(const Node& node, int indent) {
    for (const auto& branch : node.branches) write(*branch, indent);
  }

  void texts(const Node& node, int indent) {
    for (const std::string& text : node.texts) line(indent, text);
  }

  void dump(const Value& value, int indent) {
    Arena arena;
    ruby::append_dump(out_, report::masked(arena, value), indent);
  }

  void outcome(const Node& node, int indent) {
    if (node.event == Node::Event::not_found) {
      line(indent, fmt::format("No such key: \"{}\"", node.key));
    } else if (has_value(node.event) && node.event != Node::Event::result) {
      fmt::format_to(std::back_inserter(out_), "{:{}}Found key: \"{}\" value: ", "", indent, node.key);
      dump(node.value, indent);
      if (node.event == Node::Event::found_in_overrides) out_ += " in overrides";
      if (node.event == Node::Event::found_in_defaults) out_ += " in defaults";
      out_ += '\n';
    }
    texts(node, indent);
  }

  void location(const Node& node, int indent) {
    const std::string_view kind = node.is_uri ? "URI" : "Path";
    line(indent, fmt::format("{} \"{}\"", kind, node.name));
    line(indent + 2, fmt::format("Original {}: \"{}\"", node.is_uri ? "uri" : "path", node.original));
    branches(node, indent + 2);
    if (node.event == Node::Event::location_not_found) line(indent + 2, fmt::format("{} not found", kind));
    outcome(node, indent + 2);
  }

  /// A merge of one thing is not worth a heading.
  void merge(const Node& node, int indent) {
    if (node.branches.size() < 2) {
      branches(node, indent);
      return;
    }
    line(indent, fmt::format("Merge strategy {}", node.name));
    const auto labelled = [&](std::string_view label, const Value& value) {
      fmt::format_to(std::back_inserter(out_), "{:{}}{}: ", "", indent + 2, label);
      dump(value, indent + 2);
      out_ += '\n';
    };
    if (node.options) labelled("Options", node.options);
    branches(node, indent + 2);
    if (node.event == Node::Event::result) labelled("Merged result", node.value);
  }

  std::string out_;
};

class DataWriter {
 public:
  explicit DataWriter(Arena& arena) : arena_(arena) {}

  // Recursion: as deep as lookups nest.
  Value write(const Node& node) {
    if (node.type == Node::Type::merge && node.branches.size() == 1) return write(*node.branches.front());
    MappingBuilder out(arena_);
    if (node.type == Node::Type::merge_source) {
      put_symbol(out, "type", name_of(node));
      put(out, "merge_source", node.name);
      return out.finish();
    }
    if (!node.branches.empty()) {
      SequenceBuilder list(arena_, node.branches.size());
      for (const auto& branch : node.branches) list.append(write(*branch));
      out.insert(symbol("branches"), list.finish());
    }
    if (node.type == Node::Type::root) return out.finish();
    if (node.has_key) put(out, "key", node.key);
    if (has_value(node.event)) out.insert(symbol("value"), report::masked(arena_, node.value));
    if (node.event != Node::Event::none) put_symbol(out, "event", name_of(node.event));
    if (!node.texts.empty()) {
      SequenceBuilder list(arena_);
      for (const std::string& text : node.texts) list.append(arena_.text(text));
      out.insert(symbol("texts"), list.finish());
    }
    put_symbol(out, "type", name_of(node));
    own_members(node, out);
    return out.finish();
  }

 private:
  Value symbol(std::string_view name) {
    return arena_.key(arena_.object(std::make_shared<text::Symbol>(std::string(name))));
  }
  void put(MappingBuilder& mapping, std::string_view key, std::string_view text) {
    mapping.insert(symbol(key), arena_.text(text));
  }
  void put_symbol(MappingBuilder& mapping, std::string_view key, std::string_view name) {
    mapping.insert(symbol(key), symbol(name));
  }

  void own_members(const Node& node, MappingBuilder& out) {
    switch (node.type) {
      case Node::Type::interpolate:
        put(out, "expression", node.name);
        break;
      case Node::Type::merge:
        put_symbol(out, "merge", node.name);
        if (node.options) out.insert(symbol("options"), node.options);
        break;
      case Node::Type::data_provider:
        put(out, "name", node.name);
        if (!node.configuration.empty()) put(out, "configuration_path", node.configuration);
        if (node.is_module) put(out, "module", node.module);
        break;
      case Node::Type::location:
        put(out, node.is_uri ? "original_uri" : "original_path", node.original);
        put(out, node.is_uri ? "uri" : "path", node.name);
        break;
      case Node::Type::scope:
        put(out, "name", node.name);
        break;
      default:
        break;
    }
  }

  Arena& arena_;
};

}  // namespace

Explanation::Explanation(Scope scope) : scope_(scope), root_(std::make_unique<Node>()) {}
Explanation::~Explanation() = default;

std::string Explanation::text() const {
  TextWriter writer;
  writer.write(*root_, 0);
  return writer.take();
}

Value Explanation::data(Arena& arena) const {
  DataWriter writer(arena);
  return writer.write(root_->branches.size() == 1 ? *root_->branches.front() : *root_);
}

void Explanation::add_failure(const LookupError& error, const std::string& working_folder) {
  add_text(worded(error, working_folder));
}

void Explanation::add_text(std::string text) { root_->texts.push_back(std::move(text)); }

Node& Tracer::add(Node::Type type) {
  auto node = std::make_unique<Node>();
  node->type = type;
  node->parent = current_;
  current_->branches.push_back(std::move(node));
  return *current_->branches.back();
}

void Tracer::found(std::string_view key, const Value& value, Node::Event event) const {
  if (current_ == nullptr) return;
  current_->has_key = true;
  current_->key = key;
  current_->value = value;
  current_->event = event;
}

void Tracer::not_found(std::string_view key) const {
  if (current_ == nullptr) return;
  current_->has_key = true;
  current_->key = key;
  current_->event = Node::Event::not_found;
}

void Tracer::event(Node::Event event) const {
  if (current_ != nullptr) current_->event = event;
}

void Tracer::result(const Value& value) const {
  if (current_ == nullptr) return;
  current_->value = value;
  current_->event = Node::Event::result;
}

void Tracer::merge_source(std::string_view name) {
  if (current_ != nullptr) add(Node::Type::merge_source).name = name;
}

void Tracer::module_event(std::string_view module, Node::Event event) {
  if (current_ == nullptr) return;
  Node& node = add(Node::Type::module);
  node.name = module;
  node.event = event;
}

void Tracer::text(std::string text) const {
  if (current_ != nullptr) current_->texts.push_back(std::move(text));
}

}  // namespace strata::hiera
