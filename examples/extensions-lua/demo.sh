#!/bin/sh
# Everything that the extensions give, and where one value comes from. `script/demo extensions-lua` runs it with strata on the PATH.
set -eu
cd "$(dirname "$0")"
strata inject --confdir . --facts facts.yaml --all
strata bindings explain --confdir . --facts facts.yaml contacts
strata bindings explain --confdir . --facts facts.yaml --graph
