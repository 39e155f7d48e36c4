#include "list_report.hpp"

#include <fmt/format.h>

#include "strata/builder.hpp"
#include "strata/list_history.hpp"
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

std::string list_rows(const SharedOptions& options, const Sources& sources, const merge::History& history, const merge::Traced& result,
                      bool is_documents, const std::string& node) {
  std::string head;
  if (!node.empty()) append_token(head, node);
  std::string out;
  merge::each_list(history, result, {.sort_keys = options.sort_keys, .is_documents = is_documents}, [&](const merge::ListHistory& list) {
    const std::string path = head + list.path.pointer();
    if (options.output == Output::json) {
      Arena arena;
      add_row(out, arena, report::list_data(arena, sources, history, list, path));
    } else {
      out += report::list_text(sources, history, list, path, options.layout);
    }
    if (out.size() <= options.most_output) return;
    throw Error("limit.output", fmt::format("the report on the lists has more than {} bytes", options.most_output))
        .hint("raise the limit with --limit output=BYTES");
  });
  return out;
}

}  // namespace strata::cli
