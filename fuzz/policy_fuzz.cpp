// SPDX-License-Identifier: Apache-2.0
// Reads arbitrary bytes as a policy. Either an error comes out, or a policy that answers, and that is the same when it
// is printed and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "service/policy.hpp"
#include "strata/error.hpp"
#include "strata/limits.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata;
  const Limits limits{.depth = 100, .input = std::size_t{1} << 20U, .aliases = 2000};
  const std::string text(reinterpret_cast<const char*>(data), size);
  // A rule alone, which needs no YAML around it.
  try {
    (void)service::read_rule(text);
  } catch (const Error& error) {
    if (error.code() != "service.policy" || error.diagnostic().message.empty()) std::abort();
  }
  try {
    const service::Policy policy(text, "policy.yaml", limits);
    const service::Principal nobody{.name = "u", .method = "tokens", .roles = {"member"}, .project = "p"};
    const service::Principal admin{
        .name = "a", .method = "tokens", .roles = {"admin"}, .attributes = {{"system_scope", "all"}}};
    const service::Policy again(policy.text(), "again.yaml", limits);
    for (const char* action : {"strata:evaluate", "strata:secret.read", "stacks:index", "deckhand:create_tag"}) {
      for (const service::Principal* who : {&nobody, &admin}) {
        if (policy.allows(action, *who, "p") != again.allows(action, *who, "p")) std::abort();
      }
    }
  } catch (const Error& error) {
    if (error.code().empty() || error.diagnostic().message.empty()) std::abort();
  }
  return 0;
}
