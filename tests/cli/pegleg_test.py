#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Sites of Pegleg: --pegleg-site, wrapped secrets, --allow-missing-sources, the lint rules of `strata check`, and projects.

usage: pegleg_test.py STRATA
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
POLICY = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [global, type, site]}\n"
KEYS = {"PEGLEG_PASSPHRASE": "a passphrase of the site, long enough", "PEGLEG_SALT": "a salt of the site, long enough"}
# `opened`, encrypted with these keys by Pegleg's package, in base64 as Pegleg writes it.
TOKEN = "gAAAAABlU_EAAAAAAAAAAAAAAAAAAAAAALdkRcM1Kx4l22g02BCqaUE94gOue35stTmHkZx1-QocHuFEGlk4W_EdFHyXUNHImA=="


def document(name, layer, data, more="", schema="example/Kind/v1", policy="cleartext"):
    return ("---\nschema: %s\nmetadata: {schema: metadata/Document/v1, name: %s, storagePolicy: %s, layeringDefinition: {layer: %s}%s}\ndata: %s\n" %
            (schema, name, policy, layer, more, json.dumps(data)))


def definition(kind="t", repositories=""):
    return ("---\nschema: pegleg/SiteDefinition/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: lab\n  storagePolicy: cleartext\n"
            "  layeringDefinition: {abstract: false, layer: site}\ndata:\n  site_type: %s\n%s" % (kind, repositories))


def wrapped(name, token):
    return ("---\nschema: pegleg/PeglegManagedDocument/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: deckhand/Passphrase/v1/%s\n"
            "  layeringDefinition: {abstract: false, layer: site}\n  storagePolicy: cleartext\ndata:\n  managedDocument:\n"
            "    schema: deckhand/Passphrase/v1\n    metadata:\n      schema: metadata/Document/v1\n      name: %s\n"
            "      layeringDefinition: {abstract: false, layer: site}\n      storagePolicy: encrypted\n    data: %s\n"
            "  encrypted: {at: '2026-01-01T00:00:00'}\n" % (name, name, token))


