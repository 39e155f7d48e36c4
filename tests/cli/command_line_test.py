#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Command lines and what a terminal shows: help, wrong command lines, widths, escapes, colours, and the repository of a revision.

usage: command_line_test.py STRATA
"""
import fcntl
import os
import pty
import shlex
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import unittest

from docs_test import commands_of

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.


def strata(*words, folder=None, status=0, **more):
    done = subprocess.run([STRATA, *words], cwd=folder, capture_output=True, text=True, timeout=HANGS, check=False, **more)
    assert done.returncode == status, f"{words}: {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def on_terminal(*words, folder, columns=80):
    """What a terminal shows, of both streams."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    main, other = pty.openpty()
    fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([STRATA, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=other, stderr=other, env=environment)
    # The other end stays open until all is read: what a terminal still holds when it is closed may be lost. A word of our own tells where it ends.
    end = b"\0end of what was shown\0"
    ending = threading.Thread(target=lambda: (process.wait(), os.write(other, end)))
    ending.start()
    shown = b""
    while not shown.endswith(end):
        shown += os.read(main, 65536)
    ending.join()
    os.close(other)
    os.close(main)
    shown = shown[:-len(end)]
    return shown.decode().replace("\r\n", "\n")


class Folder(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = os.path.realpath(made.name)

    def place(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def git(self, where, *words):
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e@x", "-c", "init.defaultBranch=main", *words], cwd=os.path.join(self.folder, where),
                       check=True, capture_output=True, timeout=HANGS)


def has_history():
    """Whether the sources are in a repository with all its commits."""
    done = subprocess.run(["git", "rev-parse", "--is-shallow-repository"], cwd=ROOT, capture_output=True, text=True, timeout=HANGS, check=False)
    return done.stdout.strip() == "false"


class Repeated(Folder):
    def test_the_last_of_an_option_with_one_value_counts(self):
        self.place("hiera.yaml", "version: 5\nhierarchy: [{name: a, paths: [one.yaml, two.yaml]}]\n")
        self.place("data/one.yaml", "k: {a: '%{n}'}\n")
        self.place("data/two.yaml", "k: {b: 2}\n")
        self.place("x.yaml", "n: x\n")
        self.place("y.yaml", "n: y\n")
        ask = lambda *words: strata("lookup", "--hiera-config", "hiera.yaml", "--render-as", "json", *words, folder=self.folder).stdout
        self.assertEqual(ask("--merge", "deep", "--merge", "first", "--facts", "x.yaml", "--facts", "y.yaml", "k"), '{"a":"y"}\n')
        self.assertEqual(ask("--merge", "first", "k", "--merge", "hash", "--facts=x.yaml"), '{"b":2,"a":"x"}\n')
        self.assertEqual(ask("--default", "x", "--default", "y", "nope"), '"y"\n')
        self.assertEqual(strata("lookup", "--hiera-config", "hiera.yaml", "--threads", "1", "--threads", "2", "--output", "json", "--output", "yaml", "k.b",
                                "--merge", "hash", "--facts", "x.yaml", folder=self.folder).stdout, "2\n")


class Help(Folder):
    def test_every_command_ends_with_examples_that_work_and_its_page(self):
        commands = list(commands_of(STRATA))
        first = ["merge", "lookup", "render", "compose", "parameters", "inject", "bindings check"]
        self.assertEqual([command for command in commands if command in first], first)
        for command in commands:
            lines = strata(*command.split(), "--help").stdout.rstrip().splitlines()
            first = lines.index("Examples:")
            self.assertEqual(len(lines) - first, 5, command)
            self.assertEqual(lines[-2], "")
            self.assertTrue(os.path.isfile(os.path.join(ROOT, lines[-1].removeprefix("Manual: "))), lines[-1])
            self.assertNotEqual(lines[first + 1], lines[first + 2])
            for line in lines[first + 1:first + 3]:
                words = shlex.split(line)
                self.assertEqual(words[:1 + len(command.split())], ["strata", *command.split()])
                # What works on a store makes files. The examples of these commands, in the order of the help, work one after the other.
                folder = self.folder if command.split()[0] in ("key", "store", "token") else ROOT
                if command != "log" or has_history():
                    strata(*words[1:], folder=folder)

    def test_the_program_lists_its_commands_in_groups(self):
        lines = strata("--help").stdout.splitlines()
        self.assertEqual(lines[1], "Usage: strata [OPTIONS] COMMAND …")
        headings = [line.removesuffix(":") for line in lines[3:] if line.endswith(":") and not line.startswith(" ")]
        self.assertEqual(headings, ["Options", "Systems", "Analysis", "Service", "Integrations", "Other"])
        for line in lines:
            self.assertLessEqual(len(line), 120)
        self.assertIn("  check                       find dead, unused and mistyped settings in the files", lines)

    def test_a_help_is_in_words_and_not_in_those_of_the_parser(self):
        for command in ["", *commands_of(STRATA)]:
            text = strata(*command.split(), "--help").stdout
            self.assertNotRegex(text, r":\{|\{false\}|UINT|\[\d+ - \d+\]|=yaml|REQUIRED|SUBCOMMAND|\[options\]", command)
            self.assertRegex(text.splitlines()[0], "^[a-zA-Z]", command)
            self.assertNotIn("strata", text.splitlines()[0].replace("strata: ", ""), command)
        lines = strata("merge", "--help").stdout.splitlines()
        self.assertIn("Usage: strata merge [OPTIONS] [PART...]", lines)
        for line in ("  --output FORMAT             yaml or json (default: yaml)",
                     "  --sort-keys, --no-sort-keys sort the keys of mappings, or keep their order",
                     "  --color WHEN                colors of messages: auto, always or never (default: auto)",
                     "  --threads NUMBER            the most threads that work at once; 0: one per core (0 to 1024)"):
            self.assertIn(line, lines)

    def test_usage_lines_name_their_arguments(self):
        for command, usage in (("check", "strata check [OPTIONS] COMMAND …"), ("set", "strata set [OPTIONS] [KEY=VALUE] COMMAND …"),
                               ("explore", "strata explore [OPTIONS] [DIR | @NAME | COMMAND …]"), ("where", "strata where [OPTIONS] MAP [POSITION]"),
                               ("bindings", "strata bindings [OPTIONS] COMMAND …"), ("store export", "strata store export [OPTIONS] FILE")):
            self.assertEqual(strata(*command.split(), "--help").stdout.splitlines()[1], "Usage: " + usage)

    def test_an_analysis_lists_the_commands_that_it_takes(self):
        self.assertIn("merge, lookup, render, compose, parameters, inject or inventory;", " ".join(strata("check", "--help").stdout.split()))
        self.assertIn("arguments: merge, lookup or compose;", strata("set", "--help").stdout)

    def test_help_that_cannot_be_written(self):
        for words in (["--help"], ["merge", "--help"], ["--version"], []):
            with open("/dev/full", "w", encoding="utf-8") as full:
                done = subprocess.run([STRATA, *words], stdout=full, stderr=subprocess.PIPE, timeout=HANGS, check=False)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(b"cannot be written", done.stderr)

    def test_the_version_names_every_dialect(self):
        lines = strata("--version", "--verbose").stdout.splitlines()
        named = [line.split("  ")[1] for line in lines[1:]]
        first = ["cloud-init", "Hiera 5", "Deckhand", "Heat", "ARM-8"]
        self.assertEqual([name for name in named if name in first], first)
        self.assertEqual(len(named), len(set(named)))


class Wrong(Folder):
    """Command lines that are refused: status 2, a code, a way out."""

    def hint(self, *words, status=2):
        return strata(*words, folder=self.folder, status=status).stderr

    def test_codes(self):
        for words, message, code, hint in (
                ("frob", "strata: unknown command 'frob'", "unknown-command", "strata --help lists the commands"),
                ("merg a.yaml", "strata: unknown command 'merg'", "unknown-command", "did you mean 'merge'?"),
                ("bindings chek", "strata bindings: unknown command 'chek'", "unknown-command", "did you mean 'check'?"),
                ("set k=1 enc", "strata set: expected merge, lookup or compose, found 'enc'", "unknown-command", None),
                ("merge --ouput json", "strata merge: unknown option '--ouput'", "unknown-option", "did you mean '--output'?"),
                ("where --zzzzzz", "strata where: unknown option '--zzzzzz'", "unknown-option", "strata where --help lists the options"),
                ("impact lookup --codedri .", "strata impact: lookup: unknown option '--codedri'", "unknown-option", "did you mean '--codedir'?"),
                ("where", "strata where: MAP is missing", "missing", "usage: strata where [OPTIONS] MAP [POSITION]"),
                ("completions", "strata completions: SHELL is missing", "missing", "usage: strata completions [OPTIONS] SHELL"),
                ("hooks", "strata hooks: --resource is missing", "missing", "usage: strata hooks [OPTIONS]"),
                ("store", "strata store: COMMAND is missing", "missing", "usage: strata store [OPTIONS] COMMAND …"),
                ("check", "strata check: COMMAND is missing", "missing", None),
                ("merge a.yaml --at", "strata merge: --at needs a value", "missing", "usage: strata merge [OPTIONS] [PART...]"),
                ("completions bash zsh", "strata completions: unexpected argument 'zsh'", "extra", "usage: strata completions [OPTIONS] SHELL"),
                ("merge --output xml a", "strata merge: --output: expected yaml or json, found 'xml'", "value", None),
                ("merge --threads 9999 a", "strata merge: --threads: expected 0 to 1024, found '9999'", "value", None),
                ("impact --names x merge a", "strata impact: --names: expected a number, found 'x'", "value", None),
                ("merge a.yaml --blame --explain", "strata merge: give only one of --blame, --explain and --against", "conflict", None)):
            lines = self.hint(*words.split()).splitlines()
            self.assertEqual(lines[0], f"error: {message} [usage.{code}]", words)
            if hint is not None:
                self.assertEqual(lines[1:], ["hint: " + hint], words)
        self.assertNotIn("did you mean", self.hint("zzzzzzzzzz"))
        self.assertIn("[usage.missing]", self.hint("lookup", status=1))

    def test_a_missing_option_is_found_before_git_is_asked(self):
        for command, message in (("lookup", "name the data"), ("merge", "give at least one PART"), ("render", "give at least one FILE"),
                                 ("inject", "give a NAME"), ("inventory", "name a NODE"), ("compose", "give at least one -e")):
            for analysis in ("impact", "diff", "log"):
                self.assertIn(message, self.hint(analysis, command))

    def test_options(self):
        self.assertIn("expected short or wide", self.hint("merge", "a.yaml", "--blame=narrow"))

    def test_environment_files_without_their_option(self):
        self.assertIn("its own -e: -e b.yaml", self.hint("compose", "-e", "a.yaml", "b.yaml"))

    def test_a_path_without_its_sign(self):
        self.assertIn("write --explain=/a", self.hint("merge", "a.yaml", "--explain", "/a"))
        self.place("a.yaml", "#cloud-config\na: 1\n")
        strata("merge", "--explain", os.path.join(self.folder, "a.yaml"))

    def test_a_scalar_is_explained_by_its_root(self):
        self.place("code/hiera.yaml", "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n")
        self.place("code/data/all.yaml", "k: 1\n")
        self.assertEqual(strata("lookup", "--hiera-config", "code/hiera.yaml", "k", "--explain=", folder=self.folder).stdout.splitlines()[0], "(root): 1")


class Terminals(Folder):
    def test_width(self):
        self.place("a-long-name/of-a-folder/a.yaml", "#cloud-config\na: %s\nb: 2\n" % ("x" * 200))
        name = "a-long-name/of-a-folder/a.yaml"
        for words in (["--blame"], ["--explain"]):
            shown = on_terminal("merge", name, *words, folder=self.folder, columns=40).splitlines()
            self.assertTrue(all(len(line) <= 40 for line in shown), shown)
            self.assertTrue(any(line.endswith("…") for line in shown), shown)
            whole = on_terminal("merge", name, *words, "--wide", folder=self.folder, columns=40)
            self.assertIn("x" * 200, whole)
            self.assertEqual(whole, strata("merge", name, *words, "--wide", folder=self.folder).stdout)
        self.assertEqual(on_terminal("merge", name, "--blame", folder=self.folder, columns=40).splitlines()[1], "      :3 | b: 2")

    def test_control_characters_of_names_do_nothing(self):
        name = "a\x1b[2J\u009b1m.yaml"
        self.place(name, "#cloud-config\n\"k\\e]0;x\\a\": 1\nbad: [\n")
        self.place("good" + name, "#cloud-config\n\"k\\e]0;x\\a\": 1\n")
        for words in (["merge", name], ["merge", "good" + name, "--blame"], ["merge", "good" + name, "--explain"],
                      ["merge", "good" + name, "--" + name], ["merge", "missing" + name]):
            shown = on_terminal(*words, "--color=never", folder=self.folder, columns=200)
            self.assertIn("\\x1b[2J\\x9b1m.yaml", shown, words)
            self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f]", words)
        self.place("m.mime", "MIME-Version: 1.0\nContent-Type: text/cloud-config\nContent-Disposition: attachment; filename=\"p\x1b[2J\"\n\na: 1\n")
        self.assertIn("p\\x1b[2J", on_terminal("merge", "m.mime", "--parts", folder=self.folder))
        # Where it is read by a program, it stays as it is.
        self.assertIn(name, strata("merge", "good" + name, "--blame", folder=self.folder).stdout)

    def test_no_output_sends_control_characters_to_a_terminal(self):
        wild = "a\\x7fb\\x9bc\\ed"
        self.place("hiera.yaml", "version: 5\nhierarchy: [{name: all, path: all.yaml}]\n")
        self.place("data/all.yaml", f'k: "{wild}"\nlist: ["{wild}"]\n')
        self.place(".strata.yaml", f'projects:\n  "{wild}": {{verb: lookup, hiera-config: hiera.yaml}}\n')
        self.place("user.yaml", f'#cloud-config\nk: "{wild}"\n')
        self.place("env.yaml", f'parameters: {{k: "{wild}"}}\n')
        lookup = ["lookup", "--hiera-config", "hiera.yaml", "k"]
        lines = [["explore", "--check"], ["projects"], ["projects", "--output", "json"], ["merge", "user.yaml"], ["compose", "-e", "env.yaml"],
                 *([*lookup, *more] for more in ([], ["--explain"], ["--explain", "--output", "json"], ["--blame"], ["--output", "json"],
                                                 *(["--render-as", form] for form in ("s", "json", "yaml")))),
                 ["check", "--exit-zero", "--output", "json", "lookup", "--hiera-config", "hiera.yaml"],
                 ["diff", "--exit-zero", "--output", "json", "--set", "data/all.yaml:/k=1", *lookup]]
        for words in lines:
            shown = on_terminal(words[0], *([] if words[0] == "explore" else ["--color=never"]), *words[1:], folder=self.folder, columns=200)
            self.assertNotRegex(shown, "[\x00-\x08\x0b-\x1f\x7f-\x9f]", words)
        self.assertIn("a\\x7fb\\x9bc\\x1bd", on_terminal(*lookup, "--render-as", "s", folder=self.folder))
        # Pipes get the bytes as they are.
        self.assertEqual(strata(*lookup, "--render-as", "s", folder=self.folder).stdout, "a\x7fb\x9bc\x1bd\n")

    def test_bytes_that_are_not_utf8_are_escaped_on_a_terminal(self):
        name = os.fsdecode(b"n\x9b1m\xff.yaml")
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write("#cloud-config\nk: 1\n")
        for more in (["--explain"], ["--blame"]):
            self.assertIn("n\\x9b1m\\xff.yaml", on_terminal("merge", name, *more, folder=self.folder, columns=200).replace("\\\\", "\\"), more)

    def test_colours(self):
        self.place("t.yaml", "no: template\n")
        words = ["parameters", "-t", "t.yaml"]
        self.assertIn("\x1b[1;31merror", strata(*words, "--color=always", folder=self.folder, status=1).stderr)
        self.assertNotIn("\x1b", strata(*words, folder=self.folder, status=1).stderr)
        self.assertIn("\x1b[1;31merror", on_terminal(*words, folder=self.folder))
        self.assertNotIn("\x1b", on_terminal(*words, "--color=never", folder=self.folder))


class Revisions(Folder):
    def test_the_repository_is_the_one_around_the_files(self):
        self.place("repository/sub/a.yaml", "#cloud-config\na: 1\n")
        self.place("repository/sub/e.yaml", "parameters: {a: 1}\n")
        self.git("repository", "init", "-q")
        self.git("repository", "add", ".")
        self.git("repository", "commit", "-q", "-m", "m")
        self.place("repository/sub/a.yaml", "#cloud-config\na: 2\n")
        self.place("repository/sub/e.yaml", "parameters: {a: 2}\n")
        for name in ("repository/sub/a.yaml", os.path.join(self.folder, "repository/sub/a.yaml")):
            self.assertEqual(strata("merge", "--at", "HEAD", name, folder=self.folder).stdout, "#cloud-config\na: 1\n")
            self.assertIn("1 -> 2", strata("merge", "--against", "HEAD", name, folder=self.folder, status=1).stdout)
        self.assertIn('"a": 1', strata("compose", "--at", "HEAD", "-e", "repository/sub/e.yaml", folder=self.folder).stdout)
        # A repository around the working folder that is another one.
        self.place("other", "")
        self.git(".", "init", "-q")
        self.git(".", "add", "other")
        self.git(".", "commit", "-q", "-m", "outer")
        self.assertEqual(strata("merge", "--at", "HEAD", "repository/sub/a.yaml", folder=self.folder).stdout, "#cloud-config\na: 1\n")
        # The file need not exist now; without any file in a repository, the working folder counts.
        os.unlink(os.path.join(self.folder, "repository/sub/a.yaml"))
        self.assertEqual(strata("merge", "--at", "HEAD", "sub/a.yaml", folder=os.path.join(self.folder, "repository")).stdout, "#cloud-config\na: 1\n")
        self.assertIn("part.missing", strata("merge", "--at", "HEAD", "a.yaml", folder=self.folder, status=1).stderr)


if __name__ == "__main__":
    unittest.main()
