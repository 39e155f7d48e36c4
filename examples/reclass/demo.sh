#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Two nodes of three classes: the source of the values of a node, and what one line of a class changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

site=(--nodes-dir examples/reclass/nodes --classes-dir examples/reclass/classes)
show "$strata" inventory db1.example.com "${site[@]}" --explain=/parameters/ntp
echo
show "$strata" diff --exit-zero --set examples/reclass/classes/common.yml:/parameters/site=zurich \
  inventory db1.example.com "${site[@]}"
