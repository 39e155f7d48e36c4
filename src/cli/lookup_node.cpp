// SPDX-License-Identifier: Apache-2.0
#include "lookup_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/links.hpp"
#include "strata/path.hpp"
#include "strata/paths.hpp"
#include "strata/text.hpp"
#include "terminal.hpp"

namespace strata::cli {
namespace {

edit::Form data_form(hiera::NodeView::Syntax syntax) {
  using enum hiera::NodeView::Syntax;
  return {.syntax = syntax == yaml   ? edit::Syntax::yaml
                    : syntax == json ? edit::Syntax::json
                                     : edit::Syntax::hocon,
          .profile = &text::psych(),
          .json = text::kRubyJson};
}

std::vector<analysis::ConfigurationFile> with_forms(std::vector<hiera::NodeView::DataFile> files) {
  std::vector<analysis::ConfigurationFile> out;
  out.reserve(files.size());
  for (hiera::NodeView::DataFile& file : files)
    out.push_back(
        {.path = std::move(file.path), .form = data_form(file.syntax), .has_secret_name = file.has_secret_name});
  return out;
}

analysis::FilePlace place_of(const hiera::NodeView::HierarchyText& text) {
  return {.file = {.path = text.file, .form = data_form(hiera::NodeView::Syntax::yaml)}, .pointer = text.pointer};
}

}  // namespace

class LookupNode::Files final : public analysis::SubjectFiles {
 public:
  explicit Files(std::shared_ptr<LookupNode> node) : node_(std::move(node)) {}

