# SPDX-License-Identifier: Apache-2.0
""".pre-commit-hooks.yaml and a real pre-commit: a bad layer cannot be committed, a good one can."""
import pathlib
import shutil
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FLEET, ROOT, FolderTest, read_yaml  # noqa: E402


@unittest.skipUnless(shutil.which("pre-commit"), "pre-commit is not installed: script/bootstrap --integrations")
class Hooks(FolderTest):
    def setUp(self):
        super().setUp()
        (self.folder / "hooks").mkdir()
        self.git("hooks", "init", "--quiet")
        self.commit("hooks", {".pre-commit-hooks.yaml": (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")})
        (self.folder / "site").mkdir()
        self.git("site", "init", "--quiet")
        self.commit("site", {**FLEET, ".pre-commit-config.yaml": self.config()})
        self.run_in("site", "pre-commit", "install")

    def config(self):
        revision = self.git("hooks", "rev-parse", "HEAD")
        hooks = [f"      - id: {one['id']}\n        args: ['@fleet']\n" for one in read_yaml(ROOT / ".pre-commit-hooks.yaml")]
        return f"repos:\n  - repo: {self.folder}/hooks\n    rev: {revision}\n    hooks:\n" + "".join(hooks)

    def test_the_list_of_hooks(self):
        self.run_in(".", "pre-commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml")
        self.assertEqual([one["id"] for one in read_yaml(ROOT / ".pre-commit-hooks.yaml")], ["strata-check", "strata-impact"])

    def try_commit(self, files, status):
        self.write(files, "site")
        self.git("site", "add", "--all")
        done = self.run_in("site", "git", "commit", "--message", "change", status=status)
        return done.stdout + done.stderr

    def test_commits(self):
        told = self.try_commit({"data/role/web.yaml": "workers: 4\nport: 80\n"}, status=1)
        self.assertIn("data/role/web.yaml:2", told)
        self.assertIn("'port' changes nothing", told)
        told = self.try_commit({"data/role/web.yaml": "workers: 4\nport: 8080\n"}, status=0)
        self.assertIn("2 of 3 nodes change", told)
        self.assertIn("by   data/role/web.yaml:2", told)
        self.assertIn("hiera.yaml", self.try_commit({"hiera.yaml": "version: 5\nhierarchy: [{name: x, paths: 1}]\n"}, status=1))

    def test_what_is_not_staged_does_not_count(self):
        self.write({"data/role/web.yaml": "workers: 4\nport: 80\n", "data/role/db.yaml": "workers: 9\n"}, "site")
        self.git("site", "add", "data/role/db.yaml")
        told = self.run_in("site", "git", "commit", "--message", "change")
        self.assertIn("1 of 3 nodes changes", told.stdout + told.stderr)

    def test_files_that_no_hook_looks_at(self):
        self.assertIn("Skipped", self.try_commit({"README.md": "x\n"}, status=0))


@unittest.skipUnless(shutil.which("pre-commit"), "pre-commit is not installed: script/bootstrap --integrations")
class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
