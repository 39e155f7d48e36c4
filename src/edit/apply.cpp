// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "edit/editor.hpp"
#include "strata/builder.hpp"

namespace strata::edit {
namespace {

constexpr std::size_t kLongestLine = 100;  ///< Code points of a line with a container in flow style.

/// The place of a new value in the new text: `attempt.at`, moved by what is done before it.
std::size_t place_after(const Attempt& attempt) {
  std::size_t place = attempt.at;
  std::size_t added = 0;
  std::size_t removed = 0;
  std::size_t before = 0;
  for (const Splice& splice : attempt.splices) {
    if (splice.begin < attempt.at) {
      added += splice.text.size();
      removed += splice.end - splice.begin;
    } else if (splice.begin == attempt.at) {
      // The last one of these is the value. It may begin with a line break.
      added += before;
      const std::size_t breaks = std::min(splice.text.find_first_not_of("\r\n"), splice.text.size());
      added += breaks;
      before = splice.text.size() - breaks;
    }
  }
  place += added;
  return place - std::min(place, removed);
}

std::size_t count_code_points(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80; }));
}

bool is_short_enough(std::string_view text, std::size_t at) {
  const Lines lines(text);
  const std::size_t begin = lines.begin(at);
  return count_code_points(text.substr(begin, lines.end(at) - begin)) <= kLongestLine;
}

std::size_t line_number(std::string_view text, std::size_t at) {
  std::size_t number = 1;
  const Lines lines(text);
  const std::size_t begin = lines.begin(std::min(at, text.size()));
  for (std::size_t line = lines.begin(0); line < begin; line = lines.next(line)) ++number;
  return number;
}

/// A container with the operation done to it.
Value changed(Arena& arena, const Target& target) {
  const auto& [container, index] = target.steps.back();
  if (container.is_sequence()) {
    SequenceBuilder items(arena, container.size() + 1);
    for (std::size_t i = 0; i < container.size(); ++i) {
      if (i != index) {
        items.append(container.items()[i]);
      } else if (target.action != Action::remove) {
        items.append(target.value);
      }
    }
    if (target.action == Action::append) items.append(target.value);
    return items.finish();
  }
  MappingBuilder entries(arena, Arena::equality(container), container.size() + 1);
  for (std::size_t i = 0; i < container.size(); ++i) {
    const Entry& entry = container.entries()[i];
    if (i != index || target.action != Action::remove)
      entries.insert(entry.key, i == index ? target.value : entry.value);
  }
  return entries.finish();
}

/// The same with a member more, before the one with the key that begins at `next`.
Value with_member(Arena& arena, const Target& target, const Reading& reading, std::size_t next) {
  const Value& container = target.steps.back().container;
  MappingBuilder entries(arena, Arena::equality(container), container.size() + 1);
  for (const Entry& entry : container.entries()) {
    if (next != Target::kNone && !entry.key.origin().through_alias() && reading.offset(entry.key.origin()) == next) {
      entries.insert(target.key, target.value);
    }
    entries.insert(entry.key, entry.value);
  }
  entries.insert(target.key, target.value);
  return entries.finish();
}

/// Proves that a text is what it should be.
class Proof {
 public:
  Proof(std::string_view file, const Reading& reading, const Form& form, const Target& target, const Limits& limits)
      : file_(file), reading_(reading), form_(form), target_(target), limits_(limits) {}

  /// `next`: where the key begins that a new member stands before.
  [[nodiscard]] bool holds(const std::string& text, std::size_t next) {
    try {
      const Reading again(file_, text, form_, limits_);
      const std::size_t count = std::max<std::size_t>(reading_.documents.size(), 1);
      if (again.documents.size() != count) return false;
      for (std::size_t i = 0; i < count; ++i) {
        const Value& wanted = i == target_.document ? expected(next) : reading_.documents[i].root;
        if (!identical(again.documents[i].root, wanted)) return false;
      }
      return true;
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      cause_ = error;
      return false;
    }
  }
  /// Why the last text that could not be read could not.
  [[nodiscard]] const std::optional<Error>& cause() const { return cause_; }

