// SPDX-License-Identifier: Apache-2.0
#include "list_report.hpp"

#include <fmt/format.h>

#include <utility>

#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::cli {
namespace {

/// A row with the levels of a member of an array.
void add_row(std::string& out, Arena& arena, const Value& row) {
  const std::string text = text::write_json(arena.sequence(std::span(&row, 1)));
  if (!out.empty()) out += kRowsSeparator;
  out += std::string_view(text).substr(kRowsHead.size(), text.size() - kRowsHead.size() - kRowsTail.size());
}

}  // namespace

std::string list_rows(const SharedOptions& options, ListQuestion question) {
  std::string head;
  if (!question.node.empty()) append_token(head, question.node);
  if (!question.layer_name)
    question.layer_name = [&question](merge::LayerId layer) { return question.history.layer_name(layer); };
  question.reading.sort_keys = options.sort_keys;
  std::string out;
  merge::each_list(question.history, question.result, question.reading, [&](const merge::ListHistory& list) {
    const std::string path = head + list.path.pointer();
    if (options.output == Output::json) {
      Arena arena;
      add_row(out, arena, report::list_data(arena, question.sources, list, path, question.layer_name));
    } else {
      out += report::list_text(question.sources, question.history, list, path, options.layout);
    }
    if (out.size() <= options.most_output) return;
    throw Error("limit.output", fmt::format("the report on the lists has more than {} bytes", options.most_output))
        .hint("raise the limit with --limit output=BYTES");
  });
  return out;
}

std::string list_report(const SharedOptions& options, ListQuestion question) {
  std::string rows = list_rows(options, std::move(question));
  if (options.output != Output::json) return rows;
  return rows.empty() ? std::string(kNoRows) : fmt::format("{}{}{}", kRowsHead, rows, kRowsTail);
}

}  // namespace strata::cli
