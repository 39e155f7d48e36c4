#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# An edit of one line in a site of four nodes: what changes and on which nodes. Below, a probable typo.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

fleet=(lookup --all --hiera-config examples/fleet/hiera.yaml --nodes examples/fleet/nodes.json)
show "$strata" impact --exit-zero --set examples/fleet/data/role/web.yaml:/profile::web::workers=12 "${fleet[@]}"
echo
show "$strata" check --quiet --exit-zero --select typo "${fleet[@]}"
