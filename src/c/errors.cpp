// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "guarded.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::c {
namespace {

/// The value is missing, and nothing else is wrong.
constexpr std::array<std::string_view, 4> kNotFound{"hiera.not-found", "bindings.not-bound", "bindings.no-value",
                                                    "explain.path"};
constexpr std::string_view kOfCall = "call.";

void add_place(Arena& arena, MappingBuilder& out, const Place& place) {
  if (!place.file.empty()) out.insert("file", arena.text(place.file));
  if (!place.part.empty()) out.insert("part", arena.text(place.part));
  if (place.line) out.insert("line", Value::integer(*place.line));
  if (place.column) out.insert("column", Value::integer(*place.column));
}

std::vector<Diagnostic> diagnostics_of(const std::exception_ptr& thrown) {
  const auto bug = [](std::string_view what) {
    return std::vector{Error("call.bug", fmt::format("this is a bug in strata: {}", what))
                           .hint("please report it with the call")
                           .diagnostic()};
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error.all();
  } catch (const std::bad_alloc&) {
    return {Error("call.memory", "memory is exhausted").diagnostic()};
  } catch (const std::exception& error) {
    return bug(error.what());
  } catch (...) {
    return bug("an exception of an unknown type, maybe of a callback");
  }
}

}  // namespace

strata_status status_of(const Error& error) noexcept {
  if (error.category() == Category::cancelled) return STRATA_CANCELLED;
  if (std::ranges::find(kNotFound, error.code()) != kNotFound.end()) return STRATA_NOT_FOUND;
  return error.code().starts_with(kOfCall) ? STRATA_MISUSE : STRATA_FAILED;
}

Value diagnostic_data(Arena& arena, const Diagnostic& diagnostic, std::string_view severity) {
  MappingBuilder out(arena);
  if (!severity.empty()) out.insert("severity", arena.text(severity));
  out.insert("code", arena.text(diagnostic.code));
  out.insert("message", arena.text(diagnostic.message));
  add_place(arena, out, diagnostic.where.place);
  SequenceBuilder notes(arena);
  for (const Excerpt& note : diagnostic.notes) {
    MappingBuilder of_note(arena);
    of_note.insert("message", arena.text(note.message));
    add_place(arena, of_note, note.place);
    notes.append(of_note.finish());
  }
  out.insert("notes", notes.finish());
  out.insert("hint", arena.text(diagnostic.hint));
  if (diagnostic.cause) out.insert("cause", diagnostic_data(arena, *diagnostic.cause));  // Causes are a few.
  return out.finish();
}

strata_error* make_error(const std::exception_ptr& thrown, strata_status status) noexcept {
  try {
    auto out = std::make_unique<strata_error>();
    out->status = status;
    out->all = diagnostics_of(thrown);
    Arena arena;
    MappingBuilder first = MappingBuilder::copy_of(arena, diagnostic_data(arena, out->all.front()));
    SequenceBuilder more(arena);
    for (std::size_t i = 1; i < out->all.size(); ++i) more.append(diagnostic_data(arena, out->all[i]));
    if (out->all.size() > 1) first.insert("more", more.finish());
    out->json = text::write_json(first.finish());
    for (const Diagnostic& one : out->all) out->formatted += format(one, "error");
    return out.release();
  } catch (...) {
    return nullptr;
  }
}

void misuse(std::string_view code, std::string message, std::string hint) {
  throw Error(code, std::move(message)).hint(std::move(hint));
}

}  // namespace strata::c

using strata::c::kNoText;
using strata::c::text_of;

strata_status strata_error_status(const strata_error* error) { return error == nullptr ? STRATA_OK : error->status; }
strata_text strata_error_code(const strata_error* error) {
  return error == nullptr ? kNoText : text_of(error->all.front().code);
}
strata_text strata_error_message(const strata_error* error) {
  return error == nullptr ? kNoText : text_of(error->all.front().message);
}
strata_text strata_error_json(const strata_error* error) { return error == nullptr ? kNoText : text_of(error->json); }
strata_text strata_error_format(const strata_error* error) {
  return error == nullptr ? kNoText : text_of(error->formatted);
}
void strata_error_free(strata_error* error) { delete error; }
