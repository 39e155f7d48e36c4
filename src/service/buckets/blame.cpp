// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/blame.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"

namespace strata::service::buckets {
namespace {

class Blame {
 public:
  Blame(std::span<const LoadedDocument> documents, const Sources& sources, Arena& arena)
      : documents_(documents), sources_(sources), arena_(arena), out_(arena) {}

  Value of(const Value& data) {
    path_ = "/data";
    visit(data);
    return out_.finish();
  }

 private:
  // Recursion: bounded by Limits::depth, which the renderer keeps.
  void visit(const Value& value) {
    if (value.is_leaf()) return add(value);
    const std::size_t length = path_.size();
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.is_sequence()) {
        append_token(path_, std::to_string(i));
        visit(value.items()[i]);
      } else {
        append_token(path_, value.entries()[i].key.text());
        visit(value.entries()[i].value);
      }
      path_.resize(length);
    }
  }

  void add(const Value& value) {
    const auto place = sources_.position(value.origin());
    if (!place || value.origin().through_alias()) return;
    const auto after = std::ranges::upper_bound(documents_, value.origin().location, {},
                                                [](const LoadedDocument& one) { return one.root.origin().location; });
    if (after == documents_.begin()) return;
    const LoadedDocument& from = *std::prev(after);
    MappingBuilder entry(arena_);
    entry.insert("path", arena_.text(path_));
    entry.insert("file", arena_.text(fmt::format("{}@{}", from.head->bucket, from.head->body)));
    const auto begin = sources_.position(from.root.origin());
    if (from.head->line && begin && place->line >= begin->line) {
      entry.insert("line", Value::integer(*from.head->line + static_cast<std::int64_t>(place->line - begin->line)));
    }
    out_.append(entry.finish());
  }

  std::span<const LoadedDocument> documents_;
  const Sources& sources_;
  Arena& arena_;
  SequenceBuilder out_;
  std::string path_;
};

}  // namespace

Value with_blame(const Value& metadata, const Value& data, std::span<const LoadedDocument> documents,
                 const Sources& sources, Arena& arena) {
  MappingBuilder out = MappingBuilder::copy_of(arena, metadata, 1);
  out.insert("strata", Blame(documents, sources, arena).of(data));
  return out.finish();
}

}  // namespace strata::service::buckets
