// SPDX-License-Identifier: Apache-2.0
// The texts of hiera.yaml that have expressions or name files.

#include <algorithm>
#include <array>
#include <functional>

#include "interpolation.hpp"
#include "key.hpp"
#include "strata/kind_inside.hpp"
#include "strata/path.hpp"
#include "strata/text.hpp"
#include "sub_lookup.hpp"
#include "view.hpp"

namespace strata::hiera {
namespace {

/// A hiera.yaml as it is written.
struct Written {
  std::shared_ptr<Arena> arena = std::make_shared<Arena>();
  Value root;
};

std::shared_ptr<const Written> written(Session& session, const std::string& path) {
  const FileReader<Written> reader = [](Sources& texts, SourceId source, const Limits& limits) {
    auto out = std::make_shared<Written>();
    out->root = text::read_yaml(texts, source, text::psych(), limits, out->arena).root;
    const std::size_t bytes = out->arena->bytes();
    return Reading<Written>{.parsed = std::move(out), .bytes = bytes};
  };
  return session.read<Written>(path, "as written", reader);
}

class Collector {
 public:
  Collector(detail::ViewState& view, const Layer& layer, std::vector<NodeView::HierarchyText>& out)
      : view_(view), layer_(layer), tree_(view.session.tree()), out_(out) {}

  void collect(const Value& root) {
    if (const Value* defaults = member(root, "defaults")) add_texts_of(*defaults, "/defaults");
    collect(root, "hierarchy", layer_.entries);
    collect(root, "default_hierarchy", layer_.default_entries);
  }

 private:
  static const Value* member(const Value& value, std::string_view name) {
    return value.is_mapping() ? value.find(name) : nullptr;
  }

  void collect(const Value& root, std::string_view name, const std::vector<ResolvedEntry>& entries) {
    const Value* list = member(root, name);
    if (list == nullptr || !list->is_sequence()) return;
    for (std::size_t i = 0; i < list->size(); ++i) {
      std::string pointer = pointer_of(std::array{std::string(name), std::to_string(i)});
      const Value& level = list->items()[i];
      add_locations(level, pointer, i < entries.size() ? &entries[i] : nullptr);
      add_texts_of(level, pointer);
    }
  }

  /// What a level and the defaults have alike.
  void add_texts_of(const Value& level, const std::string& pointer) {
    if (const Value* datadir = member(level, "datadir"); datadir != nullptr && datadir->is_text())
      add(*datadir, pointer + "/datadir");
    if (const Value* options = member(level, "options")) add_all(*options, pointer + "/options");
  }

  // Recursion: bounded by Limits::depth.
  void add_all(const Value& value, std::string pointer) {
    const std::size_t size = pointer.size();
    const auto below = [&](std::string_view token, const Value& one) {
      append_token(pointer, token);
      add_all(one, pointer);
      pointer.resize(size);
    };
    if (value.is_text()) return add(value, std::move(pointer));
    if (value.is_sequence()) {
      for (std::size_t i = 0; i < value.size(); ++i) below(std::to_string(i), value.items()[i]);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) below(key_text(entry.key), entry.value);
    }
  }

  /// `entry`: null where the names of the layer's folders could not be made.
  void add_locations(const Value& level, const std::string& pointer, const ResolvedEntry* entry) {
    for (const std::string_view name : {"path", "glob", "uri"}) {
      if (const Value* one = member(level, name); one != nullptr && one->is_text())
        add_location(*one, pointer + '/' + std::string(name), entry, 0);
    }
    for (const std::string_view name : {"paths", "globs", "uris"}) {
      const Value* list = member(level, name);
      if (list == nullptr || !list->is_sequence()) continue;
      for (std::size_t i = 0; i < list->size(); ++i) {
        if (list->items()[i].is_text()) add_location(list->items()[i], pointer_to(pointer, name, i), entry, i);
      }
    }
    const Value* mapped = member(level, "mapped_paths");
    constexpr std::size_t kTemplate = 2;
    if (mapped == nullptr || !mapped->is_sequence() || mapped->size() != kTemplate + 1) return;
    const auto items = mapped->items();
    out_.push_back({.file = layer_.config->path,
                    .pointer = pointer_to(pointer, "mapped_paths", 0),
                    .text = std::string(items[0].text()),
                    .variables = {std::string(items[0].text())}});
    add_location(items[kTemplate], pointer_to(pointer, "mapped_paths", kTemplate), entry, kTemplate);
    // The name of each item, which only this level knows.
    std::erase(out_.back().variables, items[1].text());
  }

