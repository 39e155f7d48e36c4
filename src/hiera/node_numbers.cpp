// SPDX-License-Identifier: Apache-2.0
// Which nodes of one state get the same from every lookup: known from the files, without looking anything up.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "affected.hpp"
#include "chains.hpp"
#include "node_files.hpp"
#include "node_variables.hpp"
#include "strata/hiera.hpp"

namespace strata::hiera {

struct NodeNumbers::Memory {
  /// What is known of all nodes with the same files.
  struct Class {
    std::shared_ptr<const NodeFiles> files;  ///< They are told apart by their addresses: none may go.
    std::optional<std::uint64_t> chain;
    std::vector<std::string> variables;  ///< That texts name.
  };

  [[nodiscard]] std::uint64_t new_step() { return ++last_step; }

  /// A file at a place, of several at the same place by its position.
  std::uint64_t file_step(const NodeFiles::File& file, std::size_t position) {
    auto& step = file_steps[{file.data, file.place, position}];
    if (step == 0) step = new_step();
    return step;
  }

  /// Whether everything that a file's values follow from is known. Adds the variables.
  static bool add_variables(const DataFile& file, std::set<std::string, std::less<>>& variables) {
    const FileIndex& index = file.index();
    if (!index.dynamic.empty()) return false;
    const auto is_invalid = [&file](const Entry& entry) { return file.content(entry) == Content::invalid; };
    if (std::ranges::any_of(file.root().entries(), is_invalid)) return false;
    for (const auto& [key, names] : index.names) variables.insert(names.variables.begin(), names.variables.end());
    return true;
  }

  void begin(const std::shared_ptr<Snapshot>& of) {
    constexpr std::size_t kMostClasses = 512;
    constexpr std::size_t kMostFiles = std::size_t{1} << 16U;
    if (state != of || file_steps.size() >= kMostFiles) {
      classes.clear();
      file_steps.clear();
      state = of;
    }
    if (classes.size() >= kMostClasses) classes.clear();
  }

  Class made(const std::shared_ptr<const NodeFiles>& files) {
    Class out{.files = files, .chain = {}, .variables = {}};
    std::set<std::string, std::less<>> variables;
    std::uint64_t chain = Chains::kEmpty;
    const NodeFiles::File* last = nullptr;
    std::size_t position = 0;
    for (const NodeFiles::File& file : files->files()) {
      position = last != nullptr && last->place == file.place ? position + 1 : 0;
      last = &file;
      if (file.data == nullptr) continue;
      if (!add_variables(*file.data, variables)) return out;
      chain = chains.next(chain, file_step(file, position));
    }
    out.chain = chain;
    out.variables.assign(variables.begin(), variables.end());
    return out;
  }

  std::shared_ptr<Snapshot> state;
  std::map<const NodeFiles*, Class> classes;
  std::map<std::tuple<const DataFile*, std::uint64_t, std::size_t>, std::uint64_t> file_steps;
  Chains chains;
  std::uint64_t last_step = 0;
  KnownValues values;
};

NodeNumbers::NodeNumbers() : memory_(std::make_unique<Memory>()) {}
NodeNumbers::~NodeNumbers() = default;

std::optional<std::uint64_t> NodeNumbers::number(const NodeBasis& node) {
  Memory& memory = *memory_;
  memory.begin(node.files->snapshot());
  const auto [known, is_new] = memory.classes.try_emplace(node.files.get());
  if (is_new) known->second = memory.made(node.files);
  std::optional<std::uint64_t> out = known->second.chain;
  if (!out || known->second.variables.empty()) return out;
  Variables variables(node);
  for (const std::string& name : known->second.variables) {
    const Value* value = variables.decider(name);
    std::uint64_t step = memory.values.number(value);
    if (step == 0) memory.values.add(value, step = memory.new_step());
    out = memory.chains.next(*out, step);
  }
  return out;
}

}  // namespace strata::hiera
