#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The parts that cloud-init merges (an image, a vendor, two teams, a MIME message), and the files that set one value.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

boot=(--base examples/cloud-init/cloud.cfg --vendor-data examples/cloud-init/vendor-data.yaml
  --instance-data examples/cloud-init/instance-data.json
  examples/cloud-init/platform.yaml examples/cloud-init/web.yaml examples/cloud-init/message.mime)
show "$strata" merge --quiet --parts "${boot[@]}"
echo
show "$strata" merge --quiet --explain=/timezone "${boot[@]}"
