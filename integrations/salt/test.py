"""ext_pillar as a function, with stubs for what Salt puts into a module. It is not run in Salt, which Debian does not have."""
import importlib.util
import json
import os
import pathlib
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FLEET, STRATA, FolderTest  # noqa: E402


def module(grains):
    """The module as Salt loads it."""
    spec = importlib.util.spec_from_file_location("strata_pillar", HERE / "strata_pillar.py")
    out = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(out)
    setattr(out, "__grains__", grains)
    return out


class Pillar(FolderTest):
    def setUp(self):
        super().setUp()
        self.write(FLEET, "site")

    def pillar(self, minion, known, /, **more):
        loaded = module(known)
        self.assertEqual(loaded.__virtual__(), "strata_pillar")
        return loaded.ext_pillar(minion, {"other": 1}, **{"folder": str(self.folder / "site"), "program": STRATA, **more})

    def test_grains_are_facts(self):
        wanted = json.loads(self.strata("site", "lookup", "--all", "--hiera-config", "hiera.yaml", "--nodes", "nodes.json", "--output", "json"))
        self.assertEqual(self.pillar("new", {"role": "web", "version": object()}), wanted["web01"])
        self.assertEqual(self.pillar("new", {"role": "db"}), wanted["db01"])
        self.assertEqual(self.pillar("new", {}), {"port": 80, "servers": ["one", "two"], "motd": "hello"})
        self.assertEqual(self.pillar("new", {"role": "db"}, under="strata"), {"strata": wanted["db01"]})

    def test_the_name_of_the_minion(self):
        self.write({"hiera.yaml": "version: 5\nhierarchy: [{name: node, path: \"node/%{trusted.certname}.yaml\"}]\n", "data/node/new.yaml": "a: 1\n"}, "site")
        self.assertEqual(self.pillar("new", {}), {"a": 1})
        self.assertEqual(self.pillar("other", {}), {})

    def test_subjects_of_the_project(self):
        self.assertEqual(self.pillar("web01", {"role": "db"}, grains=False)["workers"], 4)
        self.assertEqual(self.pillar("stranger", {}, grains=False), {})
        self.write({".strata.yaml": "projects: {fleet: {verb: merge, fleet: [{name: a, args: [a.yaml]}]}}\n", "a.yaml": "#cloud-config\nx: 1\n"}, "site")
        self.assertEqual(self.pillar("a", {}, grains=False), {"x": 1})

    def test_places(self):
        self.assertEqual(self.pillar("new", {"role": "web"}, origins=True)["strata_origins"]["/workers"], "data/role/web.yaml:1")

    def test_what_fails(self):
        self.write({"data/common.yaml": "a: [\n"}, "site")
        with self.assertRaisesRegex(RuntimeError, r"data/common\.yaml:2:1: error: "):
            self.pillar("new", {})
        with self.assertRaisesRegex(RuntimeError, "there is no project"):
            self.pillar("new", {}, project="@other")
        with self.assertRaisesRegex(RuntimeError, "cannot be started"):
            self.pillar("new", {}, program="no-such-program")
        self.assertNotEqual(os.getcwd(), str(self.folder / "site"))


class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
