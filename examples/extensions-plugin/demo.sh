#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds the plugin in build/demo/, and evaluates the names that it produces.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source examples/show.sh

site=build/demo/extensions-plugin
rm -rf "$site"
mkdir -p build/demo
cp -r examples/extensions-plugin "$site"
show c++ -std=c++17 -shared -fPIC -I include -o "$site/sequences.so" "$site/sequences.cpp"
sed -i 's|build/libsequences.so|sequences.so|' "$site/strata.yaml"
echo
show "$strata" inject --confdir "$site" numbers
echo
show "$strata" inject --confdir "$site" sums
