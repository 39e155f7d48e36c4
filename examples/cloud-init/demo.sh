#!/usr/bin/env bash
# A realistic boot: the image's base configuration, the vendor's data, two teams' parts, and a MIME message with a template.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
# shellcheck source=examples/show.sh
source ../show.sh

boot=(--base cloud.cfg --vendor-data vendor-data.yaml --instance-data instance-data.json platform.yaml web.yaml message.mime)
show 9 strata merge --quiet --blame "${boot[@]}"
show 3 strata merge --quiet --explain=/timezone "${boot[@]}"
show 6 strata merge --quiet --parts "${boot[@]}"
