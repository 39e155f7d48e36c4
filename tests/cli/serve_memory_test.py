#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What a service holds in memory of a site does not grow with its generations, and stays within `--cache`.

usage: serve_memory_test.py STRATA [--generations N]
"""
import argparse
import json
import os
import sys
import unittest

from serving import Service
from site_serving import API, SiteTest

parser = argparse.ArgumentParser()
parser.add_argument("strata", nargs="?", default="strata")
parser.add_argument("--generations", type=int, default=300)
ARGUMENTS, REST = parser.parse_known_args()
STRATA = os.path.abspath(ARGUMENTS.strata)
SIZE = 4000  # Bytes of a value.


class Memory(SiteTest):
    strata = STRATA

    def counters(self, service):
        """The gauges of what is in memory, by name and kind."""
        out = {}
        for line in service.request("GET", "/metrics")[2].splitlines():
            if line.startswith(("strata_cache_bytes", "strata_site_states", "strata_cache_budget_bytes")):
                name, value = line.rsplit(" ", 1)
                out[name] = float(value)
        return out

    def files(self, i):
        """A tree that differs from the one before in a value, in the name of a file, and by a file that went."""
        return {"hiera.yaml": "version: 5\nhierarchy: [{name: common, paths: [common.yaml]}, {name: all, glob: 'parts/*.yaml'}]\n",
                "data/common.yaml": f"number: {i}\ntext: {'x' * SIZE}{i}\n", f"data/parts/{i}.yaml": f"part: {i}\nmore: {'y' * 2 * SIZE}\n",
                ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml}}\n"}

    def flat(self, change, service, name):
        """Changes and asks; the counters after some generations are those after all."""
        settled = None
        warm = 60  # The cache of documents is full then.
        for i in range(ARGUMENTS.generations):
            change(i)
            for key in ("number", "text", "part"):
                value = self.ask(service, "GET", f"{API}/{name}/nodes/default/values/{key}")["value"]
                self.assertEqual(value, i if key != "text" else "x" * SIZE + str(i))
            self.ask(service, "GET", f"{API}/{name}/nodes/default/values?blame=1")
            if i == warm:
                settled = self.counters(service)
        after = self.counters(service)
        self.assertGreater(after['strata_cache_bytes{kind="answers"}'], SIZE)
        self.assertGreater(after['strata_cache_bytes{kind="snapshots"}'], SIZE)
        self.assertGreater(after['strata_cache_bytes{kind="documents"}'], SIZE)
        for counter, value in settled.items():
            # The names and numbers grow by some digits.
            self.assertLessEqual(after[counter], value * 1.1 + 1000, counter)
        self.assertLessEqual(after["strata_site_states"], 4)

    def test_generations_of_an_upload(self):
        with Service(STRATA, "--cache", "1") as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            self.flat(lambda i: self.ask(service, "PUT", f"{API}/up/tree", {"files": self.files(i)}, status=201), service, "up")

    def test_generations_of_a_folder(self):
        place = self.path("made")

        def write(i):
            before = set(self.files(i - 1)) - set(self.files(i)) if i else set()
            for path, text in self.files(i).items():
                os.makedirs(os.path.dirname(os.path.join(place, path)), exist_ok=True)
                with open(os.path.join(place, path), "w", encoding="utf-8") as file:
                    file.write(text)
            for path in before:
                os.unlink(os.path.join(place, path))

        write(0)
        with Service(STRATA, "--cache", "1", "--site", f"made=hiera:{place}") as service:

            def change(i):
                write(i)
                self.ask(service, "POST", f"{API}/made/refresh")

            self.flat(change, service, "made")

    def test_many_sites_share_the_budget(self):
        # Each site takes about 1 MiB, and all of them are more than the budget.
        with Service(STRATA, "--cache", "4") as service:
            for i in range(12):
                files = {**self.files(i), "data/large.yaml": f"large: {'y' * (1 << 20)}{i}\n"}
                self.ask(service, "PUT", f"{API}/up{i}", {"dialect": "hiera"}, status=201)
                self.ask(service, "PUT", f"{API}/up{i}/tree", {"files": files}, status=201)
            for _ in range(2):
                for i in range(12):
                    self.assertEqual(self.ask(service, "GET", f"{API}/up{i}/nodes/default/values/number")["value"], i)
            counters = self.counters(service)
            self.assertEqual(counters["strata_cache_budget_bytes"], 4 << 20)
            held = sum(value for name, value in counters.items() if name.startswith("strata_cache_bytes"))
            # The present snapshot of one site stays, whatever the budget.
            self.assertLess(held, 8 << 20)
            self.assertLess(counters["strata_site_states"], 6)

    def test_answers_go_first(self):
        with Service(STRATA, "--cache", "1") as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201)
            text = "".join(f"key{i:04}: {'z' * SIZE}\n" for i in range(100))
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {**self.files(0), "data/common.yaml": text + "number: 0\n"}}, status=201)
            for _ in range(3):
                for i in range(100):
                    self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/default/values/key{i:04}")["value"], "z" * SIZE)
            counters = self.counters(service)
            self.assertLessEqual(counters['strata_cache_bytes{kind="answers"}'], 1 << 20)
            self.assertEqual(counters["strata_site_states"], 1)

    def test_fleets_count_and_go(self):
        files = {**self.files(0), "nodes.json": json.dumps([{"name": f"n{i}", "facts": {"role": str(i % 7), "text": "x" * 500}} for i in range(1000)]),
                 ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"}
        change = {"changes": [{"path": "data/common.yaml", "text": "number: 1\n"}]}
        for budget in ("64", "4"):
            with Service(STRATA, "--cache", budget) as service:
                sizes = []
                for name in ("one", "two"):
                    self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera"}, status=201)
                    self.ask(service, "PUT", f"{API}/{name}/tree", {"files": files}, status=201)
                    for _ in range(2):
                        self.assertEqual(self.ask(service, "POST", f"{API}/{name}/impact", change)["subjects"]["changed"], 1000)
                    counters = self.counters(service)
                    sizes.append(counters['strata_cache_bytes{kind="fleets"}'])
                if budget == "64":
                    self.assertGreater(sizes[0], 1000 * 500)
                    self.assertAlmostEqual(sizes[1], 2 * sizes[0], delta=1000)
                else:
                    self.assertLess(sizes[1], 4 << 20)

    def test_the_budget_is_a_member_of_the_configuration(self):
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            file.write("cache: 3MiB\n")
        with Service(STRATA, "--config", self.path("strata.yaml")) as service:
            self.assertEqual(self.counters(service)["strata_cache_budget_bytes"], 3 << 20)
        with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
            json.dump({"cache": -1}, file)
        with self.assertRaisesRegex(AssertionError, "cache"):
            Service(STRATA, "--config", self.path("strata.yaml")).start()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *REST])
