#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A value with the binding that it overrides, the resources that a node uses from other nodes, and a check of the site.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

web=(--confdir examples/bindings --facts examples/bindings/facts/web01.example.com.yaml)
show "$strata" bindings explain "${web[@]}" motd::color
echo
show "$strata" bindings explain "${web[@]}" --inventory examples/bindings/inventory.yaml --graph
echo
show "$strata" bindings check "${web[@]}" --inventory examples/bindings/inventory.yaml
