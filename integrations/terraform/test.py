# SPDX-License-Identifier: Apache-2.0
"""The example: what its query asks for is there, by the protocol. tests/cli/external_test.py tests the rest of the command."""
import json
import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import ROOT, FolderTest  # noqa: E402


class Example(FolderTest):
    def test_main(self):
        text = (HERE / "main.tf").read_text(encoding="utf-8")
        program = json.loads(re.search(r"program = (\[.*\])", text).group(1))
        query = dict(re.findall(r"(?m)^ +(\w+) +=\s+\"(.*)\"$", re.search(r"query = \{(.*?)\}\n", text, re.DOTALL).group(1)))
        self.assertIn("subject = var.node", text)
        query["subject"] = re.search(r'default = "(.*)"', text).group(1)
        query["folder"] = query["folder"].replace("${path.module}", str(HERE))
        answer = json.loads(self.run_in(".", *program, stdin=json.dumps(query)).stdout)
        self.assertTrue(all(isinstance(value, str) for value in answer.values()))
        wanted = json.loads(self.run_in(ROOT, "strata", "lookup", "--codedir", "examples/hiera", "--nodes", "examples/hiera/nodes", "--all", "--output",
                                        "json").stdout)[query["subject"]]
        used = re.findall(r'(jsondecode\()?data\.external\.node\.result\["(.*?)"\]', text)
        self.assertEqual(len(used), 2)
        for decodes, key in used:
            self.assertEqual(json.loads(answer[key]) if decodes else answer[key], wanted[key])

    def test_queries(self):
        for name in ("node.json", "machine.json"):
            query = json.loads((HERE / name).read_text(encoding="utf-8"))
            answer = json.loads(self.run_in(ROOT, "strata", "external", stdin=json.dumps(query)).stdout)
            self.assertEqual(list(answer), [query["key"]])


class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
