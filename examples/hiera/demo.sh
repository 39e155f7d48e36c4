#!/usr/bin/env bash
# A control repository: an environment of several levels with secrets, two modules with data of their own, twelve nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

db=(--quiet --codedir examples/hiera --facts examples/hiera/nodes/db01.yaml)
show 5 strata lookup "${db[@]}" accounts::users.alice
show 4 strata lookup "${db[@]}" --explain=/alice/groups/1 accounts::users
show 2 strata lookup "${db[@]}" --blame profile::db::password
show 3 strata lookup --quiet --codedir examples/hiera --nodes examples/hiera/nodes --output jsonl accounts::users.alice.groups
