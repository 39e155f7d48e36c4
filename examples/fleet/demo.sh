#!/usr/bin/env bash
# A control repository with four nodes: what an edit in a branch changes and for whom, what is wrong in the files, and where to write a value.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
cp -r examples/fleet/hiera.yaml examples/fleet/nodes.json examples/fleet/data "$site"
cd "$site"
git init --quiet --initial-branch=main
commit() { git add . && git -c user.name=demo -c user.email=demo@strata.example commit --quiet --message "$1"; }
commit 'the site'
git switch --quiet --create faster-web
sed -i 's/^profile::web::workers: 8/profile::web::workers: 12/' data/role/web.yaml
commit 'twelve workers for the web'

fleet=(lookup --all --hiera-config hiera.yaml --nodes nodes.json)
show 6 strata --quiet impact --exit-zero --from main --to faster-web "${fleet[@]}"
show 9 strata --quiet check --exit-zero --select dead-override,typo "${fleet[@]}"
show 9 strata --quiet set profile::web::port=8080 --for role=web --proposals 1 "${fleet[@]}"