  static std::string pointer_to(const std::string& pointer, std::string_view name, std::size_t index) {
    return pointer + '/' + std::string(name) + '/' + std::to_string(index);
  }

  void add(const Value& text, std::string pointer) {
    out_.push_back({.file = layer_.config->path,
                    .pointer = std::move(pointer),
                    .text = std::string(text.text()),
                    .variables = names_in(text.text()).variables});
  }

  void add_location(const Value& text, std::string pointer, const ResolvedEntry* resolved, std::size_t item) {
    add(text, std::move(pointer));
    if (resolved == nullptr) return;
    const ResolvedEntry& entry = *resolved;
    NodeView::HierarchyText& made = out_.back();
    // Whether a file outside of what may be read exists is unknown.
    const auto is_outside = [item](const Location& location) { return location.item == item && location.is_outside; };
    made.is_place = std::ranges::none_of(entry.locations, &Location::is_uri) &&
                    entry.entry->location_kind != LocationKind::uris &&
                    std::ranges::none_of(entry.locations, is_outside);
    made.has_file = std::ranges::any_of(entry.locations, [&](const Location& location) {
      return location.item == item && location.exists && kind_inside(tree_, location.path) == FileKind::file;
    });
    if (made.has_file || !made.is_place || entry.entry->location_kind == LocationKind::globs) return;
    for (const Location& location : entry.locations) {
      if (location.item != item || location.is_secret) continue;
      std::string near = near_place(tree_, location.path);
      if (near.empty() && made.variables.empty()) near = view_.directory.sibling_of(location.path, tree_);
      if (!near.empty() && (near == location.path || !names_path(layer_, near))) made.near = near;
    }
  }

  detail::ViewState& view_;
  const Layer& layer_;
  const FileTree& tree_;
  std::vector<NodeView::HierarchyText>& out_;
};

}  // namespace

ExpressionNames names_in(std::string_view text) {
  using enum Expression::Method;
  ExpressionNames out;
  std::size_t from = 0;
  while (const auto expression = find_expression(text, from)) {
    from = expression->end;
    if (expression->method == scope) out.variables.emplace_back(expression->key);
    if (expression->method == lookup || expression->method == alias) out.keys.push_back(root_key(expression->key));
  }
  return out;
}

std::vector<std::string> NodeView::code_folders() const {
  const detail::DirectoryState& directory = state_->directory;
  std::vector<std::string> out = directory.module_path;
  if (!directory.environment_folder.empty()) out.push_back(directory.environment_folder);
  return out;
}

std::vector<NodeView::HierarchyText> NodeView::hierarchy_texts() {
  constexpr int kVersion = 5;
  std::vector<HierarchyText> out;
  const auto add = [&](Layer* layer) {
    if (layer == nullptr || layer->config->path.empty() || layer->config->version != kVersion) return;
    try {
      state_->resolve(*layer);
    } catch (const Error& error) {
      // The strings are there even if no folder can be made of them, for which each lookup fails with the reason.
      if (error.ends_request()) throw;
    }
    const auto read = written(state_->session, layer->config->path);
    if (read) Collector(*state_, *layer, out).collect(read->root);
  };
  add(state_->global());
  add(state_->environment());
  for (const std::string& name : state_->directory.modules()) {
    bool is_there = false;
    add(state_->module(name, is_there));
  }
  return out;
}

bool NodeView::has_variable(std::string_view name) const {
  try {
    const auto segments = split_key(name, "string");
    const Value* found = state_->scope.find(to_string(segments.front()));
    if (found == nullptr) return false;
    Value here = *found;
    for (std::size_t i = 1; i < segments.size(); ++i) {
      here = step_into(here, segments[i], name);
      if (!here) return false;
    }
    return true;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return false;
  }
}

std::string NodeView::misspelt_variable(std::string_view name) const { return state_->scope.misspelt(name); }

}  // namespace strata::hiera
