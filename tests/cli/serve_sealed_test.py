#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Files of uploads and facts of nodes are sealed in the store: what somebody finds who has the database, but not the key.

usage: serve_sealed_test.py STRATA
"""
import glob
import os
import subprocess
import sys
import unittest

import postgres
from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
WORD = "hunter2-of-the-test"
FILES = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": f"db::password: {WORD}\nplain: open-of-the-test\n",
         ".strata.yaml": "projects: {p: {verb: lookup, hiera-config: hiera.yaml}}\n"}
PLAIN = {**FILES, "data/c.yaml": "plain: open-of-the-test\n"}
MARKED = {"dialect": "hiera", "options": {"secret-keys": ["password$"]}}
SECRETS = ("--anonymous-roles", "admin", "--anonymous-roles", "secret-reader")


class Sealed(SiteTest):
    strata = STRATA

    def store(self, *words, status=0):
        run = subprocess.run([STRATA, "store", *words], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, status, run.stderr + run.stdout)
        return run.stdout

    def key(self, name):
        subprocess.run([STRATA, "key", "generate", name], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)
        return f"file:{self.path(name)}"

    def holds(self, text):
        """Whether a file of the store has a text. Short ones are not compressed."""
        for name in glob.glob(self.path("store.db*")):
            with open(name, "rb") as file:
                if text.encode() in file.read():
                    return True
        return False

    def upload(self, service, files, status=201, site=None):
        if site:
            self.ask(service, "PUT", f"{API}/up", site, status=201)
        return self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=status)

    def shown(self, service):
        return self.ask(service, "GET", f"{API}/up/files/data/c.yaml?secrets=clear")

    def test_everything_is_sealed_where_there_is_a_key(self):
        old, new = self.key("old.key"), self.key("new.key")
        address = f"sqlite:{self.path('store.db')}"
        with Service(STRATA, *SECRETS, "--key", old, folder=self.folder) as service:
            self.upload(service, PLAIN, site={"dialect": "hiera"})
            self.upload(service, PLAIN, status=200)  # Nothing changed.
            self.ask(service, "PUT", f"{API}/up/nodes/web", {"facts": {"role": "fact-of-the-test"}}, status=201)
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "more.txt", "text": "more-of-the-test"}]}, status=200)
            self.assertEqual(self.shown(service), PLAIN["data/c.yaml"])
            for text in ("open-of-the-test", "fact-of-the-test", "more-of-the-test"):
                self.assertFalse(self.holds(text), text)
        self.assertFalse(self.holds("of-the-test"))
        self.assertIn("needs the key", self.store("check", "--store", address, status=1))
        self.store("rekey", "--store", address, "--from", old, "--to", new)
        self.assertEqual(self.store("check", "--store", address, "--key", new), "the store is sound\n")
        self.store("export", "--store", address, "--key", new, "one")
        self.store("import", "--store", f"sqlite:{self.path('two.db')}", "one")
        with Service(STRATA, *SECRETS, "--key", new, "--store", f"sqlite:{self.path('two.db')}", folder=self.folder) as service:
            self.assertEqual(self.shown(service), PLAIN["data/c.yaml"])
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files/more.txt"), "more-of-the-test")
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/web")["facts"], ["role"])
        # Without the key it is told what is missing; a node can still be removed.
        with Service(STRATA, *SECRETS, "--key", old, "--store", f"sqlite:{self.path('two.db')}", folder=self.folder) as service:
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files", status=503)["code"], "store.no-key")

    def test_without_a_key_a_file_of_sqlite_gets_one_for_the_first_secret(self):
        with Service(STRATA, *SECRETS, folder=self.folder) as service:
            self.upload(service, PLAIN, site=MARKED)
            self.assertFalse(os.path.exists(self.path("store.db.key")))
            self.assertTrue(self.holds("open-of-the-test"))
            self.upload(service, FILES)
            self.assertTrue(os.path.exists(self.path("store.db.key")))
            self.assertFalse(self.holds(WORD))
            self.assertEqual(self.shown(service), FILES["data/c.yaml"])
            # What was there before is read as it is, and sealed when it is sent again.
            earlier = self.ask(service, "GET", f"{API}/up/files/data/c.yaml?generation=1&secrets=clear")
            self.assertEqual(earlier, PLAIN["data/c.yaml"])
        self.assertEqual(self.store("check", "--store", f"sqlite:{self.path('store.db')}"), "the store is sound\n")
        self.assertFalse(self.holds(WORD))

    def test_no_second_key_is_made_beside_sealed_values(self):
        missing = lambda lines: [line for line in lines if line["event"] == "key-missing"]
        with Service(STRATA, *SECRETS, folder=self.folder) as service:
            self.upload(service, FILES, site=MARKED)
            self.assertEqual(missing(service.log()), [])
        look = lambda *words: subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{self.path('store.db')}", *words], capture_output=True, text=True, timeout=HANGS, check=True).stdout
        self.assertNotIn("sealed:", look())
        new = self.key("new.key")
        edit = {"changes": [{"path": "data/c.yaml", "text": FILES["data/c.yaml"] + "more: 1\n"}]}
        # The file is gone: what is sealed cannot be read, and nothing is sealed under another key.
        os.rename(self.path("store.db.key"), self.path("kept"))
        with Service(STRATA, *SECRETS, folder=self.folder) as service:
            self.assertEqual(self.upload(service, FILES, status=503)["code"], "store.no-key")
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/nodes/web", {"facts": {"password": WORD}}, status=503)["code"], "store.no-key")
            self.assertTrue(missing(service.log(until=missing)))
        self.assertFalse(os.path.exists(self.path("store.db.key")))
        self.assertRegex(look(), r"sealed: \d+ values need the key [0-9a-f]{16}, which is not there")
        os.rename(self.path("kept"), self.path("store.db.key"))
        # The file is of before: a rekey put all under another one.
        self.store("rekey", "--store", f"sqlite:{self.path('store.db')}", "--to", new)
        with Service(STRATA, *SECRETS, folder=self.folder) as service:
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/nodes/web", {"facts": {"password": WORD}}, status=503)["code"], "store.no-key")
            self.assertTrue(missing(service.log(until=missing)))
        with Service(STRATA, *SECRETS, "--key", new, folder=self.folder) as service:
            self.ask(service, "PATCH", f"{API}/up/tree", edit, status=200)
            self.ask(service, "PUT", f"{API}/up/nodes/web", {"facts": {"password": WORD}}, status=201)
        self.assertNotIn("sealed:", look("--key", new))

    def test_an_edit_that_brings_the_secret_and_facts_make_the_key_too(self):
        for number, change in enumerate((("PATCH", "tree", {"changes": [{"path": "data/c.yaml", "text": FILES["data/c.yaml"]}]}, 200),
                                         ("PUT", "nodes/web", {"facts": {"root_password": WORD}}, 201))):
            folder = self.path(str(number))
            os.mkdir(folder)
            with Service(STRATA, *SECRETS, folder=folder) as service:
                self.upload(service, PLAIN, site=MARKED)
                self.ask(service, change[0], f"{API}/up/{change[1]}", change[2], status=change[3])
                self.assertTrue(os.path.exists(os.path.join(folder, "store.db.key")), change)
                for name in glob.glob(os.path.join(folder, "store.db*")):
                    with open(name, "rb") as file:
                        self.assertNotIn(WORD.encode(), file.read(), name)

    def test_postgresql_without_a_key_refuses_them(self):
        server = postgres.Server()
        self.addCleanup(server.stop)
        place = server.new_database()
        with Service(STRATA, *SECRETS, "--store", place, folder=self.folder) as service:
            self.upload(service, PLAIN, site=MARKED)
            self.assertEqual(self.upload(service, FILES, status=503)["code"], "store.no-key")
            self.assertEqual(self.ask(service, "PUT", f"{API}/up/nodes/web", {"facts": {"password": WORD}}, status=503)["code"], "store.no-key")
        with Service(STRATA, *SECRETS, "--store", place, "--key", self.key("key"), folder=self.folder) as service:
            self.upload(service, FILES)
            self.assertEqual(self.shown(service), FILES["data/c.yaml"])
        self.assertEqual(self.store("check", "--store", place, "--key", f"file:{self.path('key')}"), "the store is sound\n")


if __name__ == "__main__":
    unittest.main()
