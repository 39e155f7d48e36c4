#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A control repository with twelve nodes: who removed a list item for one node, and the value of one key on all nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

db=(--codedir examples/hiera --facts examples/hiera/nodes/db01.yaml)
show "$strata" lookup --quiet "${db[@]}" --explain=/alice/groups/1 accounts::users
echo
show "$strata" lookup --quiet --codedir examples/hiera --nodes examples/hiera/nodes --output jsonl accounts::users.alice.groups
