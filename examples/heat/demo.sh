#!/usr/bin/env bash
# A deployment with a dozen environment files: what they make together, who set what, and an update.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT

show() {
  printf '\n$ strata compose %s\n' "$*"
  strata compose "$@"
}

deployment=(-t overcloud.yaml --file deployment/controller.yaml --file deployment/compute.yaml)
for file in environments/*.yaml; do deployment+=(-e "$file"); done

echo "What the service will act on, the password masked:"
show --mask --output yaml --save-state "$state/state.json" "${deployment[@]}"
printf '\nWhich file and line supplied each line of it:\n'
show --blame --output yaml "${deployment[@]}"
printf '\nHow the settings of the controllers came together:\n'
show --explain=/parameter_defaults/ControllerExtraConfig --output yaml "${deployment[@]}"
printf '\nAn update: one more compute node by hand, everything else as it was:\n'
show --existing "$state/state.json" --parameter ComputeCount=15 --explain=/parameters/ComputeCount --output yaml
