#!/usr/bin/env bash
# Two nodes of three classes: what a node gets, from where, and what is wrong with any of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=examples/show.sh
source ../show.sh

show 30 strata inventory web1.example.com
show 12 strata inventory db1.example.com --blame
show 6 strata inventory db1.example.com --explain=/parameters/ntp
show 3 strata inventory --all --check
