#include "examples.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace strata::cli {
namespace {

struct Examples {
  std::string_view command;
  std::array<std::string_view, 2> lines;  ///< They work from the root of the source.
  std::string_view page;                  ///< Below docs/.
};

constexpr std::array<Examples, 13> kExamples{{
    {"merge",
     {"strata merge examples/cloud-init/platform.yaml examples/cloud-init/web.yaml",
      "strata merge --base examples/cloud-init/cloud.cfg --explain=/timezone examples/cloud-init/web.yaml"},
     "cloud-init/merge.md"},
    {"lookup",
     {"strata lookup --codedir examples/hiera --facts examples/hiera/nodes/db01.yaml accounts::users",
      "strata lookup --codedir examples/hiera --nodes examples/hiera/nodes --output jsonl accounts::users.alice.groups"},
     "hiera/lookup.md"},
    {"render",
     {"strata render examples/deckhand/site", "strata render --schema example/Service --name web --blame examples/deckhand/site"},
     "deckhand/render.md"},
    {"compose",
     {"strata compose -t examples/heat/overcloud.yaml -e examples/heat/environments/40-tls.yaml -e examples/heat/environments/99-user.yaml",
      "strata compose -t examples/heat/overcloud.yaml --environment-directory examples/heat/environments --blame"},
     "heat/compose.md"},
    {"parameters",
     {"strata parameters -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml -e examples/heat-bundle/env/site.yaml",
      "strata parameters -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml --parameter count=3 --blame"},
     "heat/parameters.md"},
    {"hooks",
     {"strata hooks --resource web1 -e examples/heat-bundle/env/base.yaml",
      "strata hooks --resource web1 -e examples/heat-bundle/env/base.yaml --explain"},
     "heat/resource-lookups.md"},
    {"restricted-actions",
     {"strata restricted-actions --resource db -e examples/heat-bundle/env/base.yaml",
      "strata restricted-actions --resource db -e examples/heat-bundle/env/base.yaml --blame"},
     "heat/resource-lookups.md"},
    {"resolve-type",
     {"strata resolve-type My::Server -e examples/heat-bundle/env/base.yaml",
      "strata resolve-type My::Server -e examples/heat-bundle/env/base.yaml --name db"},
     "heat/resource-lookups.md"},
    {"bundle",
     {"strata bundle -t examples/heat-bundle/stack.yaml -e examples/heat-bundle/env/base.yaml",
      "strata bundle -e examples/heat-bundle/env/base.yaml --parameter 'count=3;flavor=m1.large'"},
     "heat/bundle.md"},
    {"inject",
     {"strata inject --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml --classes",
      "strata inject --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml --blame accounts::users"},
     "bindings/inject.md"},
    {"bindings check",
     {"strata bindings check --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml "
      "--inventory examples/bindings/inventory.yaml",
      "strata bindings check --output json --confdir examples/bindings --facts examples/bindings/facts/db01.example.com.yaml "
      "--inventory examples/bindings/inventory.yaml"},
     "bindings/check.md"},
    {"bindings explain",
     {"strata bindings explain --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml motd::color",
      "strata bindings explain --confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml "
      "--inventory examples/bindings/inventory.yaml --graph"},
     "bindings/check.md"},
    {"enc",
     {"strata enc --confdir examples/bindings web01.example.com", "strata enc --confdir examples/bindings --output json web01.example.com"},
     "bindings/inject.md"},
}};

}  // namespace

void add_examples(Arguments& program) {
  for (const Examples& row : kExamples) {
    const std::size_t blank = row.command.find(' ');
    Arguments command = program.subcommand(std::string(row.command.substr(0, blank)), {});
    if (blank != std::string_view::npos) command = command.subcommand(std::string(row.command.substr(blank + 1)), {});
    command.footer(fmt::format("Examples:\n  {}\n  {}\n\nManual: docs/{}", row.lines[0], row.lines[1], row.page));
  }
}

}  // namespace strata::cli
