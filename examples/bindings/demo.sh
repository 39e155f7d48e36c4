#!/usr/bin/env bash
# A site with modules that do not know each other, an ENC, Hiera data as a layer, and resources of other nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=examples/show.sh
source ../show.sh

web=(--facts facts/web01.example.com.yaml)
show 9 strata bindings explain "${web[@]}" motd::color
show 6 strata inject "${web[@]}" --blame accounts::users
show 1 strata bindings explain "${web[@]}" --inventory inventory.yaml --graph
show 1 strata bindings check "${web[@]}" --inventory inventory.yaml
