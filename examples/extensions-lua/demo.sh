#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The values that extensions provide, and the origin of one of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

site=(--confdir examples/extensions-lua --facts examples/extensions-lua/facts.yaml)
show "$strata" inject "${site[@]}" --blame contacts
echo
show "$strata" bindings explain "${site[@]}" database
echo
show "$strata" bindings explain "${site[@]}" --graph
