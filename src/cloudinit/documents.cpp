#include "documents.hpp"
#include "text/repeated_keys.hpp"
#include "value/fields.hpp"

#include <fmt/format.h>

namespace strata::cloudinit {

text::Document Documents::read_mapping(SourceId source) {
  Sources& sources = session_.sources();
  text::Document document = ahead_.take(source, pool_);
  if (document.arena != pool_.arena()) session_.keep(ahead_.memory());
  if (!document.root || document.root.is_null()) {
    throw Error("cloud-config.empty", "the cloud-config is empty").at(sources, sources.at(source, 0)).hint("write {} if that is meant");
  }
  if (!document.root.is_mapping()) {
    throw Error("cloud-config.root", wrong_kind("a cloud-config", "a mapping", document.root)).at(sources, document.root.origin());
  }
  return document;
}

void Documents::warn_of_repeated_keys(const text::Document& document, std::string_view name) const {
  text::warn_of_repeated_keys(session_.diagnostics(), session_.sources(), document, "cloud-config.repeated-key",
                              fmt::format("{}: duplicate key: the earlier value is lost", name));
}

std::string_view template_hint(const Error& error) {
  const std::string& line = error.diagnostic().where.line;
  const bool is_template = error.code().starts_with("yaml.") && (line.find("{{") != std::string::npos || line.find("{%") != std::string::npos);
  return is_template ? "a template begins with the line '## template: jinja'; in other files quote the text" : std::string_view();
}

std::string name_of(const Sources& sources, SourceId source) { return sources.part(source).empty() ? sources.file(source) : sources.part(source); }

}  // namespace strata::cloudinit
