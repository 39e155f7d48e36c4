# SPDX-License-Identifier: Apache-2.0
"""strata.yml as a runner of GitLab runs it: its script with the variables of a pipeline, what it leaves as artifacts, and what it comments."""
import json
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import FLEET, HANGS, Comments, FolderTest, read_yaml  # noqa: E402

# What GitLab takes in a job (of what this one could need).
MEMBERS = {"image", "rules", "variables", "script", "artifacts", "stage", "needs", "before_script", "after_script", "tags", "allow_failure"}
NOTES = "/projects/5/merge_requests/7/notes"


class Job(FolderTest):
    def setUp(self):
        super().setUp()
        config = read_yaml(HERE / "strata.yml")
        self.assertEqual(list(config), ["strata"])
        self.job = config["strata"]
        self.notes = Comments(NOTES, NOTES)
        self.addCleanup(self.notes.close)
        (self.folder / "work").mkdir()
        self.git("work", "init", "--quiet")
        self.base = self.commit("work", FLEET)

    def script(self):
        return "set -eo pipefail\n" + "\n".join(self.job["script"]) + "\n"

    def run_job(self, status=0, shell="bash", **more):
        variables = {"CI": "true", "GITLAB_CI": "true", "CI_API_V4_URL": self.notes.address, "CI_PROJECT_ID": "5", "CI_MERGE_REQUEST_IID": "7",
                     "CI_MERGE_REQUEST_DIFF_BASE_SHA": self.base, "CI_COMMIT_BEFORE_SHA": "0" * 40, "STRATA_PROJECT": "@fleet", "STRATA_TOKEN": "TOKEN",
                     **more,
                     # Those of a job win over those of the pipeline's file.
                     **{name: str(value) for name, value in self.job["variables"].items()}}
        script = self.script() if shell == "bash" else self.script().replace("set -eo pipefail", "set -e")
        done = self.run_in("work", shell, "-c", script, environment=variables, status=status)
        report = self.folder / "work" / self.job["artifacts"]["reports"]["junit"]
        self.cases = list(xml.etree.ElementTree.parse(report).getroot().iter("failure")) if report.is_file() and report.stat().st_size else None
        return done

    def test_members(self):
        self.assertLessEqual(set(self.job), MEMBERS)
        self.assertTrue(all(isinstance(line, str) for line in self.job["script"]))
        self.assertEqual(self.job["artifacts"]["when"], "always")
        # What the top of the file tells of variables is what the script reads.
        told = re.findall(r"(?m)^# +(STRATA_[A-Z_]+) ", (HERE / "strata.yml").read_text(encoding="utf-8"))
        self.assertEqual(set(told), set(re.findall(r"STRATA_[A-Z_]+", json.dumps([self.job["script"], self.job["image"]]))))

    def test_script(self):
        done = subprocess.run(["shellcheck", "--shell=sh", "--exclude=SC2153,SC3040", "-"], input=self.script(), capture_output=True, text=True, timeout=HANGS,
                              check=False)
        self.assertEqual(done.stdout + done.stderr, "")

    def test_a_merge_request(self):
        self.commit("work", {"data/role/web.yaml": "workers: 4\nport: 80\n", "data/common.yaml": "port: 80\nservers: [one, three]\n"})
        for shell in ("bash", "dash"):
            done = self.run_job(status=1, shell=shell)
            self.assertTrue(any("'port' changes nothing" in case.get("message") for case in self.cases))
            self.assertIn("3 of 3 nodes change", done.stdout)
            self.assertEqual(self.notes.texts(), ["<!-- strata impact @fleet -->\n" + (self.folder / "work/strata.md").read_text(encoding="utf-8")])
        self.assertTrue(all(headers["PRIVATE-TOKEN"] == "TOKEN" for _, _, headers in self.notes.asked))
        # Nothing is left to tell: the comment says so.
        self.commit("work", {"data/role/web.yaml": FLEET["data/role/web.yaml"], "data/common.yaml": FLEET["data/common.yaml"]})
        self.run_job()
        self.assertEqual(len(self.notes.comments), 1)
        self.assertNotIn("data/common.yaml", self.notes.texts()[0])

    def test_nothing_changes(self):
        self.commit("work", {"README.md": "x\n"})
        self.run_job()
        self.assertEqual((self.notes.comments, self.cases), ([], []))

    def test_many_notes(self):
        self.commit("work", {"data/role/db.yaml": "workers: 9\n"})
        self.notes.comments = [{"id": number, "body": "looks good"} for number in range(120)]
        self.run_job()
        self.run_job()
        self.assertEqual(len(self.notes.comments), 121)
        self.assertIn("1 of 3 nodes changes", self.notes.texts()[120])

    def test_without_a_token_that_may(self):
        self.commit("work", {"data/role/db.yaml": "workers: 9\n"})
        self.run_job(STRATA_TOKEN="")
        self.assertEqual(self.notes.asked, [])
        self.notes.refuses = 403
        self.assertIn("the comment was not written", self.run_job().stderr)

    def test_a_baseline(self):
        self.commit("work", {"data/role/web.yaml": "workers: 4\nport: 80\n"})
        self.strata("work", "check", "--write-baseline", ".strata-baseline.json", "@fleet")
        self.run_job()
        self.assertEqual(self.cases, [])
        (self.folder / "work/.strata-baseline.json").rename(self.folder / "work/known.json")
        self.run_job(status=1)
        self.run_job(STRATA_BASELINE="known.json")
        self.assertEqual(self.cases, [])

    def test_strict(self):
        self.commit("work", {"data/more.yaml": "motd: hello\nmotd: hello\n"})
        for strict in ("false", "true"):
            self.run_job(status=1, STRATA_STRICT=strict)
            self.assertTrue(any("duplicate key" in case.get("message") for case in self.cases))

    def test_an_image_without_git(self):
        self.commit("work", {"README.md": "x\n"})
        done = self.run_job(status=2, PATH=str(self.without("git")))
        self.assertIn("the image of the job has no git", done.stderr)

    def test_a_checkout_of_another_user(self):
        self.commit("work", {"data/role/db.yaml": "workers: 9\n"})
        with self.owned_by_another("work"):
            self.assertIn("1 of 3 nodes changes", self.run_job().stdout)

    def test_what_is_broken(self):
        self.commit("work", {"hiera.yaml": "version: 5\nhierarchy: [{name: x, paths: 1}]\n"})
        self.run_job(status=1)
        self.assertEqual(len(self.cases), 1)
        self.commit("work", {"nodes.json": "[\n"})
        self.assertIn("nodes.json: error: ", self.run_job(status=3).stderr)
        self.assertIn("STRATA_PROJECT is 'fleet'", self.run_job(status=2, STRATA_PROJECT="fleet").stderr)
        self.commit("work", {name: FLEET[name] for name in ("hiera.yaml", "nodes.json")})
        self.run_job(status=3, STRATA_FROM="no-such-revision")

    def test_a_push(self):
        self.commit("work", {"data/role/db.yaml": "workers: 9\n"})
        self.commit("work", {"data/role/web.yaml": "workers: 5\n"})
        push = {"CI_MERGE_REQUEST_IID": "", "CI_MERGE_REQUEST_DIFF_BASE_SHA": ""}
        self.assertIn("3 of 3 nodes change", self.run_job(CI_COMMIT_BEFORE_SHA=self.base, **push).stdout)
        self.assertIn("2 of 3 nodes change", self.run_job(**push).stdout)
        self.assertEqual(self.notes.asked, [])


class Readme(testing.PageTest):
    page = HERE / "README.md"


if __name__ == "__main__":
    unittest.main()
