// SPDX-License-Identifier: Apache-2.0
// Bindings documents, site.pp, environments.pp and the headers of manifests. Input: a text, read as each of them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "bindings/syntax/document.hpp"
#include "bindings/syntax/site.hpp"
#include "puppet_tree_check.hpp"
#include "strata/error.hpp"

namespace {

using namespace strata;

template <class Read>
void read(const std::string& text, Read work) {
  Sources sources;
  try {
    work(sources, sources.add("x.pp", text));
  } catch (const Errors& errors) {
    if (errors.all().empty() || errors.all().size() > 20) std::abort();
  } catch (const Error& error) {
    if (error.code().empty()) std::abort();
  }
}

void check(const bindings::Document& document, std::size_t depth) {
  for (const bindings::Statement& statement : document.statements) {
    const bool is_bind = statement.form == bindings::Form::bind;
    const bool has_key = statement.key.type || statement.key.name != nullptr;
    const bool has_producer = statement.producer.kind != bindings::Producer::Kind::none;
    if (has_producer != (statement.producer.expression != nullptr)) std::abort();
    if (is_bind && statement.id == nullptr && (!has_key || statement.is_abstract == has_producer)) std::abort();
    if (is_bind && statement.id != nullptr && (statement.is_abstract || statement.is_override || !has_producer))
      std::abort();
    if (has_producer) check_tree(*statement.producer.expression, depth);
    for (const bindings::Option& option : statement.options) check_tree(*option.value, depth);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  Limits limits;
  limits.depth = 200;
  read(text, [&](Sources& sources, SourceId source) {
    check(*bindings::read_document(sources, source, "", limits), limits.depth);
  });
  read(text,
       [&](const Sources& sources, SourceId source) { (void)bindings::read_environments(sources, source, limits); });
  read(text, [&](const Sources& sources, SourceId source) {
    Diagnostics diagnostics;
    (void)bindings::read_site(sources, source, limits, diagnostics);
  });
  read(text, [&](const Sources& sources, SourceId source) { (void)bindings::read_headers(sources, source, limits); });
  return 0;
}
