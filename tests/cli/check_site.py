# SPDX-License-Identifier: Apache-2.0
"""A folder with a small fleet of nodes, for tests of strata check."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
HIERA = """version: 5
hierarchy:
  - {name: role, path: "role/%{role}.yaml"}
  - {name: more, path: more.json, data_hash: json_data}
  - {name: hocon, path: more.conf, data_hash: hocon_data}
  - {name: common, path: common.yaml}
"""
NODES = [{"name": "a", "facts": {"role": "web"}}, {"name": "b", "facts": {"role": "web"}}]
QUESTION = ("lookup", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json")


class SiteTest(unittest.TestCase):
    strata = "strata"  # Set by the test's program.

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)
        self.write({"hiera.yaml": HIERA, "nodes.json": json.dumps(NODES)})

    def tearDown(self):
        self.temporary.cleanup()

    def write(self, files):
        for name, text in files.items():
            path = os.path.join(self.folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def copy_hiera(self):
        """examples/hiera, in which Sensitive values are texts. Its paths of keys count from here."""
        shutil.copytree(EXAMPLES / "hiera", os.path.join(self.folder, "examples", "hiera"))
        options = self.read("examples/hiera/environments/production/data/common.yaml")
        self.write({"examples/hiera/environments/production/data/common.yaml": options.replace("convert_to: Sensitive", "merge: first")})
        return options

    def check(self, *words, status=None, question=QUESTION, folder="."):
        """Standard output. Standard error is kept."""
        run = subprocess.run([self.strata, "check", *words, *question], cwd=os.path.join(self.folder, folder), capture_output=True, timeout=HANGS,
                             check=False)
        out, self.errors = run.stdout.decode(), run.stderr.decode()
        if status is None:
            self.assertIn(run.returncode, (0, 1), f"{words}: {out}\n{self.errors}")
        else:
            self.assertEqual(run.returncode, status, f"{words}: {out}\n{self.errors}")
        return out

    def report(self, *words, **named):
        return json.loads(self.check("--output", "json", *words, **named))

    def findings(self, *words, **named):
        """(code, file, line) of what is told."""
        return [(one["code"][len("check."):], one["file"], one.get("line")) for one in self.report(*words, **named)["findings"]]
