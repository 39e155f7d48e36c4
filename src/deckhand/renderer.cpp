// SPDX-License-Identifier: Apache-2.0
#include "renderer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "order.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "substitution.hpp"
#include "value/extent.hpp"

namespace strata::deckhand {
namespace {

using merge::Slot;
using merge::Traced;

/// For what other rooms told: they do not know which documents are secret.
void hide_lines(Diagnostic& told, Lines lines) {
  if (lines == Lines::shown) return;
  told.where.line.clear();
  for (Excerpt& other : told.notes) other.line.clear();
}

}  // namespace

Renderer::Renderer(std::span<const Document> documents, const SourceIndex& index, const Request& request,
                   Session& session, Arena& arena, std::size_t nodes, Findings& findings)
    : documents_(documents),
      index_(index),
      request_(request),
      sources_(session.sources()),
      limits_(session.limits()),
      recorder_(session.recorder()),
      most_(limits_.result - std::min(limits_.result, nodes)),
      room_(most_),
      findings_(findings),
      diagnostics_(session.diagnostics()),
      rendering_{.session = session, .arena = arena, .sharing = Sharing(arena, may_show_sharing(documents))},
      rendered_(documents.size()) {}

void Renderer::render(std::span<const std::size_t> order) {
  // A document that is withheld might have written into containers of any other one.
  const bool is_lost = rendering_.sharing.matters() && std::ranges::any_of(documents_, &Document::is_withheld);
  for (const std::size_t number : order) {
    check_stop(limits_.stop);
    if (is_lost || documents_[number].is_withheld) {
      rendered_[number].is_failed = true;
      continue;
    }
    try {
      rendered_[number] = render_one(number);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      Finding found = told(documents_[number], error);
      // What they bound is for all documents together.
      if (error.ends_request() || error.limit() == Limit::result || error.limit() == Limit::steps)
        throw Error(std::move(found.diagnostic));
      if (request_.checks_secrets || !needs_secrets(number)) findings_.add(std::move(found));
      rendered_[number].is_failed = true;
    }
  }
  if (std::ranges::any_of(rendered_, &Rendered::shares)) finish_shared();
}

/// What was checked when a document was rendered may no longer hold where others wrote into its containers.
void Renderer::finish_shared() {
  room_ = most_;
  const bool any_secret = std::ranges::any_of(documents_, &Document::is_encrypted);
  for (std::size_t number = 0; number < rendered_.size(); ++number) {
    Rendered& rendered = rendered_[number];
    if (rendered.is_failed || !rendered.data.value) continue;
    check_stop(limits_.stop);
    const bool is_made = documents_[number].parent != kNone || documents_[number].substitutions;
    try {
      if (is_made || rendered.shares) check_size(rendered.data.value);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      throw Error(told(documents_[number], error).diagnostic);
    }
    if (!any_secret || !(is_made || rendered.shares) || rendered.is_tainted) continue;
    rendered.is_betrayed = rendered.is_tainted = report::holds_secret(rendered.data.value);
  }
  writes_.warn(documents_, rendered_, rendering_);
}

/// Gives an error the document, and its place where it has none.
Finding Renderer::told(const Document& document, const Error& error) const {
  Finding found = finding(sources_, document, error.code(), error.what(), document.origin, error.diagnostic().hint);
  if (!error.diagnostic().where.place.file.empty()) found.diagnostic.where = error.diagnostic().where;
  found.diagnostic.notes = error.diagnostic().notes;
  hide_lines(found.diagnostic, document.lines());
  return found;
}

Slot Renderer::add_layer(const Document& document) {
  if (!recorder_.keeps()) return {};
  std::string name(document.layer);
  if (!name.empty()) name += '/';
  std::string actions;
  if (document.parent != kNone) {
    for (const Value& action : document.actions.items()) {
      actions += fmt::format("{}{} {}", actions.empty() ? "" : ", ", action.find("method")->text(),
                             action.find("path")->text());
    }
  }
  return recorder_.add_layer(name.append(document.name), std::move(actions));
}

/// Whether a document is made of what is secret, or of what could not be made. Asked only when something is wrong.
bool Renderer::needs_secrets(std::size_t number) const {
  const Document& document = documents_[number];
  const auto is_secret = [](const Rendered& one) { return one.is_tainted || one.is_failed; };
  if (document.is_encrypted) return true;
  if (const std::size_t base = base_of(documents_, number); base != kNone && is_secret(rendered_[base])) return true;
  if (!document.substitutions) return false;
  return std::ranges::any_of(document.substitutions.items(), [&](const Value& entry) {
    const Value& source = *entry.find("src");
    const auto found = index_.find(source_key(source.find("schema")->text(), source.find("name")->text()));
    return found != index_.end() && is_secret(rendered_[found->second]);
  });
}

/// Asked only when something is wrong.
bool Renderer::exists(std::string_view schema, std::string_view name) {
  if (names_.empty()) {
    for (const Document& document : documents_) names_.insert(source_key(document.schema_name(), document.name));
  }
  return names_.contains(source_key(schema, name));
}

std::size_t Renderer::source_of(const Document& document, const Value& substitution) {
  const Value& source = *substitution.find("src");
  const std::string_view schema = source.find("schema")->text();
  const std::string_view name = source.find("name")->text();
  const auto found = index_.find(source_key(schema, name));
  if (found != index_.end()) return found->second;
  const bool is_abstract = exists(schema, name);
  Error error("deckhand.source", fmt::format("the source of its substitution, {} {}, {}", schema, name,
                                             is_abstract ? "is abstract" : "does not exist"));
  Diagnostic told = error.diagnostic();
  told.where = note(sources_, source.find("name")->origin(), {}, document.lines());
  told.hint =
      is_abstract ? "only concrete documents can be sources" : "schema and name must both be those of a document";
  if (request_.allows_missing_sources) {
    Diagnostic warning = this->told(document, Error(std::move(told))).diagnostic;
    warning.code = "deckhand.missing-source";
    warning.message += ": the substitution is skipped";
    diagnostics_.warn(std::move(warning));
    return kNone;
  }
  throw Error(std::move(told));
}

void Renderer::substitute(const Document& document, merge::Accumulator& data, Rendered& rendered) {
  const std::string into = document.title();
  Diagnostics told;
  for (const Value& entry : document.substitutions.items()) {
    check_stop(limits_.stop);
    const merge::Following following(recorder_,
                                     [&] { return merge::Rule{.text = "substitution", .option = entry.origin()}; });
    const std::size_t number = source_of(document, entry);
    if (number == kNone) {
      rendered.from_encrypted.push_back(false);
      continue;
    }
    Rendered& source = rendered_[number];
    if (source.is_failed) {
      rendered.is_failed = true;
      return;
    }
    rendered.from_encrypted.push_back(source.is_encrypted);
    rendered.is_encrypted = rendered.is_encrypted || source.is_encrypted;
    rendered.is_tainted = rendered.is_tainted || source.is_tainted;
    const std::string from = documents_[number].title();
    const Parties parties{.source = from, .destination = into, .sources = sources_, .diagnostics = told};
    const Substitution substitution = parse_substitution(entry, parties, expressions_);
    const Traced value = read_source(substitution, source.data, parties, rendering_);
    write_destinations(substitution, data, share(substitution, value, source.data, source.shares, rendering_), parties,
                       rendering_);
    writes_.add(static_cast<std::size_t>(&document - documents_.data()), number, rendering_.sharing.take_writes());
  }
  for (Diagnostic warning : told.warnings()) {
    hide_lines(warning, document.lines());
    diagnostics_.warn(std::move(warning));
  }
}

/// What is shared counts as often as it would be written out.
void Renderer::check_size(const Value& data) {
  if (fits(data, limits_.depth, room_)) return;
  if (room_ != 0) {
    throw Error("limit.depth", fmt::format("its data are nested deeper than {} levels", limits_.depth))
        .hint("raise the limit with --limit depth=LEVELS");
  }
  throw Error("limit.result", fmt::format("up to it the rendered documents have more than {} nodes", limits_.result))
      .hint("raise the limit with --limit result=NODES");
}

/// A child works on a copy of its base. Unshared parts are copied where they change.
void Renderer::start_on(const Rendered& base, merge::Accumulator& data) {
  if (!base.shares) return data.start(base.data);
  std::size_t room = most_;
  if (!fits(base.data.value, limits_.depth, room)) check_size(base.data.value);
  data.share(rendering_.sharing.mark());
  data.start(merge::detached(base.data, rendering_.sharing.mark(), rendering_.arena, recorder_));
}

Rendered Renderer::render_one(std::size_t number) {
  const Document& document = documents_[number];
  Rendered rendered;
  rendered.is_encrypted = document.is_encrypted;
  rendered.is_tainted = document.is_encrypted;
  const std::size_t base = base_of(documents_, number);
  if (base != kNone && rendered_[base].is_failed) {
    rendered.is_failed = true;
    return rendered;
  }
  rendered.own = add_layer(document);
  const Traced child{document.data, rendered.own};
  const bool substitutes = document.substitutions && document.substitutions.size() != 0;
  if (base == kNone && !substitutes) {
    rendered.data = child;
    return rendered;
  }
  rendering_.sharing.begin_document();
  merge::Accumulator data(rendering_.arena, limits_, recorder_);
  if (base == kNone) {
    data.start(child);
  } else {
    start_on(rendered_[base], data);
    rendered.is_tainted = rendered.is_tainted || rendered_[base].is_tainted;
    run_actions(document, documents_[base], child, data, expressions_, rendering_, request_.compat);
  }
  if (substitutes) substitute(document, data, rendered);
  if (rendered.is_failed) return rendered;
  rendered.data = data.current();
  rendered.shares = data.shares();
  check_size(rendered.data.value);
  return rendered;
}

}  // namespace strata::deckhand
