#!/usr/bin/env bash
# A realistic boot: the image's base configuration, the vendor's data, two teams' parts, and a MIME message with a template.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

show() {
  printf '\n$ strata merge %s\n' "$*"
  strata merge "$@"
}

boot=(--base cloud.cfg --vendor-data vendor-data.yaml --instance-data instance-data.json platform.yaml web.yaml message.mime)

echo "What the machine will act on:"
show "${boot[@]}"
printf '\nWhich file and line supplied each line of it:\n'
show --blame "${boot[@]}"
printf '\nWhy the time zone is what it is:\n'
show --explain=/timezone "${boot[@]}"
printf '\nWhat became of each part:\n'
show --parts "${boot[@]}"