 private:
  const Value& expected(std::size_t next) {
    if (expected_ && next == next_) return *expected_;
    next_ = next;
    if (target_.steps.empty()) return expected_.emplace(target_.value);
    Value value =
        target_.action == Action::insert ? with_member(arena_, target_, reading_, next) : changed(arena_, target_);
    for (std::size_t i = target_.steps.size() - 1; i-- > 0;) {
      const auto& [container, index] = target_.steps[i];
      if (container.is_sequence()) {
        SequenceBuilder items = SequenceBuilder::copy_of(arena_, container);
        items.replace(index, value);
        value = items.finish();
      } else {
        MappingBuilder entries = MappingBuilder::copy_of(arena_, container);
        entries.replace(index, value);
        value = entries.finish();
      }
    }
    return expected_.emplace(value);
  }

  std::string_view file_;
  const Reading& reading_;
  const Form& form_;
  const Target& target_;
  const Limits& limits_;
  Arena arena_;
  std::optional<Value> expected_;
  std::size_t next_ = Target::kNone;
  std::optional<Error> cause_;
};

Error refusal(const Reading& reading, const Target& target, const std::optional<Error>& cause) {
  if (!target.steps.empty() && target.steps.back().container.is_mapping() && !target.outline.containers.empty()) {
    const auto& members = target.container().members;
    const auto merge = std::ranges::find(members, "<<", &text::MemberRange::key_text);
    if (merge != members.end()) {
      return reading
          .error("edit.unsupported", "a merge key stands in this mapping, and changes what the edit would give",
                 merge->begin)
          .hint("edit the text by hand");
    }
    if (members.size() > target.steps.back().container.size()) {
      return reading.error("edit.unsupported", "a key occurs twice in this mapping", target.offset())
          .hint("remove one of the two by hand");
    }
  }
  const std::size_t at = target.action == Action::begin ? 0 : target.offset();
  Error error = reading.error("edit.unsafe", "this cannot be edited: the new text would be read as something else", at)
                    .hint("edit the text by hand");
  if (cause) error.because(*cause);
  return error;
}

std::size_t document_of(const Reading& reading, const Change& change) {
  const std::size_t count = reading.documents.size();
  if (!change.document && count <= 1) return 0;
  if (!change.document) {
    const Origin second = reading.documents[1].origin;
    throw reading.error("edit.which-document", fmt::format("the text has {} documents", count), reading.offset(second))
        .hint("name one by its number from 0: FILE#0:/KEY");
  }
  if (*change.document >= std::max<std::size_t>(count, 1)) {
    throw reading
        .error("edit.which-document",
               fmt::format("there is no document {}: the text has {} document{}", *change.document, count,
                           count == 1 ? "" : "s"),
               0)
        .hint("documents are numbered from 0");
  }
  return *change.document;
}

}  // namespace

Edited apply(std::string_view file, std::string_view text, const Form& form, const Change& change,
             const Limits& limits) {
  if (form.syntax == Syntax::other || form.syntax == Syntax::hocon) {
    throw Error("edit.unsupported", "only YAML and JSON texts can be edited")
        .in(std::string(file))
        .hint("edit the text by hand");
  }
  const Reading reading(file, text, form, limits);
  Arena arena;
  const Target target = find_target(reading, form, change, document_of(reading, change), limits, arena);
  std::vector<Attempt> attempts;
  try {
    attempts = Editor(reading, form, target, change.spelling).attempts();
  } catch (const Spelling::Unwritable& unwritable) {
    throw reading
        .error("edit.unsupported", fmt::format("{} has no form that can be written here", unwritable.what),
               target.offset())
        .hint("edit the text by hand");
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw reading.error("edit.unsupported", "the value has no form that can be written here", target.offset())
        .hint("edit the text by hand")
        .because(error);
  }
  Proof proof(file, reading, form, target, limits);
  for (Attempt& attempt : attempts) {
    std::string result = spliced(reading.text(), attempt.splices);
    const std::size_t place = std::min(place_after(attempt), result.size());
    if (attempt.is_limited && !is_short_enough(result, place)) continue;
    if (!proof.holds(result, attempt.next)) continue;
    const bool removes = target.action == Action::remove;
    const std::size_t line = removes ? line_number(reading.text(), attempt.at) : line_number(result, place);
    const Outcome outcome = removes                            ? Outcome::removed
                            : target.action == Action::replace ? Outcome::replaced
                                                               : Outcome::inserted;
    return {.text = std::move(result), .outcome = outcome, .line = line};
  }
  throw refusal(reading, target, proof.cause());
}

}  // namespace strata::edit