  [[nodiscard]] std::optional<std::string> pointer(const std::string& item) override {
    if (!is_looked_up(item)) return std::nullopt;
    return hiera::pointer_of_key(item);
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> editable(const std::string& item) override {
    return with_forms(node_->view().data_files(is_looked_up(item) ? hiera::root_key(item) : item));
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override {
    return with_forms(node_->view().searched_files());
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> levels() override {
    return with_forms(node_->view().level_files());
  }
  [[nodiscard]] std::vector<std::string> code_folders() override { return node_->view().code_folders(); }
  [[nodiscard]] std::vector<std::string> folders() override { return node_->view().data_folders(); }
  [[nodiscard]] std::vector<analysis::Use> uses() override {
    std::vector<analysis::Use> out;
    for (hiera::NodeView::HierarchyText& text : node_->view().hierarchy_texts()) {
      if (!text.is_place) continue;
      out.push_back({.code = "unreachable-level",
                     .place = place_of(text),
                     .is_used = text.has_file,
                     .message = fmt::format("no node has a file at '{}'", text.text),
                     .note = {},
                     .hint = "remove the level, or add a file"});
      if (text.near.empty()) continue;
      out.back().note = excerpt_of_file(shown_path(text.near, working_folder()));
      out.back().note.message = "this is beside it";
      out.back().hint = "correct the path: it leads beside what is there";
    }
    return out;
  }
  [[nodiscard]] std::vector<analysis::NamingText> naming_texts() override {
    std::vector<analysis::NamingText> out;
    for (hiera::NodeView::HierarchyText& text : node_->view().hierarchy_texts()) {
      if (!text.variables.empty())
        out.push_back({.place = place_of(text), .text = text.text, .variables = text.variables});
    }
    return out;
  }
  [[nodiscard]] bool has_variable(std::string_view name) override { return node_->view().has_variable(name); }
  [[nodiscard]] std::string misspelt_variable(std::string_view name) override {
    return node_->view().misspelt_variable(name);
  }
  [[nodiscard]] std::vector<std::string> fact_names() override {
    std::vector<std::string> out;
    if (!node_->facts()->values.is_mapping()) return out;
    for (const Entry& entry : node_->facts()->values.entries()) out.push_back(key_text(entry.key));
    return out;
  }
  [[nodiscard]] bool lacks_legacy_facts() override { return hiera::is_strict(node_->memory_->settings.compat); }
  [[nodiscard]] analysis::Merging merging(const std::string& item) override {
    using Parts = analysis::Merging::Parts;
    hiera::NodeView::Merging merging = node_->memory_->merging ? *node_->memory_->merging : node_->view().merging(item);
    const bool is_deep = merging.strategy == "deep";
    return {.parts = is_deep                      ? Parts::all
                     : merging.strategy == "hash" ? Parts::members
                                                  : Parts::none,
            .joins_items = is_deep || merging.strategy == "unique",
            .knockout_prefix = std::move(merging.knockout_prefix)};
  }

 private:
  /// Whether an item is what a lookup of its name finds, and not a root key.
  [[nodiscard]] bool is_looked_up(const std::string& item) const {
    return !node_->memory_->keys.empty() && node_->memory_->keys.front() == item;
  }

  std::shared_ptr<LookupNode> node_;
};

std::shared_ptr<analysis::SubjectFiles> LookupNode::files(std::shared_ptr<LookupNode> node) {
  return std::make_shared<Files>(std::move(node));
}

hiera::NodeView& LookupNode::view() {
  if (!view_) view_.emplace(memory_->settings, *facts_, session_);
  return *view_;
}

std::optional<std::string> LookupNode::fact(std::string_view name) const {
  Value value = facts_->values;
  // A secret is not shown, and a search for its value does not find it.
  while (value.is_mapping() && !value.is_secret()) {
    if (const Value* whole = value.find(name); whole != nullptr && !whole->is_container()) {
      return whole->is_secret() ? std::nullopt : std::optional(key_text(*whole));
    }
    const std::size_t dot = name.find('.');
    const Value* member = value.find(name.substr(0, dot));
    if (member == nullptr || dot == std::string_view::npos) return std::nullopt;
    value = *member;
    name.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::shared_ptr<const analysis::Reads> LookupNode::reads() {
  if (knows_reads_) return class_ == nullptr ? nullptr : class_->reads;
  knows_reads_ = true;
  // A warning would be missed where a part is asked only.
  if (memory_->is_strict) return nullptr;
  std::optional<hiera::NodeView::Places> places;
  try {
    places = view().places(memory_->keys);
  } catch (const Error& error) {
    if (!analysis::is_failure(error)) throw;
    return nullptr;  // Asking tells what is wrong.
  }
  if (!places) return nullptr;
  std::string name;
  for (const auto* paths : {&places->files, &places->folders}) {
    for (const std::string& path : *paths) name.append(path).push_back('\0');
    name.push_back('\0');
  }
  for (const std::size_t count : places->counts) name.append(std::to_string(count)).push_back(' ');
  if (memory_->classes.size() >= LookupMemory::kMostClasses) memory_->classes.clear();
  auto& known = memory_->classes[std::move(name)];
  if (!known) {
    auto made = std::make_shared<analysis::Reads>();
    const FileTree& files = session_.snapshot().tree();
    for (const std::string& file : places->files) {
      made->files.insert(file);
      for (std::string& target : detail::trail_of(files, file)) made->files.insert(std::move(target));
    }
    for (const std::string& folder : places->folders) {
      made->folders.insert(folder);
      made->folders.insert(detail::real_path(files, folder));
    }
    known = std::make_shared<LookupMemory::Class>(LookupMemory::Class{.reads = std::move(made)});
  }
  class_ = known;
  return class_->reads;
}

class LookupNode::KnownBasis final : public analysis::Basis {
 public:
  explicit KnownBasis(std::shared_ptr<const hiera::NodeBasis> node) : node_(std::move(node)) {}
  [[nodiscard]] const hiera::NodeBasis& node() const noexcept { return *node_; }

 private:
  std::shared_ptr<const hiera::NodeBasis> node_;
};

std::shared_ptr<const hiera::NodeFiles> LookupNode::node_files() {
  // Lookups of some keys ask for the places of some modules only.
  if (!memory_->keys.empty() || !reads()) return view().files();
  if (!class_->files) class_->files = view().files();
  return class_->files;
}

std::shared_ptr<const LookupNode::KnownBasis> LookupNode::known_basis() {
  if (basis_) return basis_;
  auto made = view().basis(node_files());
  if (made) basis_ = std::make_shared<const KnownBasis>(std::move(made));
  return basis_;
}

namespace {

/// Runs a function that reads data. If it fails, the result is empty: a query reports what is wrong.
template <class Read>
auto unless_it_fails(const Read& read) -> decltype(read()) {
  try {
    return read();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    return {};
  }
}

analysis::Touched touched_in(LookupMemory& memory, const hiera::NodeBasis& before,
                             const std::shared_ptr<const hiera::NodeFiles>& after) {
  hiera::TouchedKeys found = memory.differences.touched(before, after, memory.keys);
  analysis::Touched out{.items = std::move(found.keys), .alike = found.alike};
  out.parts.reserve(found.parts.size());
  for (const hiera::TouchedKeys::Part& part : found.parts)
    out.parts.push_back({.alike = part.alike, .before = part.before, .after = part.after});
  if (!out.items || memory.keys.empty()) return out;
  const bool is_touched = std::ranges::any_of(memory.keys, [&out](const std::string& name) {
    return std::ranges::binary_search(*out.items, hiera::root_key(name));
  });
  if (is_touched) {
    out.items.reset();
  } else {
    out.items.emplace();
  }
  return out;
}

}  // namespace

std::shared_ptr<const analysis::Basis> LookupNode::basis() {
  return unless_it_fails([this]() -> std::shared_ptr<const analysis::Basis> { return known_basis(); });
}

std::optional<std::uint64_t> LookupNode::alike() {
  // A warning of its own is the failure of one node.
  if (memory_->is_strict) return std::nullopt;
  return unless_it_fails([this]() -> std::optional<std::uint64_t> {
    const auto known = known_basis();
    return known ? memory_->numbers.number(known->node()) : std::nullopt;
  });
}

analysis::Touched LookupNode::touched(LookupNode& other) {
  return unless_it_fails([&]() -> analysis::Touched {
    const auto before = known_basis();
    const auto after = before ? other.node_files() : nullptr;
    if (!after) return {};
    return touched_in(*memory_, before->node(), after);
  });
}

std::optional<analysis::Touched> LookupNode::touched(LookupMemory& memory, const analysis::Basis& basis,
                                                     const std::vector<std::string>& files) {
  const auto* known = dynamic_cast<const KnownBasis*>(&basis);
  const auto after = known == nullptr ? nullptr : memory.differences.files_after(known->node().files, files);
  if (!after) return std::nullopt;
  return unless_it_fails(
      [&]() -> std::optional<analysis::Touched> { return touched_in(memory, known->node(), after); });
}

}  // namespace strata::cli
