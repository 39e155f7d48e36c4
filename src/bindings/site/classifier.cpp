// SPDX-License-Identifier: Apache-2.0
#include "bindings/site/classifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "bindings/problems.hpp"
#include "strata/refusal.hpp"
#include "strata/text.hpp"

namespace strata::site {
namespace {

constexpr std::size_t kMostOutput = std::size_t{1} << 26U;

/// The standard input of an ENC that takes the facts: YAML, which has values that JSON lacks.
std::string facts_text(const bindings::EncCommand& command, const Value& facts, const Sources& sources) {
  try {
    return text::write_json(facts);
  } catch (const Error& error) {
    Error told("enc.facts", fmt::format("the facts cannot be given to the ENC: {}", error.diagnostic().message));
    for (const Entry& fact : facts.entries()) {
      try {
        (void)text::write_json(fact.value);
      } catch (const Error&) {
        bindings::place_at(told, sources, fact.key.origin());
        break;
      }
    }
    bindings::add_note(told, sources, command.origin, "'enc_facts' gives them to it");
    throw Error(told);
  }
}

Refusal refused(const bindings::EncCommand& command, const Sources& sources) {
  return {.kind = Refusal::Kind::program,
          .what = fmt::format("the ENC {} is not run: results lack its classes, parameters and environment",
                              command.words.front()),
          .where = excerpt_at(sources, command.origin)};
}

/// Asks `enc_command`.
std::string run(const bindings::EncCommand& command, const std::string& node, const Value& facts, Programs* programs,
                Session& session) {
  const Sources& sources = session.sources();
  const auto failed = [&](const std::string& what) { return Error("enc.failed", what).at(sources, command.origin); };
  if (programs == nullptr) {
    throw failed("'enc_command' is not run: running programs is not allowed here")
        .hint(way_to_allow(session, Refusal::Kind::program));
  }
  Program program{.words = command.words,
                  .input = {},
                  .seconds = command.timeout,
                  .max_output = kMostOutput,
                  .stop = session.limits().stop};
  program.words.push_back(node);
  if (command.takes_facts) program.input = facts_text(command, facts, sources);
  ProgramResult result;
  try {
    result = programs->run(program);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    throw failed(fmt::format("the ENC gave nothing for node '{}': {}", node, error.diagnostic().message));
  }
  if (result.status != 0) {
    throw failed(
        fmt::format("the ENC {} for node '{}'{}{}", result.ended, node, result.said.empty() ? "" : ": ", result.said));
  }
  return std::move(result.output);
}

std::string asked_node(const NodeInputs& inputs, const bindings::Facts& facts, const bindings::EncCommand& command,
                       const Sources& sources) {
  std::string node = bindings::certname_of(inputs.name, facts);
  if (node.empty()) {
    throw Error("enc.no-node", "the ENC needs the node's name, which is not known")
        .at(sources, command.origin)
        .hint("give facts with 'clientcert' or 'networking.fqdn', or --node NAME");
  }
  if (!is_node_name(node)) {
    throw Error("enc.no-node", fmt::format("the ENC is not run for the node '{}': this is not a valid node name", node))
        .at(sources, command.origin)
        .hint("a node name consists of letters, digits, '.', '-' and '_', and does not begin with '.' or '-'");
  }
  return node;
}

}  // namespace

bool is_node_name(std::string_view name) noexcept {
  const auto is_part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.front() != '.' && name.front() != '-' && std::ranges::all_of(name, is_part);
}

std::shared_ptr<const bindings::Enc> classify(const NodeInputs& inputs, const bindings::Facts& facts,
                                              const bindings::Configuration& configuration, Session& session) {
  const auto read = [&](const std::string& name, std::string text) {
    const SourceId source = session.sources().add(name, std::move(text));
    return std::make_shared<const bindings::Enc>(
        bindings::read_enc(session.sources(), source, session.limits(), session.diagnostics()));
  };
  if (inputs.enc) return read(inputs.enc->name, inputs.enc->text);
  if (!configuration.enc_command) return nullptr;
  Programs* programs = session.host() == nullptr ? nullptr : session.host()->programs();
  if (programs == nullptr && continues_without(session, refused(*configuration.enc_command, session.sources())))
    return nullptr;
  const std::string node = asked_node(inputs, facts, *configuration.enc_command, session.sources());
  return read(fmt::format("<enc {}>", node), run(*configuration.enc_command, node, facts.values, programs, session));
}

}  // namespace strata::site
