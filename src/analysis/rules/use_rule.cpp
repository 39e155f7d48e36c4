// What is written in the files for some subjects, and none of them makes use of.

#include <map>
#include <string>
#include <tuple>

#include "locator.hpp"

namespace strata::analysis {
namespace {

class UseRule final : public Rule {
 public:
  void see(const Seen& seen) override {
    // Subjects that read the same make use of the same.
    if (!seen.is_new) return;
    for (Use& use : seen.subject.files()->uses()) {
      const Place where = use.place.where.value_or(Excerpt()).place;
      Name name(use.code, use.place.file.path, use.place.document, use.place.pointer, where.line.value_or(0), where.column.value_or(0));
      const auto [known, is_first] = uses_.try_emplace(std::move(name), use);
      if (!is_first) known->second.is_used = known->second.is_used || use.is_used;
    }
  }

  void conclude(const Evidence& evidence, Findings& findings) override {
    Locator locator(evidence);
    for (const auto& [name, use] : uses_) {
      if (use.is_used || !findings.wants(use.code)) continue;
      Finding& out = findings.add(use.code, locator.find(use.place), use.message, use.hint);
      out.pointer = use.place.pointer;
      out.document = locator.document(use.place);
      Findings::note(out, use.note, use.note.message);
    }
  }

 private:
  using Name = std::tuple<std::string, std::string, std::size_t, std::string, std::size_t, std::size_t>;  ///< Code, file and place.
  std::map<Name, Use> uses_;
};

}  // namespace

std::unique_ptr<Rule> make_use_rule() { return std::make_unique<UseRule>(); }

}  // namespace strata::analysis
