#!/usr/bin/env bash
# A control repository: an environment of several levels with secrets, two modules with data of their own, twelve nodes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

show() {
  printf '\n$ strata lookup %s\n' "$*"
  strata lookup "$@"
}

code=(--codedir examples/hiera)
web=("${code[@]}" --facts examples/hiera/nodes/web01.yaml)
db=("${code[@]}" --facts examples/hiera/nodes/db01.yaml)

echo "The accounts of a database server, merged out of five files with knockouts:"
show "${db[@]}" accounts::users
printf '\nWhich file and line supplied each line of it:\n'
show --blame "${db[@]}" accounts::users
printf '\nWhy Alice has these groups:\n'
show --explain=/alice/groups "${db[@]}" accounts::users
printf '\nWhy a web server has so many workers, as Puppet tells it:\n'
show --explain "${web[@]}" profile::web::workers
printf '\nA secret is decrypted for those who ask for it, and for nobody else:\n'
show "${db[@]}" profile::db::password
show --blame "${db[@]}" profile::db::password
