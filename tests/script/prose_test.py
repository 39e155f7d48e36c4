#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""script/prose.py finds the phrases of script/prose_words.toml in prose, not in code, and refuses more of them than are committed.

usage: prose_test.py ROOT
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(os.path.abspath(sys.argv.pop(1)), "script")
# A phrase that is found, and the name of its pattern. Put together from parts, so that this file has no hits of its own.
NAME = "me" + "nd"
WORD = NAME + "ed"
PHRASE = f"the order is {WORD}"
SEAL = "sea" + "led"


def load():
    spec = importlib.util.spec_from_file_location("prose", SCRIPTS / "prose.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


prose = load()


class Patterns(unittest.TestCase):
    def test_examples(self):
        for pattern in prose.patterns():
            with self.subTest(pattern.name):
                self.assertTrue(pattern.finds and pattern.passes and pattern.instead)
                self.assertEqual([example for example in pattern.finds if not list(pattern.hits(example))], [])
                self.assertEqual([example for example in pattern.passes if list(pattern.hits(example))], [])

    def test_names_are_distinct(self):
        names = [pattern.name for pattern in prose.patterns()]
        self.assertEqual(sorted(names), sorted(set(names)))


class Prose(unittest.TestCase):
    """Each text has the phrase where the test says, by lines."""

    def lines(self, name, text):
        masked = prose.prose(name, text)
        [pattern] = [pattern for pattern in prose.patterns() if pattern.name == NAME]
        return [masked.count("\n", 0, offset) + 1 for offset, _ in pattern.hits(masked)]

    def test_markdown_without_code(self):
        text = f"# A title\n\n{PHRASE}\n\n```sh\n{PHRASE}\n```\n\n`{PHRASE}`, [{PHRASE}]({WORD}.md)\n"
        self.assertEqual(self.lines("a.md", text), [3, 9])

    def test_inline_code_is_a_word(self):
        masked = prose.prose("a.md", "It is " + "no `x`.\n")
        self.assertTrue(any(list(pattern.hits(masked)) for pattern in prose.patterns() if pattern.name == "negated noun"))

    def test_cpp(self):
        text = f"""// {PHRASE}
int {WORD} = 1'000;  // {WORD}
const char* a = "{WORD} key";
const char* b = "{PHRASE}";
const char* c = R"x({PHRASE})x";
char d = '"';  /* {PHRASE} */
"""
        self.assertEqual(self.lines("a.cpp", text), [1, 2, 4, 5, 6])

    def test_typescript(self):
        text = f"// {PHRASE}\nconst {WORD} = 'it\\'s {PHRASE}';\nconst b = `{PHRASE} ${{{WORD}}}`;\n"
        self.assertEqual(self.lines("a.ts", text), [1, 2, 3])

    def test_python(self):
        text = f'"""A module.\n\n{PHRASE}\n"""\n{WORD} = 1  # {PHRASE}\nb = f"{PHRASE} {{{WORD}}}"\nc = "{WORD}"\n'
        self.assertEqual(self.lines("a.py", text), [3, 5, 6])

    def test_shell_by_its_first_line(self):
        text = f"#!/usr/bin/env bash\n# {PHRASE}\n{WORD}=${{x#{WORD}}}\necho '{PHRASE}' \"{PHRASE}\"\n"
        self.assertEqual(self.lines("script/a", text), [2, 4, 4])

    def test_cmake_and_ruby(self):
        for name in ("CMakeLists.txt", "a.cmake", "a.rb"):
            self.assertEqual(self.lines(name, f"{WORD}()\n# {PHRASE}\n"), [2])

    def test_other_files_are_not_read(self):
        self.assertIsNone(prose.prose("a.yaml", f"# {PHRASE}\n"))

    def test_a_phrase_over_two_lines(self):
        words = "facts are\n{}" + SEAL + " in the store\n"
        [pattern] = [pattern for pattern in prose.patterns() if pattern.name == SEAL]
        for name, text in (("a.md", words.format("")), ("a.cpp", "// " + words.format("  // ")), ("b.cpp", f'f("some facts are "\n  "{SEAL} in the store");\n')):
            self.assertEqual(len(list(pattern.hits(prose.prose(name, text)))), 1, name)


class Ratchet(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="strata-prose-")
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name)
        self.git("init", "--quiet")
        (self.root / "script").mkdir()
        for name in ("prose.py", "prose_words.toml"):
            shutil.copy(SCRIPTS / name, self.root / "script")
        # The script is a file of that repository, too: its own hits are none.
        self.write("guide/a.md", f"{PHRASE}.\n{PHRASE}.\n")
        self.assertEqual(self.run_script("update").returncode, 0)
        self.commit()

    def git(self, *arguments):
        identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "docs: a change")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "script/prose.py", *arguments], cwd=self.root, capture_output=True, text=True, check=False)

    def scores(self):
        lines = (self.root / "script/prose_scores.txt").read_text(encoding="utf-8").splitlines()
        return [line.split() for line in lines if not line.startswith("#")]

    def passes(self):
        done = self.run_script("check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def refused(self, message):
        done = self.run_script("check")
        self.assertEqual(done.returncode, 1)
        self.assertIn(message, done.stderr)

    def test_the_committed_hits_pass(self):
        self.assertEqual(self.scores(), [["2", "guide"]])
        self.passes()

    def test_one_more_is_refused_and_not_raised(self):
        self.write("guide/a.md", f"{PHRASE}.\n{PHRASE}.\n\n{PHRASE}.\n")
        self.refused("guide: 3 hits, more than 2")
        done = self.run_script("update")
        self.assertEqual((done.returncode, self.scores()), (1, [["2", "guide"]]), done.stderr)

    def test_one_less_needs_an_update(self):
        self.write("guide/a.md", f"{PHRASE}.\n")
        self.refused("guide: 1 hits, fewer than 2: run script/prose.py update")
        self.assertEqual(self.run_script("update").returncode, 0)
        self.assertEqual(self.scores(), [["1", "guide"]])
        self.passes()

    def test_a_folder_without_hits_leaves_the_list(self):
        self.write("guide/a.md", "Text.\n")
        self.assertEqual(self.run_script("update").returncode, 0)
        self.assertEqual(self.scores(), [])
        self.passes()

    def test_a_new_file_has_no_hits_even_if_another_has_fewer(self):
        self.write("guide/a.md", f"{PHRASE}.\n")
        self.write("guide/b.md", f"{PHRASE}.\n")
        self.refused(f"guide/b.md:1: {NAME} ({WORD})")
        self.commit()
        self.refused("(a new file has no hits)")

    def test_a_renamed_file_keeps_its_hits(self):
        self.git("mv", "guide/a.md", "guide/b.md")
        self.commit()
        self.passes()

    def test_a_folder_that_is_not_listed(self):
        self.write("src/a.md", f"{PHRASE}.\n")
        self.refused("src: 1 hits, more than 0")

    def test_list_and_score(self):
        done = self.run_script("list", "guide/a.md")
        self.assertEqual([line.split(": ")[0] for line in done.stdout.splitlines()], ["guide/a.md:1", "guide/a.md:2"])
        self.assertIn("guide", self.run_script("score").stdout)

    def test_wrong_arguments(self):
        self.assertEqual(self.run_script("lower").returncode, 2)
        self.assertEqual(self.run_script("check", "guide").returncode, 2)


if __name__ == "__main__":
    unittest.main()
