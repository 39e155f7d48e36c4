#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A dozen environment files: the file that sets a value, and what changes without the last file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

deployment=(compose -t examples/heat/overcloud.yaml --environment-directory examples/heat/environments)
show "$strata" "${deployment[@]}" --quiet --explain=/parameters/ComputeCount
echo
show "$strata" diff --quiet --exit-zero --delete examples/heat/environments/99-user.yaml "${deployment[@]}"
