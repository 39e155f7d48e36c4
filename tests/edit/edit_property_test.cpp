// Random edits of random documents in random styles.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "edit/edits.hpp"
#include "edit/random_text.hpp"
#include "strata/builder.hpp"
#include "strata/path.hpp"
#include "support/generators.hpp"

namespace strata::edit {
namespace {

using strata::testing::Sample;
using testing::RandomText;

const std::set<std::string, std::less<>> kRefusals{"edit.unsupported", "edit.unsafe", "edit.which-document", "edit.not-found"};

/// A text and what it says.
struct Read {
  Sources sources;
  std::vector<text::Document> documents;

  Read(const std::string& text, const Form& form) {
    const SourceId source = sources.add("f", text);
    if (form.syntax == Syntax::json) {
      documents.push_back(text::read_json(sources, source, {}, 0, form.json));
    } else {
      documents = text::read_yaml_stream(sources, source, *form.profile, {});
    }
  }
  [[nodiscard]] Value root() const { return documents.empty() ? Value() : documents.front().root; }
};

/// All places of a value as pointers.
void add_pointers(std::vector<std::string>& all, Path& path, const Value& value) {
  all.push_back(path.pointer());
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

/// What an operation makes of a value, by its definition alone.
Value model(Arena& arena, const Value& root, std::span<const std::string> tokens, const Change& change) {
  if (tokens.empty()) return change.value;
  const bool is_last = tokens.size() == 1;
  if (root.is_null() || !root) {
    MappingBuilder mapping(arena);
    mapping.insert(tokens.front(), change.value);
    return mapping.finish();
  }
  if (root.is_sequence()) {
    SequenceBuilder items(arena);
    const std::size_t index = tokens.front() == "-" ? root.size() : std::stoul(tokens.front());
    for (std::size_t i = 0; i < root.size(); ++i) {
      if (i != index) {
        items.append(root.items()[i]);
      } else if (!is_last || change.operation == Operation::set) {
        items.append(model(arena, root.items()[i], tokens.subspan(1), change));
      }
    }
    if (index == root.size()) items.append(change.value);
    return items.finish();
  }
  MappingBuilder entries(arena, Arena::equality(root));
  bool is_found = false;
  for (const Entry& entry : root.entries()) {
    if (key_text(entry.key) != tokens.front()) {
      entries.insert(entry.key, entry.value);
      continue;
    }
    is_found = true;
    if (!is_last || change.operation == Operation::set) entries.insert(entry.key, model(arena, entry.value, tokens.subspan(1), change));
  }
  if (!is_found) entries.insert(arena.key(tokens.front()), change.value);
  return entries.finish();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    lines.push_back(text.substr(at, end - at));
    at = end;
  }
  return lines;
}

/// The lines of a text that an edit left alone: a common prefix and a common suffix. What is between them in the old text.
std::vector<std::string> touched_lines(const std::string& before, const std::string& after) {
  std::vector<std::string> a = lines_of(before);
  std::vector<std::string> b = lines_of(after);
  while (!a.empty() && !b.empty() && a.back() == b.back()) {
    a.pop_back();
    b.pop_back();
  }
  std::size_t same = 0;
  while (same < a.size() && same < b.size() && a[same] == b[same]) ++same;
  return {a.begin() + static_cast<std::ptrdiff_t>(same), a.end()};
}

Form random_form(bool json) {
  if (json) return {.syntax = Syntax::json};
  const std::string name = *rc::gen::element<std::string>("pyyaml", "psych", "heat", "core12", "pyyaml-json", "pyyaml-c");
  return {.profile = text::find_profile(name)};
}

struct Case {
  Form form;
  std::string text;
  std::vector<std::string> pointers;
};

Case random_case() {
  Case all;
  const bool json = *rc::gen::inRange(0, 4) == 0;
  all.form = random_form(json);
  all.text = RandomText(json).document();
  const Read read(all.text, all.form);
  Path path;
  add_pointers(all.pointers, path, read.root());
  return all;
}

/// Runs an edit: nothing if it is refused with an error that is meant for that. What it gives is checked against the model.
std::optional<Edited> checked(const Case& all, const Change& change) {
  try {
    const Edited edited = apply("f", all.text, all.form, change);
    const Read before(all.text, all.form);
    const Read after(edited.text, all.form);
    Arena arena;
    const Value expected = model(arena, before.root(), parse_pointer(change.pointer), change);
    // A new member of a sorted mapping is not the last one.
    const bool is_right = edited.outcome == Outcome::inserted ? equal(after.root(), expected) : identical(after.root(), expected);
    RC_LOG("became: " + edited.text);
    RC_ASSERT(is_right);
    return edited;
  } catch (const Error& error) {
    RC_LOG("refused: " + format(error.diagnostic(), "error"));
    RC_ASSERT(kRefusals.contains(error.code()));
    return std::nullopt;
  }
}

RC_GTEST_PROP(EditProperty, SetsAndRemovesAsDefined, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = *rc::gen::elementOf(all.pointers);
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_value({.depth = 2, .width = 3, .json_only = true, .finite = true});
  change.value = value.value;
  change.operation = *rc::gen::element(Operation::set, Operation::remove);
  if (*rc::gen::inRange(0, 3) == 0 && change.operation == Operation::set) change.pointer += *rc::gen::element("/-", "/new", "/0", "/a b");
  const auto edited = checked(all, change);
  RC_TAG(edited ? "done" : "refused");
}

// The generator writes nothing that rules refuse, so that every scalar can become every other one.
RC_GTEST_PROP(EditProperty, ScalarsAreNeverRefused, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = *rc::gen::elementOf(all.pointers);
  RC_PRE(!change.pointer.empty());
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_scalar({.json_only = true, .finite = true});
  change.value = value.value;
  RC_ASSERT(checked(all, change).has_value());
}

// What an edit touches lies at its place: in other texts, a line stays byte for byte.
RC_GTEST_PROP(EditProperty, OtherLinesStay, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = *rc::gen::elementOf(all.pointers);
  RC_PRE(!change.pointer.empty());
  RC_LOG("pointer: " + change.pointer);
  const bool is_insert = *rc::gen::arbitrary<bool>();
  if (is_insert) change.pointer += "/zz";
  change.value = Value::integer(7);
  const auto edited = checked(all, change);
  if (!edited) return;
  const auto touched = touched_lines(all.text, edited->text);
  // One line, or all lines of the value that is replaced; an insertion touches one at most (its comma, or the missing last break).
  if (is_insert && edited->outcome == Outcome::inserted) RC_ASSERT(touched.size() <= 1U);
}

// Removing what was inserted gives back the text, but for the last line break and brackets that were changed.
RC_GTEST_PROP(EditProperty, RemovingUndoesInserting, ()) {
  const Case all = random_case();
  RC_LOG("text: " + all.text);
  Change change;
  change.pointer = *rc::gen::elementOf(all.pointers) + "/zzz";
  RC_LOG("pointer: " + change.pointer);
  const Sample value = *strata::testing::any_value({.depth = 2, .width = 3, .json_only = true, .finite = true});
  change.value = value.value;
  const auto edited = checked(all, change);
  if (!edited || edited->outcome != Outcome::inserted) return;
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
