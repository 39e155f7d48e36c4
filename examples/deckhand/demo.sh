#!/usr/bin/env bash
# A site in four layers: services with defaults, a type, a region; a network that replaces the common one; a password.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=examples/show.sh
source ../show.sh

show 12 strata render --blame --name web site
show 4 strata render --explain=/0/data/limits/workers --name web site
show 1 strata render --check --strict --cleartext-secrets site && echo "(no errors)"
