#!/bin/sh
# Builds the plugin and asks for what it produces. `script/demo extensions-plugin` runs it with strata on the PATH.
set -eu
cd "$(dirname "$0")"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cp -r . "$build/site"
c++ -std=c++17 -shared -fPIC -I ../../include sequences.cpp -o "$build/site/sequences.so"
sed -i 's|build/libsequences.so|sequences.so|' "$build/site/strata.yaml"
cd "$build/site"
strata inject --confdir . numbers
strata inject --confdir . sums