class Pegleg(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.place("site/lab/site-definition.yaml", definition())
        self.place("global/policy.yaml", POLICY)
        self.place("type/t/kind.yaml", document("of-type", "type", {"x": 1}))
        self.place("type/u/kind.yaml", document("of-other-type", "type", {"x": 1}))
        self.place("site/lab/secrets/p.yaml", wrapped("p", TOKEN))

    def place(self, name, text):
        path = os.path.join(self.folder.name, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def strata(self, *arguments, status=0, environment=None, cwd="."):
        env = {name: value for name, value in os.environ.items() if not name.startswith("PEGLEG_")}
        done = subprocess.run([STRATA, *arguments], cwd=os.path.join(self.folder.name, cwd), env={**env, **(environment or {})},
                              capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def documents(self, *arguments, **more):
        out = json.loads(self.strata("render", "--output", "json", *arguments, **more).stdout)
        return {one["metadata"]["name"]: one["data"] for one in out}

    def test_a_site_has_its_global_type_and_site_documents(self):
        self.assertEqual(sorted(self.documents("--pegleg-site", "lab")), ["lab", "of-type", "p", "policy"])
        os.mkdir(os.path.join(self.folder.name, "elsewhere"))
        self.assertEqual(sorted(self.documents("--pegleg-site", "lab", "../", cwd="elsewhere")), ["lab", "of-type", "p", "policy"])

    def test_unknown_sites_name_a_similar_one(self):
        told = self.strata("render", "--pegleg-site", "lba", status=1).stderr
        self.assertIn("[deckhand.site]", told)
        self.assertIn("did you mean 'lab'?", told)

    def test_repositories_have_a_folder_or_are_an_error(self):
        self.place("site/lab/site-definition.yaml", definition(repositories="  repositories:\n    more: {url: https://example.com/more, revision: v1}\n"))
        told = self.strata("render", "--pegleg-site", "lab", status=1).stderr
        self.assertIn("[deckhand.repository]", told)
        self.assertIn("-e more=DIR", told)
        self.place("other/global/a.yaml", document("of-more", "global", {"x": 1}))
        for option in (("-e", "more=other"), ("-emore=other/",), ("--extra-repository", "more=" + os.path.join(self.folder.name, "other"))):
            self.assertIn("of-more", self.documents("--pegleg-site", "lab", *option))
        names = [one["metadata"]["name"] for one in json.loads(self.strata(
            "render", "--output", "json", "--pegleg-site", "lab", "-e", "more=other").stdout)]
        self.assertEqual(names, ["policy", "of-type", "lab", "p", "of-more"])

    def test_wrong_arguments(self):
        for arguments in (("--pegleg-site", "lab", "a", "b"), ("--pegleg-site", "lab", "-"), ("-e", "a=b", "global"), ("--pegleg-site", "lab", "-e", "a"),
                          ("--pegleg-site", "lab", "-e", "=a"), ("--pegleg-site", "lab", "-e", "a="), ()):
            self.assertIn("usage.", self.strata("render", *arguments, status=2).stderr + "usage.")

    def test_secrets_stay_encrypted_without_a_passphrase(self):
        shown = self.strata("render", "--pegleg-site", "lab", "--name", "p").stdout
        self.assertNotIn(TOKEN, shown)
        self.assertIn("storagePolicy: encrypted", shown)
        self.assertEqual(self.documents("--pegleg-site", "lab", "--cleartext-secrets")["p"], TOKEN)

    def test_secrets_are_decrypted_and_hidden(self):
        self.assertEqual(self.documents("--pegleg-site", "lab", "--cleartext-secrets", environment=KEYS)["p"], "opened")
        for arguments in ((), ("--blame",), ("--explain",), ("--source-map", "map.json")):
            done = self.strata("render", "--pegleg-site", "lab", *arguments, environment=KEYS)
            self.assertNotIn("opened", done.stdout + done.stderr)

    def test_a_wrong_passphrase_names_the_document_and_tells_nothing(self):
        keys = {**KEYS, "PEGLEG_PASSPHRASE": "another passphrase, as long as it must be"}
        told = self.strata("render", "--pegleg-site", "lab", status=1, environment=keys).stderr
        self.assertIn("site/lab/secrets/p.yaml:16:", told)
        self.assertIn("deckhand/Passphrase/v1 site/p: it cannot be decrypted", told)
        for secret in (TOKEN, *keys.values()):
            self.assertNotIn(secret, told)

    def test_analyses_decrypt_and_hide(self):
        self.place("site/lab/use.yaml", document("use", "site", {}, ", substitutions: [{src: {schema: deckhand/Passphrase/v1, name: p, path: .}, dest: {path: .x}}]"))
        subprocess.run("git init -q && git add -A && git -c user.name=n -c user.email=e@example.com commit -qm all", shell=True, cwd=self.folder.name,
                       check=True, capture_output=True)
        self.place("site/lab/use.yaml", document("use", "site", {}))
        for arguments in (("diff", "render"), ("check", "--exit-zero", "render"), ("coverage", "render")):
            done = self.strata(*arguments, "--pegleg-site", "lab", environment=KEYS, status=1 if arguments[0] == "diff" else 0)
            self.assertNotIn("opened", done.stdout + done.stderr)
        self.assertIn("use/data: ******", self.strata("diff", "render", "--pegleg-site", "lab", environment=KEYS, status=1).stdout)

    def test_no_statement_of_a_wrapper_is_dead(self):
        """The result has the inner document, and a wrapper without `encrypted` could not be opened any more."""
        for environment in (None, KEYS):
            for command in (("check",), ("check", "--fix")):
                done = self.strata(*command, "--exit-zero", "--select", "dead-override,never-visible,dead-item", "render", "--pegleg-site", "lab", environment=environment)
                self.assertNotIn("site/lab/secrets/p.yaml", done.stdout + done.stderr)
        self.assertEqual(self.documents("--pegleg-site", "lab", "--cleartext-secrets", environment=KEYS)["p"], "opened")

    def test_missing_sources(self):
        self.place("site/lab/use.yaml", document("use", "site", {"y": 1}, ", substitutions: [{src: {schema: deckhand/Passphrase/v1, name: q, path: .}, dest: {path: .x}}]"))
        self.assertIn("[deckhand.source]", self.strata("render", "--pegleg-site", "lab", status=1).stderr)
        done = self.strata("render", "--output", "json", "--pegleg-site", "lab", "--allow-missing-sources", "--name", "use")
        self.assertEqual(json.loads(done.stdout)[0]["data"], {"y": 1})
        self.assertIn("[deckhand.missing-source]", done.stderr)

    def rules(self, *arguments, status=1):
        done = self.strata("check", "--output", "json", "--select", "P001,P004,P006,P008,P009,P010,P011", "render", *arguments, status=status)
        return [(one["code"], one["file"], one.get("line")) for one in json.loads(done.stdout)["findings"] if one["code"].startswith("check.")]

    def test_rules(self):
        self.assertEqual(self.rules("--pegleg-site", "lab", status=0), [])
        self.place("site/lab/a.yaml", document("a", "type", {"x": 1})[4:])
        self.place("site/lab/b.yaml", document("b", "site", "secret", schema="deckhand/Passphrase/v1"))
        self.place("site/lab/c.yaml", document("a/B/v1", "site", {}, schema="deckhand/DataSchema/v1"))
        self.place("type/t/c.yaml", document("a/B/v1", "type", {}, schema="deckhand/DataSchema/v1"))
        self.place("site/empty/x.yaml", "")
        self.place("site/odd/site-definition.yaml", definition(kind="[]"))
        found = self.rules("--pegleg-site", "lab")
        self.assertEqual(sorted(found), [
            ("check.P001", "site/lab/b.yaml", 3), ("check.P004", "site/lab/c.yaml", 3), ("check.P006", "site/lab/a.yaml", None),
            ("check.P008", "site/lab/a.yaml", 2), ("check.P009", "site/lab/b.yaml", 2), ("check.P010", "site/empty/site-definition.yaml", None),
            ("check.P011", "site/odd/site-definition.yaml", 9)])
        # Outside of sites only the rules for documents hold.
        self.assertEqual([one[0] for one in self.rules("site/lab/b.yaml", "global", "site/lab/a.yaml")], ["check.P001"])

    def test_rules_where_rendering_fails(self):
        self.place("site/lab/b.yaml", document("b", "site", "secret", schema="deckhand/Passphrase/v1"))
        self.place("site/lab/d.yaml", document("d", "nowhere", {}))
        done = self.strata("check", "render", "--pegleg-site", "lab", status=1)
        for code in ("check.P001", "check.P008", "check.P009", "deckhand.layer"):
            self.assertIn("[%s]" % code, done.stdout)

    def test_projects(self):
        name = os.path.basename(self.folder.name)
        self.assertIn("lab: strata render --pegleg-site=lab .", self.strata("projects").stdout)
        self.place("site/lab/b.yaml", document("b", "site", "secret", schema="deckhand/Passphrase/v1"))
        self.assertIn("[check.P009]", self.strata("check", "@" + name, status=1).stdout)
        # Without an argument, the repository is the folder of the project, wherever the command runs.
        self.place("more/sub/.strata.yaml", "projects: {two: {verb: render, pegleg-site: lab, extra-repository: [g=repository]}}\n")
        self.place("more/sub/site/lab/site-definition.yaml", definition())
        self.place("more/sub/site/lab/b.yaml", document("b", "site", "secret", schema="deckhand/Passphrase/v1"))
        self.place("more/sub/repository/global/policy.yaml", POLICY)
        for folder in ("more", "more/sub"):
            told = self.strata("check", "@two", status=1, cwd=folder).stdout
            self.assertIn("[check.P009]", told)
            self.assertNotIn("[deckhand.", told)

    def test_missing_parents_name_the_near_label(self):
        self.place("type/t/kind.yaml", document("of-type", "type", {"x": 1}, ", labels: {role: edge}"))
        self.place("site/lab/child.yaml", document("c", "site", {}).replace(
            "{layer: site}", "{layer: site, parentSelector: {role: egde}, actions: [{method: merge, path: .}]}"))
        told = self.strata("render", "--pegleg-site", "lab").stderr
        self.assertIn("type/t/kind.yaml:3:", told)
        self.assertIn("note: example/Kind/v1 type/of-type is near: its label 'role' is 'edge', not 'egde'", told)


if __name__ == "__main__":
    unittest.main()
