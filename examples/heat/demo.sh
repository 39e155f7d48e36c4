#!/usr/bin/env bash
# A deployment with a dozen environment files: what they make together, who set what, and an update.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=examples/show.sh
source ../show.sh
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT

deployment=(-t overcloud.yaml --file deployment/controller.yaml --file deployment/compute.yaml)
for file in environments/*.yaml; do deployment+=(-e "$file"); done
strata compose --quiet --save-state "$state/state.json" "${deployment[@]}" >"$state/environment.json"

show 8 strata compose --quiet --blame "${deployment[@]}"
show 6 strata compose --quiet --explain=/parameter_defaults/ControllerExtraConfig "${deployment[@]}"
cd "$state"
show 4 strata compose --quiet --existing state.json --parameter ComputeCount=15 --explain=/parameters/ComputeCount
