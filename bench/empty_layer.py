#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The cost of an empty `hiera:` layer above 20,000 bindings: each key is looked up there and not found.

usage: empty_layer.py STRATA [RUNS] [--json FILE]

Prints one line per command: the median of the paired ratios of processor time with the layer to without it, beside its budget.
"""
import pathlib
import sys
import tempfile

import measure

KEYS = 20_000
BUDGET = 1.3


def write_site(folder, has_layer):
    bindings = folder / "modules/m/bindings"
    bindings.mkdir(parents=True)
    (folder / "data").mkdir()
    (folder / "facts.yaml").write_text("fqdn: kermit.example.com\n")
    layer = "    layer { 'data': include => 'hiera:' },\n" if has_layer else ""
    (folder / "site.pp").write_text(f"site {{\n  bindings => [\n{layer}    layer {{ 'modules': include => 'module:/*::default' }}\n  ]\n}}\n")
    (folder / "hiera.yaml").write_text("version: 5\nhierarchy:\n- name: common\n  path: common.yaml\n")
    (folder / "data/common.yaml").write_text("{}\n")
    statements = "".join(f"  bind 'key_{i:05}' to 'value {i}'\n" for i in range(KEYS))
    (bindings / "default.pp").write_text(f"bindings m::default {{\n{statements}}}\n")
    return ["--confdir", str(folder), "--facts", str(folder / "facts.yaml")]


def main():
    results = measure.Results("script/bench program")
    strata, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 11
    with tempfile.TemporaryDirectory() as temporary:
        without = write_site(pathlib.Path(temporary) / "without", False)
        with_layer = write_site(pathlib.Path(temporary) / "with", True)
        for verb in (["inject", "--all"], ["bindings", "check"]):
            plain, layered = measure.alternate(runs, [strata, *verb, *without], [strata, *verb, *with_layer])
            ratio = measure.median([b.cpu / a.cpu for a, b in zip(plain, layered)])
            print(f"{' '.join(verb)}, an empty hiera: layer above {KEYS:,} bindings: {ratio:.2f} (budget {BUDGET})")
            name = f"`strata {' '.join(verb)}`, an empty `hiera:` layer above {KEYS:,} bindings"
            results.add(name, "processor time", ratio, "x", baseline="the same without the layer", threads="all", budget=BUDGET)
    results.write()


main()
