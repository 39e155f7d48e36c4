#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the tests of this folder.   integrations/ansible/test.sh [STRATA]
set -euo pipefail
[[ $# -eq 0 ]] || { STRATA=$(realpath "$1") && export STRATA; }
exec /usr/bin/python3 "$(dirname "${BASH_SOURCE[0]}")/test.py"
