#include "lookup_node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "strata/path.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

edit::Form form_of(hiera::NodeView::Syntax syntax) {
  using enum hiera::NodeView::Syntax;
  return {.syntax = syntax == yaml   ? edit::Syntax::yaml
                    : syntax == json ? edit::Syntax::json
                                     : edit::Syntax::other,
          .profile = &text::psych(),
          .json = text::kRubyJson};
}

std::vector<analysis::ConfigurationFile> with_forms(std::vector<hiera::NodeView::DataFile> files) {
  std::vector<analysis::ConfigurationFile> out;
  out.reserve(files.size());
  for (hiera::NodeView::DataFile& file : files) out.push_back({.path = std::move(file.path), .form = form_of(file.syntax)});
  return out;
}

analysis::FilePlace place_of(const hiera::NodeView::HierarchyText& text) {
  return {.file = {.path = text.file, .form = form_of(hiera::NodeView::Syntax::yaml)}, .pointer = text.pointer};
}

}  // namespace

class LookupNode::Files final : public analysis::SubjectFiles {
 public:
  explicit Files(std::shared_ptr<LookupNode> node) : node_(std::move(node)) {}

  [[nodiscard]] std::vector<analysis::ConfigurationFile> editable(const std::string& item) override {
    return with_forms(node_->view().data_files(item));
  }
  [[nodiscard]] std::vector<analysis::ConfigurationFile> read() override { return with_forms(node_->view().searched_files()); }
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
    }
    return out;
  }
  [[nodiscard]] std::vector<analysis::NamingText> naming_texts() override {
    std::vector<analysis::NamingText> out;
    for (hiera::NodeView::HierarchyText& text : node_->view().hierarchy_texts()) {
      if (!text.variables.empty()) out.push_back({.place = place_of(text), .variables = text.variables});
    }
    return out;
  }
  [[nodiscard]] bool has_variable(std::string_view name) override { return node_->view().has_variable(name); }
  [[nodiscard]] std::vector<std::string> fact_names() override {
    std::vector<std::string> out;
    if (!node_->facts()->values.is_mapping()) return out;
    for (const Entry& entry : node_->facts()->values.entries()) out.push_back(key_text(entry.key));
    return out;
  }
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
  std::shared_ptr<LookupNode> node_;
};

std::shared_ptr<analysis::SubjectFiles> LookupNode::files(std::shared_ptr<LookupNode> node) { return std::make_shared<Files>(std::move(node)); }

hiera::NodeView& LookupNode::view() {
  if (!view_) view_.emplace(memory_->settings, *facts_, session_);
  return *view_;
}

std::optional<std::string> LookupNode::fact(std::string_view name) const {
  Value value = facts_->values;
  while (value.is_mapping()) {
    if (const Value* whole = value.find(name); whole != nullptr && !whole->is_container()) return key_text(*whole);
    const std::size_t dot = name.find('.');
    const Value* member = value.find(name.substr(0, dot));
    if (member == nullptr || dot == std::string_view::npos) return std::nullopt;
    value = *member;
    name.remove_prefix(dot + 1);
  }
  return std::nullopt;
}

std::shared_ptr<const analysis::Reads> LookupNode::reads() {
  if (knows_reads_) return reads_;
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
  const auto [known, is_new] = memory_->reads.try_emplace(name);
  if (is_new) {
    auto made = std::make_shared<analysis::Reads>();
    made->files.insert(places->files.begin(), places->files.end());
    made->folders.insert(places->folders.begin(), places->folders.end());
    known->second = std::move(made);
  }
  return reads_ = known->second;
}

analysis::Wanted LookupNode::affected(LookupNode& other, const std::vector<std::string>& files) {
  auto keys = view().affected(other.view(), files, memory_->differences);
  if (!keys || memory_->keys.empty()) return keys;
  const bool is_affected =
      std::ranges::any_of(memory_->keys, [&keys](const std::string& name) { return std::ranges::binary_search(*keys, hiera::root_key(name)); });
  return is_affected ? analysis::Wanted() : analysis::Wanted(std::vector<std::string>());
}

}  // namespace strata::cli
