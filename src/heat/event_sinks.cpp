// SPDX-License-Identifier: Apache-2.0
#include "heat/event_sinks.hpp"

#include <fmt/format.h>

#include "heat/environment_file.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "value/fields.hpp"
#include "value/problems.hpp"

namespace strata::heat {
namespace {

Error error(const Documents& documents, const std::string& message, Origin where, std::string hint = {}) {
  Error made =
      Error("heat.event-sink", fmt::format("{}: {}", kEventSinks, message)).at(documents.session().sources(), where);
  return hint.empty() ? std::move(made) : std::move(made).hint(std::move(hint));
}

void check_sink(const Documents& documents, const Value& sink) {
  constexpr std::string_view kZaqar = "zaqar-queue";
  const Origin where = sink.origin();
  if (!sink.is_mapping()) throw error(documents, wrong_kind("a sink", "a mapping", sink), where);
  const Value* type = sink.find("type");
  if (type == nullptr) throw error(documents, "the sink has no 'type'", where, fmt::format("write 'type: {}'", kZaqar));
  if (!type->is_text() || type->text() != kZaqar) {
    throw error(
        documents,
        fmt::format("unknown type of sink '{}'", type->is_text() ? std::string(type->text()) : scalar_text(*type)),
        type->origin(), fmt::format("the only type is {}", kZaqar));
  }
  for (const Entry& option : sink.entries()) {
    const std::string name = key_text(option.key);
    if (option.key.is_text() && (name == "type" || name == "target" || name == "ttl")) continue;
    throw error(documents, fmt::format("a sink of type '{}' has no option '{}'", kZaqar, name), option.key.origin(),
                "the options are target and ttl");
  }
  if (sink.find("target") == nullptr)
    throw error(documents, fmt::format("a sink of type '{}' needs a 'target'", kZaqar), where);
}

}  // namespace

void check_event_sinks(const Documents& documents, const Value& sinks) {
  if (!sinks.is_sequence())
    throw error(documents, wrong_kind("the section", "a list of mappings", sinks), sinks.origin());
  Problems problems;
  for (const Value& sink : sinks.items()) problems.guard([&] { check_sink(documents, sink); });
  problems.raise();
}

}  // namespace strata::heat
