# SPDX-License-Identifier: Apache-2.0
"""action.yml and run.sh with the variables of a runner: what the step prints, writes, comments and returns."""
import http.server
import json
import os
import pathlib
import re
import sys
import threading
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FLEET, ROOT, Comments, FolderTest, read_yaml  # noqa: E402
import check_formats_test  # noqa: E402

# What GitHub takes in the metadata of a composite action.
MEMBERS = {"name", "author", "description", "inputs", "outputs", "runs", "branding"}
INPUT_MEMBERS = {"description", "required", "default", "deprecationMessage"}
STEP_MEMBERS = {"run", "shell", "if", "name", "id", "env", "working-directory", "uses", "with", "continue-on-error"}
COLORS = {"white", "black", "yellow", "blue", "green", "orange", "red", "purple", "gray-dark"}


class Step(FolderTest):
    """The step of action.yml, as a runner starts it: its expressions are replaced, its `run` is given to its shell."""

    def setUp(self):
        super().setUp()
        self.action = read_yaml(ROOT / "action.yml")
        self.comments = Comments("/repos/o/r/issues/7/comments", "/repos/o/r/issues/comments")
        self.addCleanup(self.comments.close)
        (self.folder / "remote").mkdir()
        self.git("remote", "init", "--quiet", "--bare")
        self.git(".", "clone", "--quiet", "remote", "work")
        self.commit("work", FLEET, "begin")
        self.git("work", "push", "--quiet", "origin", "HEAD:refs/heads/main")

    def propose(self, files):
        """A pull request with a commit of its own, while the target goes on. Its merge is what GitHub checks out."""
        self.git("work", "checkout", "--quiet", "-B", "change", "main")
        self.commit("work", files)
        self.git("work", "checkout", "--quiet", "-B", "target", "main")
        self.commit("work", {"data/more.yaml": "motd: hello again\n"}, "the target goes on")
        self.git("work", "push", "--quiet", "--force", "origin", "HEAD:refs/heads/main")
        self.git("work", "merge", "--quiet", "--no-edit", "change")
        self.git("work", "push", "--quiet", "--force", "origin", "HEAD:refs/pull/7/merge")
        self.run_in(".", "rm", "-rf", "checkout")
        (self.folder / "checkout").mkdir()
        self.git("checkout", "init", "--quiet")
        self.git("checkout", "remote", "add", "origin", f"file://{self.folder}/remote")
        self.git("checkout", "fetch", "--quiet", "--depth=1", "origin", "+refs/pull/7/merge:refs/remotes/pull/7/merge")
        self.git("checkout", "checkout", "--quiet", "--force", "refs/remotes/pull/7/merge")

    def context(self, inputs, event):
        known = {name: str(one.get("default", "")) for name, one in self.action["inputs"].items()}
        self.assertLessEqual(set(inputs), set(known))
        known.update(inputs)
        out = {f"inputs.{name}": value for name, value in known.items()}
        out.update({"github.token": "TOKEN", "github.event.before": event.get("before", ""), "github.server_url": self.comments.address,
                    "github.action_repository": "o/strata"})
        return out

    def expand(self, text, context):
        for _ in range(2):  # The default of an input is an expression, too.
            text = re.sub(r"\$\{\{ *([\w.-]+) *\}\}", lambda found: context[found.group(1)], text)
        self.assertNotIn("${{", text)
        return text

    def step(self, status=0, event=None, environment=None, **inputs):
        inputs = {"project": "@fleet", **inputs}
        context = self.context(inputs, event or {})
        [step] = self.action["runs"]["steps"]
        files = {name: self.folder / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for file in files.values():
            file.write_text("", encoding="utf-8")
        (self.folder / "temp").mkdir(exist_ok=True)
        variables = {"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_API_URL": self.comments.address, "GITHUB_REPOSITORY": "o/r", "GITHUB_BASE_REF": "main",
                     "GITHUB_REF": "refs/pull/7/merge", "RUNNER_TEMP": str(self.folder / "temp"), "GITHUB_ACTION_PATH": str(ROOT),
                     **{name: str(file) for name, file in files.items()}, **(environment or {}),
                     **{name: self.expand(text, context) for name, text in step["env"].items()}}
        done = self.run_in("checkout", "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", self.expand(step["run"], context), environment=variables,
                           status=status)
        self.summary = files["GITHUB_STEP_SUMMARY"].read_text(encoding="utf-8")
        self.outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text(encoding="utf-8").splitlines())
        return done

    def annotations(self, text):
        """What a runner shows: kind, file, line, message."""
        out = []
        for line in text.splitlines():
            if found := re.fullmatch(r"::(error|warning|notice) (.*?)::(.*)", line):
                fields = dict(one.split("=", 1) for one in found.group(2).split(","))
                out.append((found.group(1), fields.get("file"), fields.get("line"), found.group(3)))
        return out

    def test_metadata(self):
        self.assertLessEqual(set(self.action), MEMBERS)
        self.assertIn(self.action["branding"]["color"], COLORS)
        for one in self.action["inputs"].values():
            self.assertLessEqual(set(one), INPUT_MEMBERS)
            self.assertTrue(one["description"])
        self.assertEqual(self.action["runs"]["using"], "composite")
        steps = self.action["runs"]["steps"]
        for step in steps:
            self.assertLessEqual(set(step), STEP_MEMBERS)
            self.assertIn("shell", step)
            # Texts of strangers come by variables: in a script they would be code.
            self.assertNotIn("${{", step["run"])
        ids = {step["id"] for step in steps}
        for name, one in self.action["outputs"].items():
            self.assertEqual(set(one), {"description", "value"})
            self.assertIn(re.fullmatch(r"\$\{\{ steps\.(\w+)\.outputs\.(\w+) \}\}", one["value"]).groups(), {(known, name) for known in ids})

    def test_a_change_with_effects_and_findings(self):
        self.propose({"data/role/web.yaml": "workers: 4\nport: 80\n", "data/common.yaml": "port: 80\nservers: [one, three]\n"})
        done = self.step(status=1)
        told = self.annotations(done.stdout)
        self.assertTrue(any("'port' changes nothing" in one[3] for one in told), done.stdout)
        for _, file, line, _ in told:
            text = (self.folder / "checkout" / file).read_text(encoding="utf-8")
            self.assertLessEqual(int(line or 1), len(text.splitlines()))
        # The target went on since: its commit is not an effect of this change.
        self.assertIn("3 of 3 nodes change", self.summary)
        self.assertNotIn("motd", self.summary)
        self.assertIn("data/common.yaml:2", self.summary)
        self.assertEqual(self.outputs["changed"], "true")
        self.assertEqual(pathlib.Path(self.outputs["impact"]).read_text(encoding="utf-8"), self.summary)
        sarif = json.loads(pathlib.Path(self.outputs["sarif"]).read_text(encoding="utf-8"))
        check_formats_test.SARIF.validate(sarif)
        self.assertEqual(len(sarif["runs"][0]["results"]), len(told))
        self.assertEqual(self.comments.texts(), ["<!-- strata impact @fleet -->\n" + self.summary])
        self.assertTrue(all(headers["Authorization"] == "Bearer TOKEN" for _, _, headers in self.comments.asked))
        # The comment is kept up to date, also when nothing is left to tell.
        self.propose({"data/common.yaml": "# the same\nport: 80\nservers: [one, two]\n"})
        self.step(status=0)
        self.assertEqual(self.outputs["changed"], "false")
        self.assertEqual(self.comments.texts(), ["<!-- strata impact @fleet -->\n" + self.summary])
        self.assertNotIn("data/common.yaml", self.summary)

    def test_a_pull_request_runs_nothing(self):
        canary = self.folder / "canary"
        self.propose({".strata.yaml": "projects:\n  fleet: {verb: inject, confdir: ., nodes: nodes.json, allow-programs: true}\n",
                      "strata.yaml": f"enc_command: [sh, -c, \"echo ran >>'{canary}'; echo 'classes: {{}}'\"]\n",
                      "bindings/default.pp": "bindings default {\n  bind 'motd' to 'hello'\n}\n"})
        done = self.step()
        self.assertFalse(canary.exists())
        self.assertIn("[host.left-out]", done.stderr)
        self.step(**{"allow-network": "true"})
        self.assertFalse(canary.exists())
        done = self.step(**{"allow-programs": "true"})
        self.assertTrue(canary.exists())
        self.assertNotIn("[host.left-out]", done.stderr)

    def test_comments_of_others(self):
        self.propose({"data/role/db.yaml": "workers: 9\n"})
        self.comments.comments = [{"id": number, "user": {"type": "User"}, "body": "looks good" if number else "I saw <!-- strata impact @fleet -->"}
                                  for number in range(150)]
        before = self.comments.texts()
        self.step()
        self.assertEqual(self.comments.texts()[:150], before)
        self.step()
        self.assertEqual(len(self.comments.comments), 151)
        self.assertIn("1 of 3 nodes changes", self.comments.texts()[150])

    def test_nothing_changes(self):
        self.propose({"README.md": "hello\n"})
        done = self.step()
        self.assertEqual((self.comments.comments, self.outputs["changed"], self.annotations(done.stdout)), ([], "false", []))

    def test_a_token_that_may_not_comment(self):
        self.propose({"data/role/db.yaml": "workers: 9\n"})
        self.comments.refuses = 403
        told = self.annotations(self.step().stdout)
        self.assertEqual([(one[0], "may not write" in one[3]) for one in told], [("warning", True)])
        self.assertIn("1 of 3 nodes changes", self.summary)
        self.comments.asked.clear()
        self.step(comment="false")
        self.assertEqual(self.comments.asked, [])

    def test_a_baseline(self):
        self.propose({"data/role/web.yaml": "workers: 4\nport: 80\n"})
        self.strata("checkout", "check", "--write-baseline", "known.json", "@fleet")
        self.assertEqual(self.annotations(self.step(baseline="known.json").stdout), [])
        self.step(status=1, baseline="missing.json")

    def test_what_is_broken(self):
        self.propose({"hiera.yaml": "version: 5\nhierarchy: [{name: x, paths: 1}]\n"})
        done = self.step(status=1)
        self.assertEqual([one[:3] for one in self.annotations(done.stdout)], [("error", "hiera.yaml", "2")])
        self.assertIn("broken", self.summary)
        self.propose({"nodes.json": "[\n"})
        done = self.step(status=3)
        self.assertIn("nodes.json: error: ", done.stderr)
        self.assertTrue(any(one[0] == "error" for one in self.annotations(done.stdout)), done.stdout)
        self.propose({"README.md": "x\n"})
        self.assertIn("did you mean", self.step(status=3, project="@flet").stderr)
        self.assertIn("%0A", "".join(self.step(status=2, project="two\nlines").stdout.splitlines()[:1]))
        self.step(status=3, **{"from": "no-such-revision"})

    def test_a_push(self):
        self.git(".", "clone", "--quiet", "remote", "checkout")
        before = self.git("checkout", "rev-parse", "HEAD")
        self.commit("checkout", {"data/role/db.yaml": "workers: 9\n"})
        self.commit("checkout", {"data/role/web.yaml": "workers: 5\n"})
        push = {"GITHUB_BASE_REF": "", "GITHUB_REF": "refs/heads/main"}
        self.step(event={"before": before}, environment=push)
        self.assertIn("3 of 3 nodes change", self.summary)
        for other in ("0" * 40, "f" * 40, ""):  # A new branch, a forced push, no event of a push: the last commit.
            self.step(event={"before": other}, environment=push)
            self.assertIn("2 of 3 nodes change", self.summary)
        self.assertEqual(self.comments.asked, [])

    def test_without_git(self):
        self.propose({"README.md": "x\n"})
        done = self.step(status=2, environment={"PATH": str(self.without("git"))})
        self.assertEqual([(one[0], "git is not on the PATH" in one[3]) for one in self.annotations(done.stdout)], [("error", True)])

    def test_without_what_the_comment_needs(self):
        self.propose({"data/role/db.yaml": "workers: 9\n"})
        told = self.annotations(self.step(environment={"PATH": str(self.without("jq"))}).stdout)
        self.assertEqual([(one[0], "needs jq and curl" in one[3]) for one in told], [("warning", True)])
        self.assertIn("1 of 3 nodes changes", self.summary)

    def test_a_checkout_of_another_user(self):
        self.propose({"data/role/db.yaml": "workers: 9\n"})
        self.write({"home/.config/git/config": "[protocol \"file\"]\n  allow = always\n"})
        with self.owned_by_another("checkout"):
            self.step()
        self.assertIn("1 of 3 nodes changes", self.summary)

    def test_installs_a_package(self):
        """The package is a real one, with a program of its own; it is unpacked instead of installed, because tests change no machine."""
        self.propose({"README.md": "x\n"})
        self.write({"package/DEBIAN/control": "Package: strata\nVersion: 9.9.9\nArchitecture: all\nMaintainer: n <n@example.com>\nDescription: d\n",
                    "package/bin/strata": f"#!/bin/sh\necho installed >>'{self.folder}/log'\nexec '{os.path.realpath(self.folder / 'bin/strata')}' \"$@\"\n",
                    "bin/apt-get": "#!/bin/sh\nfor file; do :; done\nrm -f \"${0%/*}/strata\"\nexec dpkg-deb --extract \"$file\" \"${0%/*}/..\"\n",
                    "bin/sudo": "#!/bin/sh\nexec \"$@\"\n"})
        for name in ("package/bin/strata", "bin/apt-get", "bin/sudo"):
            os.chmod(self.folder / name, 0o755)
        architecture = self.run_in(".", "dpkg", "--print-architecture").stdout.strip()
        name = f"strata_9.9.9_{architecture}.deb"
        self.run_in(".", "dpkg-deb", "--build", "package", name)
        checksum = self.run_in(".", "sha256sum", name).stdout.split()[0]
        folder = str(self.folder)

        class Releases(http.server.SimpleHTTPRequestHandler):
            def translate_path(self, path):
                return f"{folder}/{name}" if path == f"/o/strata/releases/download/v9.9.9/{name}" else f"{folder}/none"

            def log_message(self, *_):
                """Says nothing."""

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Releases)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            address = f"http://127.0.0.1:{server.server_address[1]}"
            self.action["runs"]["steps"][0]["env"]["STRATA_RELEASES"] = f"{address}/o/strata/releases/download"
            self.step(version="9.9.9", sha256=checksum)
            self.assertIn("installed", (self.folder / "log").read_text(encoding="utf-8"))
            self.step(version=f"../{name}")
            self.step(status=2, version="9.9.9", sha256="0" * 64)
            self.step(status=3, version="9.9.8")
            self.step(status=2, version="../none.deb")
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
