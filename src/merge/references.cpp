// SPDX-License-Identifier: Apache-2.0
#include "merge/references.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "strata/error.hpp"
#include "strata/stop.hpp"

namespace strata::merge {
namespace {

/// Bytes of a text that references make. A few that each double would fill the memory with copies of the last one.
constexpr std::size_t kLongestText = std::size_t{64} << 20U;

}  // namespace

std::pair<Traced, Traced> References::run(const Traced& further) {
  const Traced all = everywhere(root_);
  const Traced others = everywhere(further);
  problems_.raise();
  return {all, others};
}

Value References::queried(const std::string& /*query*/, const Value& side, std::vector<Traced>& /*inputs*/) {
  throw Error("reference.reserved", "queries are not supported here").at(sources(), side.origin());
}

Traced References::without(const Traced& placeholder, const Error& error) {
  if (const Value instead = instead_of(placeholder.value, error)) return {instead, placeholder.slot};
  if (!is_missing(error)) throw Error(error);
  // Several values may need the same reference.
  if (std::ranges::find(problems_.all(), error.diagnostic()) == problems_.all().end()) problems_.add(error);
  return {Value::null(), placeholder.slot};
}

std::string References::text_of(const Object& placeholder) const {
  const auto* reference = dynamic_cast<const text::Reference*>(&placeholder);
  return reference == nullptr ? std::string() : reference->to_string();
}

Traced References::followed(const Traced& side, const text::Reference& reference) {
  const text::ReferenceText& parts = reference.parts();
  const bool is_whole = parts.size() == 1;
  std::vector<Traced> inputs;
  if (make().keeps()) {
    const Value written = make().arena().text(reference.to_string()).with_origin(side.value.origin());
    inputs.push_back({written.with_secret(side.value.is_secret()), side.slot});
  }
  if (is_whole && parts.front().is_query) {
    const Value made = queried(parts.front().text, side.value, inputs);
    return make().derive(made.with_secret(made.is_secret() || side.value.is_secret()), inputs);
  }
  std::size_t size = 0;
  const auto value_of = [&](const std::string& path) {
    inputs.push_back(everywhere(at(path, side.value)));
    check_stop(limits().stop);
    const std::size_t most = std::min(limits().input, kLongestText);
    std::string text = spelled(inputs.back().value, most);
    size += text.size();
    if (size > most) {
      throw Error("limit.result", fmt::format("references make a text of more than {} bytes", most))
          .at(sources(), side.value.origin());
    }
    return text;
  };
  // Recursion: bounded by the nesting of references.
  const auto spell = [&](const auto& self, const text::ReferenceText& of, bool is_path) -> std::string {
    std::string out;
    for (const text::ReferencePart& part : of) {
      out += part.text;
      if (part.path.empty()) continue;
      out += value_of(self(self, part.path, true));
      // The target would reveal the secret, and so would a message that names it.
      if (is_path && inputs.back().value.is_secret()) {
        throw Error(missing_, "a reference that contains a secret has no value; its path is hidden")
            .at(sources(), side.value.origin());
      }
    }
    return out;
  };
  const std::string text = is_whole ? spell(spell, parts.front().path, true) : spell(spell, parts, false);
  if (is_whole) inputs.push_back(at(text, side.value));
  const auto hides = [](const Traced& input) { return input.value.is_secret(); };
  const bool is_secret =
      side.value.is_secret() || (is_whole ? hides(inputs.back()) : std::ranges::any_of(inputs, hides));
  const Value made = is_whole ? inputs.back().value : make().arena().text(text).with_origin(side.value.origin());
  return make().derive(made.with_secret(is_secret), inputs);
}

Traced References::at(std::string_view path, const Value& side) {
  const std::vector<std::string_view> steps = text::steps_of(path, grammar_);
  Traced now = root_;
  for (const std::string_view& step : steps) {
    const Traced member = step_into(now, step, &step == &steps.back());
    if (!member.value) {
      const bool is_first = &step == &steps.front();
      const std::string_view above =
          is_first ? "" : path.substr(0, static_cast<std::size_t>(step.data() - path.data()) - 1);
      throw Error(missing_, fmt::format("the reference {}{}{} has no value", grammar_.opening, path, grammar_.closing))
          .at(sources(), side.origin())
          .hint(is_first ? "" : fmt::format("there is no '{}' in '{}'", step, above));
    }
    now = target(member);
  }
  return now;
}

}  // namespace strata::merge
