#!/usr/bin/env bash
# A site with modules that do not know each other, an ENC, Hiera data as a layer, and resources of other nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

show() {
  printf '\n$ %s\n' "$*"
  "$@"
}
web=(--facts facts/web01.example.com.yaml)
db=(--facts facts/db01.example.com.yaml)

show strata inject "${web[@]}" accounts::users
show strata inject "${web[@]}" accounts::addresses
show strata inject "${web[@]}" --parameters ntp
show strata inject "${db[@]}" --parameters ntp
show strata inject "${web[@]}" --classes
show strata inject "${web[@]}" web::banner
show strata inject "${web[@]}" --inventory inventory.yaml web::databases
show strata inject "${web[@]}" packages
show strata bindings explain "${web[@]}" motd::color
show strata bindings explain "${web[@]}" --inventory inventory.yaml --graph
show strata inject "${web[@]}" --blame accounts::users
show strata inject --facts facts/canary01.example.com.yaml motd::text
show strata bindings check "${web[@]}" --inventory inventory.yaml
show strata enc web01.example.com
