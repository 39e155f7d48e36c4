#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A site in four layers: the documents that set a limit, and what another registry changes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

show "$strata" render --explain=/0/data/limits --name web examples/deckhand/site
echo
show "$strata" diff --exit-zero --set examples/deckhand/site/20-global.yaml#0:/data/registry=mirror.example.com \
  render --name web examples/deckhand/site
