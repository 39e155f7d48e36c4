#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Memory that impact, check and coverage keep for each node: 1,000 nodes and 100,000 nodes with the same files.

usage: fleet_memory.py STRATA [NODES] [--json FILE]    NODES instead of 100,000

Prints one line per command, without and with a level of the hierarchy that names the node: peak memory of both fleets (medians: threads allocate in
another order each time), and the bytes of each further node. The budget is 1.2 times the peak of 1,000 nodes, and 64 bytes for each further node.
"""
import json
import os
import pathlib
import sys
import tempfile

import measure

FEW = 1_000
NODE_BYTES = 64
GROWTH = 1.2
ROUNDS = 5


def write_fleet(folder, counts, names_node):
    roles = folder / "data/role"
    roles.mkdir(parents=True)
    level = '  - {name: node, path: "node/%{node}.yaml"}\n' if names_node else ""
    (folder / "hiera.yaml").write_text("version: 5\ndefaults: {datadir: data, data_hash: yaml_data}\nhierarchy:\n" + level +
                                       '  - {name: role, path: "role/%{role}.yaml"}\n  - {name: common, path: common.yaml}\n')
    (folder / "data/common.yaml").write_text("".join(f"key{i}: [common, {i}]\n" for i in range(50)))
    for role in range(20):
        (roles / f"r{role}.yaml").write_text("".join(f"key{i}: [role{role}]\n" for i in range(0, 50, 5)))
    for count in counts:
        # Piece by piece: a program's peak memory is never shown as less than that of the process which started it.
        with open(folder / f"{count}.json", "w", encoding="utf-8") as out:
            for i in range(count):
                name = f"node{i:05d}.example.com"
                out.write(("[" if i == 0 else ", ") + json.dumps({"name": name, "facts": {"node": name, "role": f"r{i % 20}"}}))
            out.write("]")


def main():
    results = measure.Results("script/bench fleet")
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    strata = os.path.abspath(sys.argv[1])
    many = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
    print(f"{'command':40} {'few MiB':>8} {'many MiB':>9} {'budget':>7} {'bytes a node':>13}")
    for names_node in (False, True):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            write_fleet(folder, (FEW, many), names_node)
            edit = ["--set", f"{folder}/data/common.yaml:/key1=x"]
            for command in (["impact", "--exit-zero", "--output", "json", *edit], ["check", "--exit-zero"], ["coverage"]):
                runs = [[measure.run([strata, *command, "lookup", "--all", "--hiera-config", f"{folder}/hiera.yaml", "--nodes", f"{folder}/{count}.json"]).peak
                         for count in (FEW, many)] for _ in range(ROUNDS)]
                peaks = [measure.median(of_fleet) for of_fleet in zip(*runs)]
                each = (peaks[1] - peaks[0]) * 2**20 / (many - FEW)
                budget = GROWTH * peaks[0] + NODE_BYTES * (many - FEW) / 2**20
                print(f"{command[0] + (', a level of the node' if names_node else ''):40} {peaks[0]:8.1f} {peaks[1]:9.1f} {budget:7.1f} {each:13.0f}", flush=True)
                name = f"`strata {command[0]}`, {many:,} nodes" + (", a level of the hierarchy per node" if names_node else "")
                results.add(name, "peak memory", peaks[1], "MiB", threads="all", budget=round(budget, 1))
    results.write()


if __name__ == "__main__":
    main()
