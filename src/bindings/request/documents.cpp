#include "bindings/request/documents.hpp"

#include <fmt/format.h>

#include "bindings/syntax/document.hpp"

namespace strata::bindings {

std::shared_ptr<const Document> DocumentStore::load(const FoundDocument& found) {
  Loaded& loaded = loaded_[found.path + '\0' + found.name];
  if (loaded.error) std::rethrow_exception(loaded.error);
  if (loaded.document) return loaded.document;
  try {
    auto bytes = tree_.read(found.path);
    if (!bytes) throw Error("layer.missing", fmt::format("the bindings '{}' cannot be read", found.name)).in(found.path);
    loaded.document = read_document(sources_, sources_.add(found.path, std::move(*bytes)), found.name, limits_);
  } catch (const Error&) {
    loaded.error = std::current_exception();
    throw;
  }
  return loaded.document;
}

}  // namespace strata::bindings
