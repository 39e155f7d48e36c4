// SPDX-License-Identifier: Apache-2.0
// The tables of the built-in mergers against their rules written down as code: all pairs of small values under all
// options.
#include "cloudinit/mergers.hpp"

#include <gtest/gtest.h>

#include "strata/builder.hpp"
#include "strata/merge.hpp"
#include "strata/text.hpp"
#include "support/generators.hpp"

namespace strata::cloudinit {
namespace {

struct MergeFailure {};

/// The mergers as docs/cloud-init/merge.md words them, one value at a time.
class Reference {
 public:
  Reference(Arena& arena, const MergerOptions& dict, const MergerOptions& list, const MergerOptions& str)
      : arena_(arena), dict_(dict), list_(list), str_(str) {}

  Value merge(const Value& old, const Value& incoming) {
    if (old.is_mapping()) return merge_mappings(old, incoming);
    if (old.is_sequence()) return merge_list(old, incoming);
    if (!old.is_text()) return old;
    if (!str_.has("append")) return incoming;
    if (!incoming.is_text()) throw MergeFailure();
    return arena_.text(std::string(old.text()) + std::string(incoming.text()));
  }

 private:
  static bool recurses(const MergerOptions& options, const Value& incoming, bool mappings) {
    if (incoming.is_sequence()) return options.has("recurse_list");
    if (incoming.is_text()) return options.has("recurse_str");
    return incoming.is_mapping() && mappings;
  }

  Value merge_mappings(const Value& old, const Value& incoming) {
    if (!incoming.is_mapping()) return old;
    MappingBuilder result = MappingBuilder::copy_of(arena_, old);
    for (const Entry& entry : incoming.entries()) {
      const Value* present = result.find(entry.key);
      if (present == nullptr) {
        result.insert(entry.key, entry.value);
      } else if (entry.value.is_null() && dict_.has("allow_delete")) {
        result.erase(entry.key);
      } else if (dict_.has("replace")) {
        result.insert(entry.key, entry.value);
      } else if (recurses(dict_, entry.value, true)) {
        result.insert(entry.key, merge(*present, entry.value));
      }
    }
    return result.finish();
  }

  Value items_of(const Value& value) {
    if (value.is_sequence()) return value;
    SequenceBuilder items(arena_);
    if (value.is_text()) {
      for (const char c : value.text()) items.append(arena_.text(std::string_view(&c, 1)));
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) items.append(entry.key);
    } else {
      throw MergeFailure();
    }
    return items.finish();
  }

  Value merge_list(const Value& old, const Value& incoming) {
    SequenceBuilder result = SequenceBuilder::copy_of(arena_, old);
    if (list_.has("append")) {
      result.append(items_of(incoming).items());
    } else if (list_.has("prepend")) {
      SequenceBuilder both(arena_);
      both.append(items_of(incoming).items());
      both.append(old.items());
      return both.finish();
    } else if (list_.has("no_replace") && !list_.has("replace")) {
      if (!incoming.is_sequence() && !incoming.is_text() && !incoming.is_mapping()) throw MergeFailure();
      for (std::size_t i = 0; incoming.is_mapping() && i < std::min(old.size(), incoming.size()); ++i) {
        if (incoming.find(Value::integer(static_cast<std::int64_t>(i))) == nullptr) throw MergeFailure();
      }
    } else {
      if (!incoming.is_sequence()) return incoming;
      for (std::size_t i = 0; i < std::min(old.size(), incoming.size()); ++i) {
        const Value item = incoming.items()[i];
        result.replace(i, recurses(list_, item, list_.has("recurse_dict")) ? merge(old.items()[i], item) : item);
      }
    }
    return result.finish();
  }

  Arena& arena_;
  const MergerOptions& dict_;
  const MergerOptions& list_;
  const MergerOptions& str_;
};

std::vector<std::vector<std::string>> subsets(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> out;
  for (std::size_t bits = 0; bits < (std::size_t{1} << words.size()); ++bits) {
    std::vector<std::string>& one = out.emplace_back();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if ((bits >> i & 1U) != 0) one.push_back(words[i]);
    }
  }
  return out;
}

TEST(Mergers, DoWhatTheirRulesSay) {
  constexpr const char* kValues =
      "[~, 1, true, a, '', [], [1], [x, y, z], [[p, q], {a: 1}, s], {}, {a: 1}, {a: ~, b: 2}, {a: [x]}, {a: [p, [q], "
      "r]}, {a: {b: y}, c: s}, {a: t, "
      "0: z}]";
  Sources sources;
  const text::Document document = text::read_yaml(sources, sources.add("values", kValues), text::pyyaml(), {});
  const auto values = document.root.items();
  const Limits limits;
  std::size_t checked = 0;
  for (const auto& dict : subsets({"replace", "allow_delete", "recurse_list", "recurse_str"})) {
    for (const auto& list :
         subsets({"append", "prepend", "no_replace", "recurse_list", "recurse_str", "recurse_dict"})) {
      for (const auto& str : subsets({"append"})) {
        const std::vector<Merger> mergers{{.name = "dict", .options = MergerOptions(dict), .origin = {}},
                                          {.name = "list", .options = MergerOptions(list), .origin = {}},
                                          {.name = "str", .options = MergerOptions(str), .origin = {}}};
        const BuiltStrategy built = build_strategy(mergers, {});
        EXPECT_EQ(merge::parse_strategy(built.strategy.to_string()), built.strategy) << built.text;
        Arena arena;
        Reference reference(arena, mergers[0].options, mergers[1].options, mergers[2].options);
        for (const Value& old : values) {
          for (const Value& incoming : values) {
            Value expected;
            Value result;
            try {
              expected = reference.merge(old, incoming);
            } catch (const MergeFailure&) {
            }
            merge::NullRecorder unrecorded(sources);
            merge::Accumulator total(arena, limits, unrecorded);
            total.start({old, {}});
            try {
              total.merge({incoming, {}}, built.strategy, built.calls);
              result = total.current().value;
            } catch (const Error& error) {
              EXPECT_EQ(error.code(), "merge.kind-mismatch");
            }
            ++checked;
            ASSERT_TRUE(identical(result, expected))
                << built.text << ": " << testing::show(old) << " <- " << testing::show(incoming) << " gives "
                << testing::show(result) << ", not " << testing::show(expected);
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 300'000U);
}

}  // namespace
}  // namespace strata::cloudinit
