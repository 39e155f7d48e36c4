#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata store` and `strata key`, as people run them, on SQLite and PostgreSQL.

usage: store_test.py STRATA
"""
import base64
import fcntl
import json
import os
import sqlite3
import stat
import subprocess
import sys
import tempfile
import unittest

import postgres

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = os.path.realpath(made.name)

    def run_strata(self, *words, status=0, data=None, **variables):
        environment = {name: value for name, value in os.environ.items() if name not in ("XDG_DATA_HOME", "HOME")}
        done = subprocess.run([STRATA, *words], cwd=self.folder, input=data, capture_output=True, timeout=HANGS, check=False,
                              env={**environment, **variables})
        self.assertEqual(done.returncode, status, f"{words}: {done.stdout.decode(errors='replace')}{done.stderr.decode(errors='replace')}")
        self.errors = done.stderr.decode()
        return done.stdout

    def strata(self, *words, **more):
        return self.run_strata(*words, **more).decode()

    def path(self, name):
        return os.path.join(self.folder, name)

    def edit(self, name, *statements):
        """Changes a store behind strata's back."""
        with sqlite3.connect(self.path(name)) as database:
            for statement in statements:
                database.execute(statement)
        database.close()


class OfSqlite(Folder):
    def test_a_store_is_made_once(self):
        self.assertEqual(self.strata("store", "migrate", "--store", "sqlite:a.db"), "made a store with tables of version 3\n")
        self.assertEqual(self.strata("store", "migrate", "--store", "sqlite:a.db"), "the tables have version 3 already\n")
        self.assertEqual(self.strata("store", "migrate", "--quiet", "--store", "sqlite:a.db"), "")
        self.assertEqual(self.strata("store", "check", "--store", "sqlite:a.db"), "the store is sound\n")

    def test_the_audit_has_what_commands_do(self):
        place = ["--store", "sqlite:a.db"]
        self.strata("token", "create", "--role", "reader", "--id", "ci", *place)
        self.strata("token", "revoke", "ci", *place)
        self.strata("key", "generate", "k")
        self.strata("store", "rekey", "--to", "file:k", *place)
        self.strata("store", "prune", "--keep-revisions", "3", *place)
        self.strata("store", "export", *place, "e")
        self.strata("store", "import", "--store", "sqlite:b.db", "e")
        rows = {}
        for name in ("a.db", "b.db"):
            with sqlite3.connect(self.path(name)) as database:
                rows[name] = list(database.execute("SELECT action, target FROM audit WHERE who = 'command line' AND outcome = 'done' ORDER BY id"))
            database.close()
        done = [("token create", "strata_ci"), ("token revoke", "strata_ci"), ("store rekey", "0 sealed values"), ("store prune", "0 revisions")]
        self.assertEqual(rows, {"a.db": done, "b.db": [*done, ("store import", "the whole store")]})

    def test_only_what_makes_a_store_makes_one(self):
        for words in (["check"], ["export", "x"], ["prune", "--keep-revisions", "1"], ["rekey", "--to", "file:k"]):
            self.strata("key", "generate", f"{words[0]}.key")
            words = [word.replace("file:k", f"file:{words[0]}.key") for word in words]
            self.strata("store", *words, "--store", "sqlite:none.db", status=1)
            self.assertIn("[store.missing]", self.errors)
        self.assertEqual([name for name in os.listdir(self.folder) if not name.endswith(".key")], [])

    def test_what_the_addresses_are(self):
        self.strata("store", "check", "--store", "mysql://u:secret@h/d", status=1)
        self.assertIn("[store.url]", self.errors)
        self.assertNotIn("secret", self.errors)
        self.strata("store", "check", status=1)
        self.assertIn("[store.url]", self.errors)
        self.assertIn("--store", self.errors)
        self.strata("store", "migrate", XDG_DATA_HOME=self.path("data"))
        self.assertTrue(os.path.exists(self.path("data/strata/strata.db")))
        # A path that is relative does not count.
        self.strata("store", "migrate", XDG_DATA_HOME="data", HOME=self.path("home"))
        self.assertTrue(os.path.exists(self.path("home/.local/share/strata/strata.db")))

    def test_another_process_uses_it(self):
        self.strata("store", "migrate", "--store", "sqlite:a.db")
        with open(self.path("a.db.lock"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.strata("store", "check", "--store", "sqlite:a.db", status=1)
        self.assertIn("[store.in-use]", self.errors)

    def test_damage_is_listed(self):
        self.strata("token", "create", "--role", "reader", "--store", "sqlite:a.db")
        self.edit("a.db", "INSERT INTO project (name, last_revision) VALUES ('p', 3)", "INSERT INTO blob (hash, bytes, size) VALUES (x'00', x'61', 1)")
        self.assertEqual(sorted(self.strata("store", "check", "--store", "sqlite:a.db", status=1).splitlines()),
                         ["the last revision of the project p is not the one that it counts", "the text 00 is not the one that was stored"])
        found = json.loads(self.strata("store", "check", "--output", "json", "--store", "sqlite:a.db", status=1))
        self.assertEqual(found["format"], "strata-store-check/1")
        self.assertEqual(len(found["problems"]), 2)

    def test_a_file_that_is_no_store(self):
        with open(self.path("a.db"), "w", encoding="utf-8") as file:
            file.write("no database " * 100)
        self.strata("store", "check", "--store", "sqlite:a.db", status=1)
        self.assertIn("[store.", self.errors)
        self.edit("b.db", "CREATE TABLE of_others (a)")
        self.strata("store", "migrate", "--store", "sqlite:b.db", status=1)
        self.assertIn("[store.foreign]", self.errors)

    def test_exports_are_whole(self):
        self.strata("token", "create", "--role", "reader", "--store", "sqlite:a.db")
        self.strata("store", "export", "--store", "sqlite:a.db", "one")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("one")).st_mode), 0o600)
        with open(self.path("one"), "rb") as file:
            exported = file.read()
        self.assertEqual(self.run_strata("store", "export", "--store", "sqlite:a.db", "-"), exported)
        self.strata("store", "import", "--store", "sqlite:b.db", "one")
        self.assertEqual(self.run_strata("store", "export", "--store", "sqlite:b.db", "-"), exported)
        self.run_strata("store", "import", "--store", "sqlite:c.db", "-", data=exported)
        self.assertEqual(self.run_strata("store", "export", "--store", "sqlite:c.db", "-"), exported)
        self.strata("store", "import", "--store", "sqlite:b.db", "one", status=1)
        self.assertIn("[store.not-empty]", self.errors)
        for number, wrong in enumerate((exported[:-1], exported[: len(exported) // 2], b"", b"text", exported + b"x")):
            self.run_strata("store", "import", "--store", f"sqlite:wrong{number}.db", "-", data=wrong, status=1)
            self.assertIn("[store.export]", self.errors)
            self.assertEqual(self.strata("token", "list", "--store", f"sqlite:wrong{number}.db"), "")
        self.strata("store", "import", "--store", "sqlite:d.db", "nothing", status=1)
        self.assertIn("[host.missing]", self.errors)
        self.strata("store", "export", "--store", "sqlite:a.db", "no/folder", status=1)
        self.assertIn("[output.export]", self.errors)

    def test_keys(self):
        printed = self.strata("key", "generate")
        self.assertEqual(len(base64.b64decode(printed)), 32)
        self.assertNotEqual(self.strata("key", "generate"), printed)
        self.strata("key", "generate", "k")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("k")).st_mode), 0o600)
        with open(self.path("k"), encoding="utf-8") as file:
            before = file.read()
        self.strata("key", "generate", "k", status=1)
        self.assertIn("[output.key]", self.errors)
        with open(self.path("k"), encoding="utf-8") as file:
            self.assertEqual(file.read(), before)
        self.strata("store", "migrate", "--store", "sqlite:a.db")
        self.assertEqual(self.strata("store", "check", "--store", "sqlite:a.db", "--key", "file:k"), "the store is sound\n")
        self.assertEqual(self.strata("store", "check", "--store", "sqlite:a.db", "--key", "env:K", K=before), "the store is sound\n")
        os.chmod(self.path("k"), 0o640)
        self.strata("store", "check", "--store", "sqlite:a.db", "--key", "file:k", status=1)
        self.assertIn("[service.key-readable]", self.errors)
        self.strata("store", "check", "--store", "sqlite:a.db", "--key", "env:NONE", status=1)
        self.assertIn("[store.key]", self.errors)
        self.strata("store", "rekey", "--store", "sqlite:a.db", "--to", "env:K", K="short", status=1)
        self.assertNotIn("short", self.errors)

    def test_numbers(self):
        self.strata("store", "migrate", "--store", "sqlite:a.db")
        self.assertEqual(self.strata("store", "prune", "--store", "sqlite:a.db", "--keep-revisions", "1"), "removed 0 revisions, 0 documents, 0 texts\n")
        for wrong in ("0", "-1", "many", "1x", "", "99999999999999999999"):
            self.strata("store", "prune", "--store", "sqlite:a.db", f"--keep-revisions={wrong}", status=2)
        self.strata("store", "prune", "--store", "sqlite:a.db", status=2)

    def test_texts_that_nobody_needs_are_pruned(self):
        self.strata("store", "migrate", "--store", "sqlite:a.db")
        self.edit("a.db", "INSERT INTO blob (hash, bytes, size) VALUES (x'00', x'61', 1)")
        self.assertEqual(self.strata("store", "prune", "--store", "sqlite:a.db", "--keep-revisions", "5"), "removed 0 revisions, 0 documents, 1 text\n")
        self.assertEqual(self.strata("store", "check", "--store", "sqlite:a.db"), "the store is sound\n")


