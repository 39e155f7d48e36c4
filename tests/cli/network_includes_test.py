#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Includes over the network: their names are their URLs, wherever strata names a file.

usage: network_includes_test.py STRATA
"""
import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *args):  # pylint: disable=redefined-builtin
        pass


class NetworkIncludes(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        os.mkdir(os.path.join(self.folder, "site"))
        self.place("site/good", "#cloud-config\na: 1\n")
        self.place("site/bad", "#cloud-config\na: [1\nb: 2\n")
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=os.path.join(self.folder, "site")))
        self.addCleanup(server.server_close)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(server.shutdown)
        self.url = f"http://127.0.0.1:{server.server_address[1]}/"

    def place(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def merge(self, name, *words):
        self.place("user", f"#include\n{self.url}{name}\n")
        environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
        done = subprocess.run([STRATA, "merge", "--allow-network", *words, "user"], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_reports(self):
        rows = json.loads(self.merge("good", "--blame", "--output", "json").stdout)
        self.assertEqual([(row["file"], row["line"]) for row in rows], [(self.url + "good", 2)])
        self.assertIn(self.url + "good:2:4", self.merge("good", "--explain").stdout)
        parts = json.loads(self.merge("good", "--parts", "--output", "json").stdout)
        self.assertEqual([(part["file"], part["line"]) for part in parts], [(self.url + "good", 1)])

    def test_messages(self):
        told = self.merge("bad").stderr
        self.assertTrue(told.startswith(self.url + "bad:3:"), told)
        self.assertIn(f"{self.url}bad (part-001) is skipped", told)

    def test_source_maps(self):
        told = json.loads(self.merge("good", "--source-map", "-").stdout)
        self.assertEqual(told["sources"], [self.url + "good"])
        self.merge("good", "--source-map", "out.map")
        self.place("out.yaml", self.merge("good").stdout)
        done = subprocess.run([STRATA, "where", "out.map", "2"], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertIn(self.url + "good:2", done.stdout, done.stderr)


if __name__ == "__main__":
    unittest.main()
