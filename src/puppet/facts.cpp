#include "puppet/facts.hpp"

#include <fmt/format.h>

#include <vector>

#include "strata/error.hpp"
#include "strata/text.hpp"
#include "text/yaml/profile.hpp"

namespace strata::puppet {
namespace {

constexpr std::string_view kObjectTag = "!ruby/object:Puppet::Node::Facts";

/// Puppet keeps facts as an object of Ruby; apart from its tag it is a mapping with the member `values`, and times beside it.
bool is_object(std::string_view text) {
  constexpr std::size_t kHead = 200;  // Comments, `---` and blanks may stand before it.
  return text.substr(0, kHead + kObjectTag.size()).find(kObjectTag) != std::string_view::npos;
}

Error shape_error(const Sources& sources, const Value& facts, Origin otherwise) {
  return Error("facts.shape", fmt::format("facts must be a mapping of names to values, not {}", describe(facts.kind())))
      .at(sources, facts.origin() ? facts.origin() : otherwise);
}

/// What reads the object. Its times have no form in JSON, so they stay the texts that they are.
const text::Profile& object_profile() {
  static const std::vector<text::TagRule> tags = [] {
    const auto& known = text::pyyaml_json().tags;
    std::vector<text::TagRule> out(known.begin(), known.end());
    out.push_back({.tag = kObjectTag, .meaning = text::Tag::mapping, .nodes = text::kMappings});
    return out;
  }();
  static const text::Profile profile = [] {
    text::Profile out = text::pyyaml_json();
    out.tags = tags;
    return out;
  }();
  return profile;
}

text::Document read_yaml(Sources& sources, SourceId source, const Limits& limits) {
  if (!is_object(sources.text(source))) return text::read_yaml(sources, source, text::psych_facts(), limits);
  text::Document document = text::read_yaml(sources, source, object_profile(), limits);
  if (!document.root.is_mapping()) return document;
  const Value* values = document.root.find("values");
  if (values == nullptr || values->is_null()) throw shape_error(sources, Value::null(), sources.at(source, 0));
  document.root = *values;
  return document;
}

text::Document read_document(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits) {
  const auto read_json = [&] { return text::read_json(sources, source, limits, 0, text::kRubyJson); };
  if (file_name.ends_with(".json")) return read_json();
  if (!file_name.ends_with(".yaml") && !file_name.ends_with(".yml")) {
    try {
      return read_json();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
    }
  }
  return read_yaml(sources, source, limits);
}

}  // namespace

NodeFacts read_facts(Sources& sources, SourceId source, std::string_view file_name, const Limits& limits) {
  text::Document document = read_document(sources, source, file_name, limits);
  const Origin begin = sources.at(source, 0);
  const Value values = document.root ? document.root : Value::null();
  if (!values.is_mapping() && !values.is_null()) throw shape_error(sources, values, begin);
  return {.arena = std::move(document.arena), .values = values.origin() ? values : values.with_origin(begin)};
}

}  // namespace strata::puppet
