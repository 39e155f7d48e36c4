// SPDX-License-Identifier: Apache-2.0
#include "service/sites/machines.hpp"

#include <string>
#include <utility>
#include <vector>

#include "strata/error.hpp"

namespace strata::service::sites {
namespace {

/// The texts of a list, as words that name files. No value: it is not a list of strings.
std::optional<std::vector<std::string>> file_words(const Value* list) {
  if (list == nullptr || !list->is_sequence()) return std::nullopt;
  std::vector<std::string> out;
  for (const Value& path : list->items()) {
    if (!path.is_text()) return std::nullopt;
    out.push_back(file_word(path.text()));
  }
  return out;
}

/// The words of a question for a machine: vendor data are weaker. Empty: it has nothing to merge.
std::vector<std::string> machine_arguments(const Value& machine) {
  std::vector<std::string> out;
  auto user = file_words(machine.find("user-data"));
  if (!user || user->empty()) return out;
  // A question takes one file of vendor data; of several parts the machine makes its own.
  if (const auto vendor = file_words(machine.find("vendor-data")); vendor && vendor->size() == 1)
    out = {"--vendor-data", vendor->front()};
  for (std::string& path : *user) out.push_back(std::move(path));
  return out;
}

}  // namespace

std::string file_word(std::string_view path) { return (path.starts_with('-') ? "./" : "") + std::string(path); }

MachineList::MachineList(const FileTree& tree, const Limits& limits) {
  auto text = tree.read("/" + std::string(kMachinesFile));
  if (!text) return;
  const SourceId source = sources_.add(kMachinesFile, *std::move(text));
  document_ = text::read_yaml(sources_, source, text::core12(), limits);
  errors_.sources = &sources_;
  errors_.place = sources_.at(source, 0);
  machines_ = Fields(document_.root, kMachinesFile, errors_).mapping("cloud-init", "a mapping of machines");
}

std::optional<workspace::Project> machines_project(const FileTree& tree, std::string_view name, const Limits& limits) {
  const MachineList list(tree, limits);
  if (list.machines() == nullptr) return std::nullopt;
  std::vector<workspace::Member> members;
  for (const Entry& entry : list.machines()->entries()) {
    if (!entry.key.is_text() || entry.key.text() == "default" || !entry.value.is_mapping()) continue;
    std::vector<std::string> words = machine_arguments(entry.value);
    if (!words.empty()) members.push_back({.name = std::string(entry.key.text()), .words = std::move(words)});
  }
  workspace::Project out{.name = std::string(name), .verb = "merge"};
  out.members = std::move(members);
  out.folder = "/";
  return out;
}

}  // namespace strata::service::sites
