// SPDX-License-Identifier: Apache-2.0
// Random edits of random documents in random styles.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "edit/model.hpp"
#include "edit/random_text.hpp"
#include "strata/path.hpp"
#include "support/generators.hpp"

namespace strata::edit {
namespace {

using strata::testing::Sample;
using testing::RandomText;
using testing::Read;

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

/// The lines of the old text that an edit changed, from 1: those between a common prefix and a common suffix.
struct ChangedLines {
  std::size_t first;
  std::size_t last;  ///< Less than `first`: none.

  [[nodiscard]] std::size_t size() const { return last + 1 - first; }
  [[nodiscard]] bool holds(std::size_t line) const { return line >= first && line <= last; }
};
ChangedLines changed_lines(const std::string& before, const std::string& after) {
  std::vector<std::string> a = split_lines(before);
  std::vector<std::string> b = split_lines(after);
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  while (a.size() > same && b.size() > same && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  return {same + 1, a.size()};
}

/// The lines of the leaves and keys of a value, by whether they are below a pointer (with its own key).
struct LeafLines {
  std::set<std::size_t> inside;
  std::set<std::size_t> outside;

  LeafLines(const Sources& sources, const Value& root, std::string pointer)
      : sources_(sources), pointer_(std::move(pointer)) {
    Path path;
    visit(path, root);
  }

 private:
  void note(const std::string& here, const Value& value) {
    const bool is_inside = here == pointer_ || here.starts_with(pointer_ + "/");
    (is_inside ? inside : outside).insert(sources_.place(value.origin()).line.value());
  }
  void visit(Path& path, const Value& value) {
    if (value.is_leaf()) return note(path.pointer(), value);
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (value.is_sequence()) {
        path.push(i);
        visit(path, value.items()[i]);
      } else {
        const Entry& entry = value.entries()[i];
        path.push(entry.key);
        note(path.pointer(), entry.key);
        visit(path, entry.value);
      }
      path.pop();
    }
  }

  const Sources& sources_;
  std::string pointer_;
};

Form random_form(bool json) {
  if (json) return {.syntax = Syntax::json};
  const std::string name =
      testing::pick_of<std::string>({"pyyaml", "psych", "heat", "core12", "pyyaml-json", "pyyaml-c"});
  return {.profile = text::find_profile(name)};
}

struct Case {
  Form form;
  std::string text;
  std::vector<std::string> pointers;  ///< Of all its places.
  std::set<std::string> empty;        ///< Those that are empty.
};

/// All places of a value as pointers.
void add_pointers(Case& all, Path& path, const Value& value) {
  all.pointers.push_back(path.pointer());
  if (value.size() == 0) all.empty.insert(path.pointer());
  if (value.is_sequence()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      path.push(i);
      add_pointers(all, path, value.items()[i]);
      path.pop();
    }
  } else if (value.is_mapping()) {
    for (const Entry& entry : value.entries()) {
      path.push(entry.key);
      add_pointers(all, path, entry.value);
      path.pop();
    }
  }
}

Case random_case() {
  Case all;
  const bool json = testing::pick(4) == 0;
  all.form = random_form(json);
  all.text = RandomText(json).document();
  const Read read(all.text, all.form);
  Path path;
  add_pointers(all, path, read.root());
  return all;
}

/// Runs an edit: nothing if it is refused with an error that is meant for that. The result is checked against the
/// model.
std::optional<Edited> checked(const Case& all, const Change& change) {
  try {
    const Edited edited = apply("f", all.text, all.form, change);
    RC_LOG("became: " + edited.text);
    RC_ASSERT(testing::mistake(all.text, all.form, change, edited) == "");
    return edited;
  } catch (const Error& error) {
    RC_LOG("refused: " + format(error.diagnostic(), "error"));
    RC_TAG(error.code());
    RC_ASSERT(testing::is_refusal(error.code()));
    return std::nullopt;
  }
}

RC_GTEST_PROP(EditProperty, SetsAndRemovesAsDefined, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = testing::pick_of(all.pointers);
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_value({.depth = 2, .width = 3, .json_only = true, .finite = true});
  change.value = value.value;
  change.operation = testing::pick(2) == 0 ? Operation::set : Operation::remove;
  if (testing::pick(3) == 0 && change.operation == Operation::set)
    change.pointer += testing::pick_of<std::string>({"/-", "/new", "/0", "/a b"});
  const auto edited = checked(all, change);
  if (edited) RC_TAG("done");
}

// Both readers of events say the same about where nodes stand.
RC_GTEST_PROP(EditProperty, LibyamlAloneGivesTheSame, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = testing::pick_of(all.pointers);
  change.operation = testing::pick(2) == 0 ? Operation::set : Operation::remove;
  if (change.operation == Operation::set && testing::pick(2) == 0) change.pointer += "/new";
  change.value = Value::integer(7);
  RC_LOG("pointer: " + change.pointer);
  const auto outcome = [&](bool libyaml_alone) {
    Limits limits;
    limits.libyaml_alone = libyaml_alone;
    try {
      return apply("f", all.text, all.form, change, limits).text;
    } catch (const Error& error) {
      return format(error.diagnostic(), "error");
    }
  };
  RC_ASSERT(outcome(true) == outcome(false));
}

// The generator writes nothing that rules refuse, so that every scalar can become every other one.
RC_GTEST_PROP(EditProperty, ScalarsAreNeverRefused, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = testing::pick_of(all.pointers);
  RC_PRE(!change.pointer.empty());
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_scalar({.json_only = true, .finite = true});
  change.value = value.value;
  RC_ASSERT(checked(all, change).has_value());
}

// What an edit touches are the lines of its place: a line with nothing but others' keys and values stays byte for byte.
RC_GTEST_PROP(EditProperty, OtherLinesStay, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = testing::pick_of(all.pointers);
  RC_PRE(!change.pointer.empty());
  const bool removes = testing::pick(2) == 0;
  if (removes) {
    change.operation = Operation::remove;
  } else if (testing::pick(2) == 0) {
    change.pointer += "/zz";
  }
  RC_LOG("pointer: " + change.pointer);
  change.value = Value::integer(7);
  const auto edited = checked(all, change);
  if (!edited) return;
  const ChangedLines changed = changed_lines(all.text, edited->text);
  if (edited->outcome == Outcome::inserted) {
    // The line that gets a comma, or the last one, which gets a break.
    RC_ASSERT(changed.size() <= 1U);
    return;
  }
  const Read before(all.text, all.form);
  const LeafLines lines(before.sources, before.root(), change.pointer);
  const auto is_wrong = [&](std::size_t line) { return changed.holds(line) && !lines.inside.contains(line); };
  // One line more: of the comma before the last member, of the key behind which an only member leaves `{}`, of the
  // member that takes the place behind a `-`.
  const std::ptrdiff_t allowed = removes ? 1 : 0;
  RC_ASSERT(std::ranges::count_if(lines.outside, is_wrong) <= allowed);
}

// Removing what was inserted gives back the text, but for the last line break and brackets that were changed.
RC_GTEST_PROP(EditProperty, RemovingUndoesInserting, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = testing::pick_of(all.pointers) + "/zzz";
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_value({.depth = 2, .width = 3, .json_only = true, .finite = true});
  change.value = value.value;
  const auto edited = checked(all, change);
  if (!edited || edited->outcome != Outcome::inserted) return;
  // What was empty is written as `{}` afterwards, and as a document of its own.
  if (all.empty.contains(change.pointer.substr(0, change.pointer.rfind('/')))) return;
  Case again = all;
  again.text = edited->text;
  Change removal;
  removal.pointer = change.pointer;
  removal.operation = Operation::remove;
  const auto undone = checked(again, removal);
  RC_ASSERT(undone.has_value());
  std::string expected = all.text;
  if (!expected.ends_with('\n')) {
    RC_ASSERT(undone->text == expected || undone->text == expected + "\n" || undone->text == expected + "\r\n");
    return;
  }
  RC_ASSERT(undone->text == expected);
}

}  // namespace
}  // namespace strata::edit
