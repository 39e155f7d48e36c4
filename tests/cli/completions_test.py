#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Completions: what `strata complete` offers, and that bash, zsh and fish offer it.

usage: completions_test.py STRATA

With STRATA_ALL_TOOLS=1, a test whose shell is missing fails instead of being skipped.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

from manual_test import HANGS, STRATA, tool

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HIERA = ["lookup", "--codedir", "examples/hiera"]


# A loaded machine may take longer than a user at a keyboard waits.
os.environ["STRATA_COMPLETION_MILLISECONDS"] = str(HANGS * 1000)


def offered(*words, folder=ROOT, **more):
    """The candidates for the last argument, with their descriptions."""
    done = subprocess.run([STRATA, "complete", "--", *words], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=True, **more)
    assert done.stderr == "", done.stderr
    return dict((line.split("\t") + [""])[:2] for line in done.stdout.splitlines())


class Offered(unittest.TestCase):
    def has(self, wanted, *words, folder=ROOT):
        found = set(offered(*words, folder=folder))
        self.assertLessEqual(set(wanted), found, words)
        return found

    def test_commands(self):
        self.assertEqual(set(offered("lo")), {"lookup", "log"})
        self.assertIn("Hiera 5", offered("lo")["lookup"])
        self.assertEqual(set(offered("bindings", "")), {"check", "explain"})
        everything = offered("")
        self.assertIn("merge", everything)
        self.assertNotIn("complete", everything)
        self.assertEqual(set(offered("--v")), {"--version"})
        self.assertEqual(offered("nonsense", ""), {})

    def test_options(self):
        found = offered("lookup", "--knock")
        self.assertEqual(set(found), {"--knock-out-prefix"})
        self.assertIn("prefix", found["--knock-out-prefix"])
        self.assertEqual(offered("lookup", "--codedir", "x", "--coded"), {}, "an option is offered once")
        self.assertEqual(set(offered("compose", "-e", "a.yaml", "--environment-d")), {"--environment-directory"})
        self.assertEqual(offered("lookup", "--", "--code"), {}, "behind -- there are no options")

    def test_fixed_values(self):
        self.assertEqual(set(offered("lookup", "--output", "")), {"yaml", "json", "jsonl"})
        self.assertEqual(set(offered("lookup", "--output=j")), {"--output=json", "--output=jsonl"})
        self.assertEqual(set(offered("lookup", "--merge", "")), {"first", "unique", "hash", "deep"})
        self.assertEqual(set(offered("lookup", "--limit", "mem")), {"memory="})
        self.assertEqual(set(offered("completions", "")), {"bash", "zsh", "fish"})
        self.assertIn("dead-override", offered("check", "--select", "dead"))
        self.assertIn("dead-item,dead-override", offered("check", "--select", "dead-item,dead"))

    def test_pages_of_the_manual(self):
        self.assertEqual(set(offered("manual", "lo")), {"lookup", "log"})
        self.assertEqual(offered("manual", "lookup"), offered("lookup"))
        self.assertEqual(set(offered("manual", "strata-lo")), {"strata-lookup.1", "strata-log.1"})
        self.has(["merge", "bindings", "strata.1", "strata-errors.7"], "manual", "")
        self.assertEqual(set(offered("manual", "bindings", "")), {"check", "explain"})
        self.assertEqual(offered("manual", "lookup", ""), {})
        self.assertEqual(offered("manual", "bindings", "check", ""), {})

    def test_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a file.yaml", "other.yaml", ".hidden"):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write("")
            os.mkdir(os.path.join(folder, "folder"))
            with open(os.path.join(folder, "bad\nname"), "w", encoding="utf-8") as file:
                file.write("")
            self.assertEqual(set(offered("merge", "", folder=folder)), {"a file.yaml", "other.yaml", "folder/"})
            self.assertEqual(set(offered("lookup", "--codedir", "", folder=folder)), {"folder/"})
            self.assertEqual(set(offered("merge", ".", folder=folder)), {".hidden"})
            self.assertEqual(set(offered("merge", "--merger", "x=o", folder=folder)), {"x=other.yaml"})
            home = {**os.environ, "HOME": folder}
            self.assertEqual(set(offered("merge", "~/o", folder="/", env=home)), {"~/other.yaml"})

    def test_keys_nodes_and_environments_of_a_project(self):
        self.has(["accounts::users", "profile::web::workers"], *HIERA, "")
        self.assertEqual(self.has(["accounts::users"], *HIERA, "--facts", "examples/hiera/nodes/db01.yaml", "accounts::u"), {"accounts::users"})
        self.has(["db01", "web01"], *HIERA, "--node", "")
        self.assertEqual(self.has(["production"], *HIERA, "--environment", ""), set(os.listdir(f"{ROOT}/examples/hiera/environments")))
        self.has(["web1.example.com"], "inventory", "--nodes-dir", "examples/reclass/nodes", "--classes-dir", "examples/reclass/classes", "")
        self.has(["web01.example.com"], "enc", "--confdir", "examples/bindings", "")

    def test_names_of_bindings(self):
        site = ["inject", "--confdir", "examples/bindings"]
        node = ["--facts", "examples/bindings/facts/web01.example.com.yaml"]
        self.has(["accounts::users", "motd::color"], *site, "")
        self.assertEqual(set(offered(*site, *node, "motd::c")), {"motd::color"})
        self.has(["accounts::users"], *site, *node, "Hash[Data]", "")
        self.has(["accounts::users"], "bindings", "explain", *site[1:], "acc")
        self.has(["first port"], "inject", "--confdir", "examples/extensions-lua", "")

    def test_selectors_of_set(self):
        site = f"{ROOT}/examples/hiera"
        self.has(["db01", "web01", "role=db", "role=web"], "set", "--for", "", folder=site)
        self.assertTrue(all(word.startswith("role=") for word in offered("set", "a=1", "--for", "role=", folder=site)))
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(f"{folder}/machines")
            with open(f"{folder}/machines/n1.yaml", "w", encoding="utf-8") as file:
                file.write("os: {family: Debian}\nlist: [1]\nodd: 'a,b'\n")
            with open(f"{folder}/hiera.yaml", "w", encoding="utf-8") as file:
                file.write("version: 5\n")
            with open(f"{folder}/.strata.yaml", "w", encoding="utf-8") as file:
                file.write("projects:\n  one: {verb: lookup, hiera-config: hiera.yaml, nodes: machines}\n"
                           "  two: {verb: merge, fleet: [{name: m1, args: [a.yaml]}]}\n")
            self.assertEqual(set(offered("set", "--for", "", folder=folder)), {"n1", "os.family=Debian", "m1"})

    def test_questions_of_analyses(self):
        verbs = offered("impact", "--from", "HEAD", "")
        self.assertIn("lookup", verbs)
        self.assertNotIn("check", verbs)
        self.assertEqual({name for name in offered("set", "k=1", "") if not name.startswith("@")}, {"merge", "lookup", "compose"})
        self.has(["accounts::users"], "impact", "--from", "HEAD", *HIERA, "acc")
        self.assertNotIn("--output", offered("impact", "lookup", "--"), "an option that analyses have themselves")
        self.assertIn("--output", offered("impact", "--"))
        self.assertIn("lookup", offered("set", "a=1", "lo"))
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(f"{ROOT}/examples", f"{folder}/examples")
            with open(f"{folder}/.strata.yaml", "w", encoding="utf-8") as file:
                file.write("projects:\n  fleet: {verb: lookup, codedir: examples/hiera}\n")
            self.has(["@fleet"], "impact", "@", folder=folder)
            self.has(["--facts"], "impact", "@fleet", "--f", folder=folder)
            self.has(["accounts::users"], "impact", "@fleet", "acc", folder=folder)

    def test_revisions(self):
        with tempfile.TemporaryDirectory() as folder:
            git = ["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main"]
            for words in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"], ["branch", "topic/one"], ["tag", "v1.0"]):
                subprocess.run([*git, *words], cwd=folder, check=True, capture_output=True, timeout=HANGS)
            self.assertEqual(self.has(["HEAD", "main", "topic/one", "v1.0"], "diff", "--from", "", folder=folder),
                             {"HEAD", "main", "topic/one", "v1.0"})
            self.assertEqual(set(offered("lookup", "--at=to", folder=folder)), {"--at=topic/one"})

    def test_what_is_broken_offers_nothing_and_says_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/hiera.yaml", "w", encoding="utf-8") as file:
                file.write("version: 5\nhierarchy: [{name: x, path: '%{'}\n")
            self.assertEqual(offered("lookup", "--hiera-config", "hiera.yaml", "", folder=folder), {})
            with open(f"{folder}/.strata.yaml", "w", encoding="utf-8") as file:
                file.write("a: [")
            self.assertEqual(offered("impact", "@", folder=folder), {})

    def test_what_was_read_in_time_is_offered(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/hiera.yaml", "w", encoding="utf-8") as file:
                file.write("version: 5\nhierarchy: [{name: slow, path: pipe.yaml}, {name: common, path: common.yaml}]\ndefaults: {datadir: '.', data_hash: yaml_data}\n")
            with open(f"{folder}/common.yaml", "w", encoding="utf-8") as file:
                file.write("early: 1\n")
            os.mkfifo(f"{folder}/pipe.yaml")  # Nothing ever writes into it: the search does not end.
            found, patience = {}, 250
            while not found and patience < HANGS * 1000:
                found = offered("lookup", "--hiera-config", "hiera.yaml", "", folder=folder,
                                env={**os.environ, "STRATA_COMPLETION_MILLISECONDS": str(patience)})
                patience *= 2
            self.assertEqual(set(found), {"early"})

    def test_no_program_is_run_and_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            told = f"{folder}/told"
            with open(f"{folder}/enc", "w", encoding="utf-8") as file:
                file.write(f"#!/bin/sh\ntouch {shlex.quote(told)}\n")
            os.chmod(f"{folder}/enc", 0o755)
            with open(f"{folder}/strata.yaml", "w", encoding="utf-8") as file:
                file.write(f"enc_command: {folder}/enc\n")
            with open(f"{folder}/environments.pp", "w", encoding="utf-8") as file:
                file.write("")
            before = sorted(os.listdir(folder))
            for words in (["enc", ""], ["inject", "--node", ""], ["inject", ""], ["bindings", "check", "--node", ""]):
                offered(*words, folder=folder)
            self.assertEqual(sorted(os.listdir(folder)), before)


class Shells(unittest.TestCase):
    """A folder with a link `strata` to the program, on PATH."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        os.symlink(STRATA, f"{self.folder}/strata")
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "HOME": self.folder, "TERM": "dumb"}
        self.environment.pop("XDG_CONFIG_HOME", None)

    def script(self, shell):
        text = subprocess.run([STRATA, "completions", shell], capture_output=True, text=True, check=True, timeout=HANGS).stdout
        path = f"{self.folder}/_strata.{shell}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_shell(self, words):
        done = subprocess.run(words, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout.splitlines()

    def bash(self, line):
        """What bash offers at the end of a line, which is taken apart as readline does it."""
        words = [word for word in re.findall(r"[=:]+|[^\s=:]+", line)]
        if line.endswith(" "):
            words.append("")
        count = len(words) - 1
        code = (f"source {shlex.quote(self.script('bash'))}; COMP_WORDBREAKS=$' \\t\\n\"\\'@><=;|&(:'; COMP_WORDS=({shlex.join(words)}); "
                f"COMP_CWORD={count}; COMP_LINE={shlex.quote(line)}; COMP_POINT={len(line)}; _strata strata; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return self.run_shell([tool(self, "bash"), "--norc", "-c", code])

    def test_bash(self):
        self.assertEqual(set(self.bash("strata lo")), {"lookup", "log"})
        self.assertEqual(set(self.bash("strata manual lo")), {"lookup", "log"})
        self.assertEqual(self.bash("strata lookup --knock"), ["--knock-out-prefix"])
        self.assertEqual(set(self.bash("strata lookup --output=")), {"yaml", "json", "jsonl"})
        self.assertEqual(self.bash("strata lookup --output=yam"), ["yaml"])
        self.assertLessEqual(set(["accounts::users"]), set(self.bash("strata lookup --codedir examples/hiera acc")))
        # bash takes profile, :: and web for three words; it replaces the last one.
        self.assertLessEqual(set(["workers"]), set(self.bash("strata lookup --codedir examples/hiera profile::web::wor")))
        self.assertLessEqual(set(["db01", "web01"]), set(self.bash("strata lookup --codedir examples/hiera --node ")))
        done = subprocess.run([tool(self, "bash"), "-n", self.script("bash")], capture_output=True, timeout=HANGS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))

    def test_bash_words_without_a_line(self):
        code = (f"source {shlex.quote(self.script('bash'))}; COMP_WORDS=(strata lookup --merge u); COMP_CWORD=3; _strata strata; "
                "printf '%s\\n' \"${COMPREPLY[@]}\"")
        self.assertEqual(self.run_shell([tool(self, "bash"), "--norc", "-c", code]), ["unique"])

    def test_bash_quotes_names(self):
        self.environment["NAME"] = f"{self.folder}/a 'file"
        with open(self.environment["NAME"], "w", encoding="utf-8") as file:
            file.write("")
        found = self.bash(f"strata merge {self.folder}/a")
        self.assertEqual([shlex.split(one) for one in found], [[self.environment["NAME"]]])

    def zsh(self, words):
        code = ("compdef() { : }; compadd() { local -a shown; local name=${@[-1]}; print -rl -- ${(P)name} }; "
                f"source {shlex.quote(self.script('zsh'))}; words=({shlex.join(words)}); CURRENT={len(words)}; PREFIX={shlex.quote(words[-1])}; _strata")
        return self.run_shell([tool(self, "zsh"), "-f", "-c", code])

    def test_zsh(self):
        zsh = tool(self, "zsh")
        done = subprocess.run([zsh, "-n", self.script("zsh")], capture_output=True, timeout=HANGS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(set(self.zsh(["strata", "lo"])), {"lookup", "log"})
        self.assertEqual(set(self.zsh(["strata", "manual", "lo"])), {"lookup", "log"})
        self.assertEqual(set(self.zsh(["strata", "lookup", "--output=j"])), {"--output=json", "--output=jsonl"})
        self.assertEqual(self.zsh(["strata", "lookup", "--codedir", "exam"]), ["examples/"])
        self.assertLessEqual(set(["profile::web::workers"]), set(self.zsh(["strata", *HIERA, "profile::web::w"])))
        self.assertLessEqual(set(["db01", "web01"]), set(self.zsh(["strata", *HIERA, "--node", ""])))

    def fish(self, line):
        code = f"source {shlex.quote(self.script('fish'))}; complete -C {shlex.quote(line)}"
        return [found.split("\t")[0] for found in self.run_shell([tool(self, "fish"), "--no-config", "-c", code])]

    def test_fish(self):
        self.assertEqual(set(self.fish("strata lo")), {"lookup", "log"})
        self.assertEqual(set(self.fish("strata manual lo")), {"lookup", "log"})
        self.assertEqual(set(self.fish("strata lookup --output=j")), {"--output=json", "--output=jsonl"})
        self.assertEqual(self.fish("strata lookup --knock"), ["--knock-out-prefix"])
        self.assertLessEqual(set(["profile::web::workers"]), set(self.fish("strata lookup --codedir examples/hiera profile::web::w")))
        self.assertLessEqual(set(["db01", "web01"]), set(self.fish("strata lookup --codedir examples/hiera --node ")))


if __name__ == "__main__":
    unittest.main()
