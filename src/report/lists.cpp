// SPDX-License-Identifier: Apache-2.0
// The report on how lists were merged.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "report/lines.hpp"
#include "strata/builder.hpp"
#include "strata/report.hpp"

namespace strata::report {
std::string list_text(const Sources& sources, const merge::History& history, const merge::ListHistory& list,
                      const std::string& path, const Layout& layout) {
  std::string head = fmt::format("{}: {} {}, {}", shown_path(path), list.value.size(),
                                 list.value.size() == 1 ? "item" : "items", to_string(list.action));
  if (!list.rule.text.empty()) head += fmt::format(" by {}", list.rule.text);
  if (list.rule.option) head += fmt::format(" (set at {})", sources.place(list.rule.option).to_string());
  std::vector<merge::Contribution> rows = list.items;
  // The whole item is shown, at the place of its first leaf.
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Value item = list.value.items()[i];
    rows[i].value = item.with_origin(rows[i].value.origin()).with_secret(item.is_secret());
  }
  std::ranges::copy(list.dropped, std::back_inserter(rows));
  return fitted(std::move(head), layout) + '\n' + contribution_lines(sources, history, rows, layout, true);
}

Value list_data(Arena& arena, const Sources& sources, const merge::ListHistory& list, const std::string& path,
                const std::function<std::string(merge::LayerId)>& layer_name) {
  const auto layer_of = [&](const merge::Contribution& one) {
    return one.layer == merge::kNoLayer ? Value::null() : arena.text(layer_name(one.layer));
  };
  MappingBuilder row(arena);
  row.insert("path", arena.text(path));
  row.insert("count", Value::integer(static_cast<std::int64_t>(list.value.size())));
  row.insert("action", arena.text(to_string(list.action)));
  row.insert("strategy", arena.text(list.rule.text));
  if (list.rule.option) {
    MappingBuilder option(arena);
    insert_place(arena, option, sources.place(list.rule.option));
    row.insert("option", option.finish());
  } else {
    row.insert("option", Value::null());
  }
  row.insert("layers", Value::integer(static_cast<std::int64_t>(list.layers)));
  SequenceBuilder items(arena, list.items.size());
  for (const merge::Contribution& one : list.items) {
    MappingBuilder item(arena);
    insert_place(arena, item, leaf_place(sources, one.value.origin(), one.via));
    item.insert("layer", layer_of(one));
    items.append(item.finish());
  }
  row.insert("items", items.finish());
  SequenceBuilder dropped(arena, list.dropped.size());
  for (const merge::Contribution& one : list.dropped) {
    MappingBuilder item(arena);
    insert_place(arena, item, leaf_place(sources, one.value.origin(), one.via));
    item.insert("layer", layer_of(one));
    item.insert("value", masked(arena, one.value));
    item.insert("why", arena.text(to_string(one.loss)));
    dropped.append(item.finish());
  }
  row.insert("dropped", dropped.finish());
  return row.finish();
}

}  // namespace strata::report
