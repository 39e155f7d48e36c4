// SPDX-License-Identifier: Apache-2.0
// strata ansible-inventory: subjects as hosts, results as variables, as Ansible takes them from an executable
// inventory. Rules: docs/integrations/ansible.md.
#include <fmt/format.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "analysis_options.hpp"
#include "analysis_run.hpp"
#include "output.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"
#include "subject_answers.hpp"

namespace strata::cli {
namespace {

/// What Ansible, which reads the variables, takes for marks of its own: values under these keys would become something
/// else.
constexpr std::array<std::string_view, 2> kMarks{"__ansible_unsafe", "__ansible_vault"};

/// Ansible does not look for expressions in such a text. Error `ansible.mark`.
Value without_templates(Arena& arena, const Sources& sources, const Value& value, bool is_secret = false) {
  is_secret = is_secret || value.is_secret();
  for (const std::string_view mark : kMarks) {
    if (!value.is_mapping() || value.find(mark) == nullptr) continue;
    throw Error("ansible.mark",
                fmt::format("a variable has the key '{}', which Ansible takes for a mark of its own", mark))
        .at(sources, value.find(mark)->origin())
        .hint("give the key another name");
  }
  if (value.is_text() && is_secret) {
    MappingBuilder out(arena);
    out.insert("__ansible_unsafe", value);
    return out.finish();
  }
  if (!value.is_container() || value.kind() == Kind::set) return value;
  return with_members(arena, value,
                      [&](const Value& member) { return without_templates(arena, sources, member, is_secret); });
}

/// The name of a group for Ansible: letters, digits and underscores.
std::string group_name(const std::string& fact, const std::string& value) {
  std::string out = fmt::format("{}_{}", fact, value);
  for (char& c : out) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!is_letter) c = '_';
  }
  return out;
}

class AnsibleInventoryCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ =
        program.add_subcommand("ansible-inventory", "print nodes as hosts and results as variables, for Ansible");
    command_.add_flag("--list", list_, "all hosts with their variables, and the groups");
    command_.add_option("--host", host_, "the variables of one host").type_name("NAME");
    command_
        .add_option("--group-by", group_by_,
                    "a group for each value of a fact: role gives role_web, role_db; dots lead into facts")
        .type_name("FACT")
        .one_word();
    command_.add_flag("--origins", origins_,
                      "another variable, strata_origins, says for each path in which line of which file its value is");
    command_
        .add_option("--fleet", fleet_,
                    "the targets: a JSON or YAML list of {name, args}; args are appended to the command")
        .type_name("FILE");
    options_.add_permissions_to(command_);
    options_.add_common_to(command_);
    leave_query(command_, options_);
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    if (list_ == !host_.empty())
      throw UsageError(list_ ? Usage::conflict : Usage::missing,
                       "ansible-inventory: give one of --list and --host NAME");
    // The machines would get what is left.
    AnalysisRun run(options_, command_.rest(), fleet_, false, OnRefusal::fail);
    if (!run.wording().is_fleet) {
      throw UsageError(
          Usage::value,
          fmt::format("ansible-inventory: the question has one {} without a name: give a list, as --nodes or --fleet",
                      run.wording().subject));
    }
    print(list_ ? all_hosts(run) : one_host(run));
    flush_output();
    return 0;
  }

 private:
  [[nodiscard]] std::string all_hosts(AnalysisRun& run) const {
    std::string hostvars;
    Arena arena;
    SequenceBuilder hosts(arena);
    std::map<std::string, SequenceBuilder> groups;
    std::vector<bool> is_known(group_by_.size());
    ask_subjects(
        run, [](const std::string& /*name*/) { return true; },
        [&](const SubjectAnswer& answer) {
          const std::string& name = answer.subject.name();
          hostvars += hostvars.empty() ? "\n" : ",\n";
          hostvars += "      ";
          text::append_json_text(hostvars, name);
          hostvars += ": ";
          append_variables(hostvars, answer, kDepthOfHost);
          const Value host = arena.text(name);
          hosts.append(host);
          for (std::size_t i = 0; i < group_by_.size(); ++i) {
            const auto fact = answer.subject.fact(group_by_[i]);
            if (!fact) continue;
            is_known[i] = true;
            groups.try_emplace(group_name(group_by_[i], *fact), arena).first->second.append(host);
          }
          return true;
        });
    for (std::size_t i = 0; i < group_by_.size(); ++i) {
      if (is_known[i]) continue;
      run.warn(Error("ansible.fact", fmt::format("no {} has the fact '{}', so that it makes no group",
                                                 run.wording().subject, group_by_[i]))
                   .hint("facts are known of the nodes of 'lookup'")
                   .diagnostic());
    }
    // Ansible knows these two groups itself.
    groups.erase("all");
    std::string out = fmt::format("{{\n  \"_meta\": {{\n    \"hostvars\": {{{}{}}}\n  }}", hostvars,
                                  hostvars.empty() ? "" : "\n    ");
    append_group(out, "all", hosts.finish());
    for (auto& [name, members] : groups) append_group(out, name, members.finish());
    return out + "\n}\n";
  }

  static void append_group(std::string& out, const std::string& name, const Value& hosts) {
    out += ",\n  ";
    text::append_json_text(out, name);
    out += ": {\"hosts\": ";
    text::append_json(out, hosts, {.indent = -1});
    out += '}';
  }

  [[nodiscard]] std::string one_host(AnalysisRun& run) const {
    std::string out;
    std::vector<std::string> known;
    const auto wants = [&](const std::string& name) {
      known.push_back(name);
      return name == host_;
    };
    ask_subjects(run, wants, [&](const SubjectAnswer& answer) {
      append_variables(out, answer, 0);
      return false;
    });
    if (out.empty()) throw unknown_subject("ansible.host", run, host_, known);
    return out + "\n";
  }

  void append_variables(std::string& out, const SubjectAnswer& answer, int depth) const {
    Arena arena;
    Value variables = without_templates(arena, answer.sources, answer.variables);
    if (origins_) {
      MappingBuilder with_origins = MappingBuilder::copy_of(arena, variables);
      with_origins.insert("strata_origins", origins_of(arena, answer));
      variables = with_origins.finish();
    }
    text::append_json(out, variables, {.sort_keys = options_.sort_keys}, depth);
  }

  static Value origins_of(Arena& arena, const SubjectAnswer& answer) {
    MappingBuilder out(arena);
    for (const Value& leaf : report::blame_data(arena, answer.sources, answer.variables).items()) {
      const Value* file = leaf.find("file");
      const Value* line = leaf.find("line");
      if (file == nullptr || !file->is_text()) continue;
      const bool has_line = line != nullptr && line->kind() == Kind::integer;
      out.insert(*leaf.find("path"),
                 has_line ? arena.text(fmt::format("{}:{}", file->text(), line->as_integer())) : *file);
    }
    return out.finish();
  }

  static constexpr int kDepthOfHost = 3;

  Arguments command_;
  SharedOptions options_;
  bool list_ = false;
  bool origins_ = false;
  std::string host_;
  std::vector<std::string> group_by_;
  std::string fleet_;
};

const Registration ansible_inventory_registration(
    {.name = "ansible-inventory",
     .place = 850,
     .make = []() -> std::unique_ptr<Command> { return std::make_unique<AnsibleInventoryCommand>(); },
     .examples =
         {"strata ansible-inventory --list --group-by role lookup --all --hiera-config examples/fleet/hiera.yaml "
          "--nodes examples/fleet/nodes.json",
          "strata ansible-inventory --host web01 --origins lookup --all --hiera-config examples/fleet/hiera.yaml "
          "--nodes examples/fleet/nodes.json"},
     .page = "integrations/ansible.md"});

}  // namespace

}  // namespace strata::cli
