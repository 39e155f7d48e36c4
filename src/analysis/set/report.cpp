// SPDX-License-Identifier: Apache-2.0
// Proposals as texts and data.
#include <algorithm>

#include "analysis/wording.hpp"
#include "report/lines.hpp"
#include "strata/builder.hpp"
#include "strata/proposals.hpp"
#include "strata/report.hpp"

namespace strata::analysis {

std::string proposals_text(const ProposalReport& report, const Wording& wording) {
  std::string out = std::to_string(report.selected.size()) + " of " + counted(report.total, wording.subject) +
                    " selected, " + std::to_string(report.already) + " already have it\n";
  if (report.has_nothing_to_do()) return out + "nothing to do\n";
  for (std::size_t i = 0; i < report.proposals.size(); ++i) {
    const Proposal& proposal = report.proposals[i];
    out += "proposal " + std::to_string(i + 1) + ": ";
    for (std::size_t k = 0; k < proposal.edits.size(); ++k) {
      const ProposedEdit& edit = proposal.edits[k];
      out += (k > 0 ? ", " : "") + report::on_one_line(edit.file);
      out += edit.before ? ":" + std::to_string(edit.line) + (edit.is_set ? " (set)" : " (unset)") : " (new file)";
    }
    out += "\n  reaches " + counted(report.selected.size(), wording.subject) + ", touches " +
           counted(proposal.collateral.size(), "other");
    if (!proposal.collateral.empty()) {
      const auto first = std::vector(proposal.collateral.begin(),
                                     proposal.collateral.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(
                                                                       proposal.collateral.size(), kNames)));
      out += ": " + name_list(first, proposal.collateral.size(),
                              [](const std::string& name) { return report::on_one_line(name); });
    }
    out += '\n';
    if (i == 0) out += proposal.diff;
  }
  return out;
}

Value proposals_data(Arena& arena, const ProposalReport& report) {
  const auto names = [&arena](const std::vector<std::string>& all) {
    SequenceBuilder out(arena, all.size());
    for (const std::string& name : all) out.append(arena.text(name));
    return out.finish();
  };
  const auto number = [](std::size_t value) { return Value::integer(static_cast<std::int64_t>(value)); };
  MappingBuilder out(arena);
  out.insert("format", arena.text("strata-set/1"));
  out.insert("item", arena.text(report.wish.item));
  out.insert("path", arena.text(report.wish.path));
  const Value value = report.wish.value ? report.wish.value.with_secret(report.is_secret) : Value::null();
  out.insert("value", report::masked(arena, value));
  if (report::holds_secret(value)) out.insert("secret", Value::boolean(true));
  out.insert("selected", names(report.selected));
  out.insert("already", number(report.already));
  SequenceBuilder proposals(arena, report.proposals.size());
  for (const Proposal& proposal : report.proposals) {
    SequenceBuilder edits(arena, proposal.edits.size());
    for (const ProposedEdit& edit : proposal.edits) {
      MappingBuilder row(arena);
      row.insert("file", arena.text(edit.file));
      row.insert("op", arena.text(edit.is_set ? "set" : "unset"));
      row.insert("pointer", arena.text(report.pointer));
      if (edit.before) row.insert("line", number(edit.line));
      row.insert("new_file", Value::boolean(!edit.before));
      edits.append(row.finish());
    }
    MappingBuilder row(arena);
    row.insert("rank", number(proposals.size() + 1));
    row.insert("edits", edits.finish());
    row.insert("collateral", names(proposal.collateral));
    row.insert("side", names(proposal.side));
    row.insert("diff", arena.text(proposal.diff));
    proposals.append(row.finish());
  }
  out.insert("proposals", proposals.finish());
  SequenceBuilder rejected(arena, report.rejected.size());
  for (const Rejected& one : report.rejected) {
    MappingBuilder row(arena);
    row.insert("file", arena.text(one.file));
    row.insert("missed", number(one.missed));
    row.insert("why", arena.text(one.why));
    rejected.append(row.finish());
  }
  out.insert("rejected", rejected.finish());
  if (report.more_edits && report.more_edits->edits != 0) {
    MappingBuilder more(arena);
    if (!report.more_edits->file.empty()) more.insert("file", arena.text(report.more_edits->file));
    more.insert("edits", number(report.more_edits->edits));
    out.insert("more_edits", more.finish());
  }
  return out.finish();
}

}  // namespace strata::analysis