class OfPostgres(Folder):
    @classmethod
    def setUpClass(cls):
        cls.server = postgres.Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def test_from_one_to_the_other_and_back(self):
        self.strata("token", "create", "--role", "reader", "--project", "p", "--store", "sqlite:a.db")
        self.strata("store", "export", "--store", "sqlite:a.db", "one")
        place = self.server.new_database()
        self.strata("store", "check", "--store", place, status=1)
        self.assertIn("[store.missing]", self.errors)
        self.strata("store", "import", "--store", place, "one")
        self.assertEqual(self.strata("store", "check", "--store", place), "the store is sound\n")
        self.strata("store", "export", "--store", place, "two")
        with open(self.path("one"), "rb") as one, open(self.path("two"), "rb") as two:
            self.assertEqual(one.read(), two.read())
        self.strata("store", "import", "--store", "sqlite:b.db", "two")
        self.assertEqual(self.strata("token", "list", "--store", "sqlite:b.db"), self.strata("token", "list", "--store", place))

    def test_several_commands_share_it(self):
        place = self.server.new_database()
        self.assertEqual(self.strata("store", "migrate", "--store", place), "made a store with tables of version 3\n")
        running = [subprocess.Popen([STRATA, "token", "create", "--role", "reader", "--id", f"t{number}", "--store", place], stdout=subprocess.PIPE)
                   for number in range(6)]
        for one in running:
            one.communicate(timeout=HANGS)
            self.assertEqual(one.returncode, 0)
        self.assertEqual(len(self.strata("token", "list", "--store", place).splitlines()), 6)
        self.strata("store", "prune", "--store", place, "--keep-revisions", "2")

    def test_a_password_is_not_told(self):
        for address in ("postgresql://strata:hidden@/t?host=/nowhere", "postgresql://strata@h/t?password=hidden", "postgresql://strata@h/t?p%61ssword=hidden",
                        "postgresql://strata@h/t?sslpassword=hidden", "postgresql://strata:hidden%zz@h/t", "postgresql://strata:hidden@[h/t",
                        "postgres:strata?password=hidden", "host=h password=hidden"):
            self.strata("store", "check", "--store", address, status=1)
            self.assertIn("[store.url]", self.errors)
            self.assertNotIn("hidden", self.errors)


if __name__ == "__main__":
    unittest.main()
