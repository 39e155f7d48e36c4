#include "documents.hpp"

#include <fmt/format.h>

namespace strata::cloudinit {

text::Document Documents::read_mapping(SourceId source) const {
  Sources& sources = session_.sources();
  text::Document document = text::read_yaml(sources, source, text::pyyaml(), session_.limits(), arena_);
  if (!document.root || document.root.is_null()) {
    throw Error("cloud-config.empty", "the cloud-config is empty").at(sources, sources.at(source, 0)).hint("write {} if that is meant");
  }
  if (!document.root.is_mapping()) {
    throw Error("cloud-config.root", fmt::format("a cloud-config must be a mapping, not {}", describe(document.root.kind())))
        .at(sources, document.root.origin());
  }
  return document;
}

void Documents::count(std::size_t more) {
  nodes_ += more;
  if (nodes_ > session_.limits().result) {
    throw Error("limit.result", fmt::format("the documents have more than {} nodes together, aliases written out", session_.limits().result))
        .hint("raise the limit with --limit result=NODES");
  }
}

std::string name_of(const Sources& sources, SourceId source) { return sources.part(source).empty() ? sources.file(source) : sources.part(source); }

}  // namespace strata::cloudinit
