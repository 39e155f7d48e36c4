#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds phrases that a native reader would stumble over, in pages, comments and string literals.

usage: prose.py list [PATH...]     prints each hit: FILE:LINE: PATTERN: what to write instead
       prose.py score [PATH...]    prints hits per 1,000 words of each folder, the worst first
       prose.py check              compares the repository with script/prose_scores.txt; exit status 1 for a difference
       prose.py update             lowers script/prose_scores.txt to the hits of today, never raises it

PATH: files or folders of the repository, all by default. script/prose_words.toml holds the patterns.

The rule: hits only become fewer. script/prose_scores.txt has a line `HITS FOLDER` for each folder with hits.

- A folder may have as many hits as its line allows, none without a line. A file belongs to the folder that contains it.
- A folder with fewer hits than its line needs `prose.py update`, in the same commit: otherwise the difference could be used up again.
- A file that git knows as added since the commit that added script/prose_scores.txt has no hits. A renamed file is not an added one.
- Files that move to another folder take their hits along: change both lines by hand, so that a reviewer sees it.

Markdown counts outside of code. Of C++, TypeScript, JavaScript, Python, shell, Ruby and CMake, comments and string literals of more than two words
count. A phrase is also found where it is broken over lines of one comment or over adjacent literals.
"""
import argparse
import collections
import io
import pathlib
import re
import subprocess
import sys
import tokenize
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORDS = ROOT / "script/prose_words.toml"
SCORES = "script/prose_scores.txt"
# Inputs and outputs of other programs, and what a program generates.
NOT_PROSE = ("tests/vectors/", "fuzz/corpus/", "web/dist/", "LICENSE")
C_FAMILY = (".cpp", ".cpp.in", ".hpp", ".h", ".c")
SCRIPT_FAMILY = (".ts", ".tsx", ".mjs", ".js")
HASH_FAMILY = (".rb", ".sh", ".cmake", "CMakeLists.txt", ".clang-tidy", ".gitignore", "Containerfile", "debian/rules")
FEWEST_WORDS = 3  # In a string literal; a shorter one is a name.

# The text of a file is masked in place, so that offsets still name lines: code becomes GAP, the quotes around a string literal become EDGE.
GAP = "\0"
EDGE = "\1"

COMMENT = r"//[^\n]*|/\*.*?\*/"
QUOTED = r'"(?:[^"\\\n]|\\.)*"'
C_TOKENS = re.compile(rf'{COMMENT}|R"(?P<delimiter>[^()\s\\]*)\(.*?\)(?P=delimiter)"|{QUOTED}|(?<!\w)\'(?:[^\'\\\n]|\\[^\n]{{1,8}}?)\'', re.DOTALL)
SCRIPT_TOKENS = re.compile(rf"{COMMENT}|{QUOTED}|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`", re.DOTALL)
HASH_TOKENS = re.compile(rf"(?:(?<=\s)|^)#[^\n]*|{QUOTED}|'[^'\n]*'", re.MULTILINE | re.DOTALL)
CODE_BLOCK = re.compile(r"^[ >]*```.*?^[ >]*```[^\n]*$", re.MULTILINE | re.DOTALL)
INLINE_CODE = re.compile(r"`[^`\n]*(?:\n[^`\n]+)?`")
LINK_TARGET = re.compile(r"(?<=\])\([^)\s]*\)")
INTERPOLATION = re.compile(r"[$#]\{[^{}]*\}")
ESCAPE = re.compile(r"\\[a-zA-Z0]")
ADJACENT_LITERALS = re.compile(f"{EDGE}\\s*{EDGE}")
WORD = re.compile(r"[A-Za-z]{2,}")

Hit = collections.namedtuple("Hit", "file line pattern phrase instead")


class Pattern:
    """One entry of script/prose_words.toml, compiled.

    In `regex` a space matches any white space, so that a phrase may continue on the next line, and `{start}` for the start of a sentence.
    """

    def __init__(self, entry):
        self.name = entry["name"]
        self.instead = entry["write"]
        self.finds = entry["finds"]
        self.passes = entry["passes"]
        start = rf"(?:^(?:[ ]*(?:[-*|>]|\d+\.)[ ])?|[.!?:;]\s|[|{GAP}{EDGE}])\s*"
        regex = entry["regex"].replace(" ", r"\s+").replace("{start}", start)
        self.regex = re.compile(regex, re.MULTILINE | re.IGNORECASE)

    def hits(self, text):
        """The offset and the phrase of each hit."""
        for found in self.regex.finditer(text):
            phrase = found.group().lstrip(f" \n|-*>.!?:;{GAP}{EDGE}")
            yield found.end() - len(phrase), " ".join(phrase.split())


def patterns():
    with open(WORDS, "rb") as file:
        return [Pattern(entry) for entry in tomllib.load(file)["pattern"]]


def masked(text, filler=GAP):
    return "\n".join(filler * len(line) for line in text.split("\n"))


def literal(opening, contents, closing):
    if len(contents.split()) < FEWEST_WORDS:
        return masked(opening + contents + closing)
    contents = INTERPOLATION.sub(lambda found: masked(found.group(), " "), contents)
    contents = ESCAPE.sub("  ", contents)
    return masked(opening, EDGE) + contents + masked(closing, EDGE)


def comment(token, marker):
    # Markers become white space: the lines of a comment are one paragraph.
    token = re.sub(marker, lambda found: " " * len(found.group()), token)
    return token if token.strip() else masked(token, " ")


def mask_tokens(text, tokens, marker):
    """Keeps comments and string literals of a text; a marker begins a line of a comment."""
    kept, end = [], 0
    for found in tokens.finditer(text):
        between = text[end : found.start()]
        token = found.group()
        kept.append(between if not between.strip() else masked(between))
        end = found.end()
        if token[0] in "\"'`":
            kept.append(literal(token[0], token[1:-1], token[-1]))
        elif token[0] == "R":
            opening = len(found["delimiter"]) + 3
            kept.append(literal(token[:opening], token[opening : 1 - opening], token[1 - opening :]))
        else:
            kept.append(comment(token, marker))
    return "".join(kept) + masked(text[end:])


def mask_python(text):
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    kept, end = [], 0
    # F-strings are whole tokens up to Python 3.11, and in parts since.
    literals = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", None)}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT and token.type not in literals:
                continue
            begin, after = (starts[row - 1] + column for row, column in (token.start, token.end))
            between = text[end:begin]
            kept.append(between if not between.strip() else masked(between))
            if token.type == tokenize.COMMENT:
                kept.append(comment(text[begin:after], r"^#+!?"))
            else:
                parts = re.fullmatch(r"(\w*(?:'''|\"\"\"|'|\"))(.*?)('''|\"\"\"|'|\")", text[begin:after], re.DOTALL)
                if parts and "f" in parts[1].lower():
                    contents = re.sub(r"\{[^{}]*\}", lambda found: masked(found.group(), "x"), parts[2])
                    kept.append(literal(parts[1], contents, parts[3]))
                else:
                    kept.append(literal(*parts.groups()) if parts else literal("", text[begin:after], ""))
            end = after
    except (tokenize.TokenError, SyntaxError):
        pass  # A template of a Python file: what was read counts.
    return "".join(kept) + masked(text[end:])


def mask_markdown(text):
    text = CODE_BLOCK.sub(lambda found: masked(found.group()), text)
    # A word in place of the code: "is no `x`" is a phrase, too.
    text = INLINE_CODE.sub(lambda found: re.sub(r"[^\n]", "c", found.group()), text)
    return LINK_TARGET.sub(lambda found: masked(found.group(), " "), text)


def prose(name, text):
    """The text of a file with everything masked that is not prose; None if it is a file of another kind."""
    first = text.partition("\n")[0] if text.startswith("#!") else ""
    if name.endswith(".md"):
        text = mask_markdown(text)
    elif name.endswith(C_FAMILY):
        text = mask_tokens(text, C_TOKENS, r"^\s*(?:///?[/!<]*|/\*+|\*(?!/))|\*/$")
    elif name.endswith(SCRIPT_FAMILY):
        text = mask_tokens(text, SCRIPT_TOKENS, r"^\s*(?:///?[/!<]*|/\*+|\*(?!/))|\*/$")
    elif name.endswith(".py") or "python" in first:
        text = mask_python(text)
    elif name.endswith(HASH_FAMILY) or re.search(r"\b(?:ba|da)?sh\b|ruby", first):
        text = mask_tokens(text, HASH_TOKENS, r"^#+!?")
    else:
        return None
    return ADJACENT_LITERALS.sub(lambda found: masked(found.group(), " "), text)


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def repository_files(paths=()):
    listed = git("ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate", "--", *paths).split("\0")
    return [name for name in listed if name and not name.startswith(NOT_PROSE) and (ROOT / name).is_file()]


def scan(names):
    """The hits in files, and the number of words of each folder."""
    hits, words = [], collections.Counter()
    known = patterns()
    for name in sorted(names):
        try:
            text = prose(name, (ROOT / name).read_text(encoding="utf-8"))
        except UnicodeDecodeError:
            continue
        if text is None:
            continue
        words[folder_of(name)] += len(WORD.findall(text))
        of_file = []
        for pattern in known:
            of_file += [(offset, pattern, phrase) for offset, phrase in pattern.hits(text)]
        for offset, pattern, phrase in sorted(of_file, key=lambda hit: hit[0]):
            hits.append(Hit(name, text.count("\n", 0, offset) + 1, pattern.name, phrase, pattern.instead))
    return hits, words


def folder_of(name):
    return str(pathlib.PurePosixPath(name).parent)


def shown(hit):
    return f"{hit.file}:{hit.line}: {hit.pattern} ({hit.phrase}): {hit.instead}"


def per_thousand(hits, words):
    return f"{1000 * hits / max(words, 1):.2f} per 1,000"


def read_scores():
    """Allowed hits of each folder; None without a file."""
    path = ROOT / SCORES
    if not path.exists():
        return None
    lines = [line.split(None, 1) for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return {folder: int(count) for count, folder in lines}


def write_scores(scores):
    rows = "".join(f"{count:5} {folder}\n" for folder, count in sorted(scores.items()) if count)
    (ROOT / SCORES).write_text("# Hits of script/prose.py that each folder may have. They only become fewer: script/prose.py update.\n" + rows, encoding="utf-8")


def added_files():
    """Files that were added since the score file was; all that are not committed. Empty before the score file is committed."""
    base = git("log", "-1", "--diff-filter=A", "--format=%H", "--", SCORES).strip()
    if not base:
        return set()
    added = git("diff", "--find-renames", "--diff-filter=A", "--name-only", "-z", base).split("\0")
    others = git("ls-files", "-z", "--others", "--exclude-standard").split("\0")
    return {name for name in [*added, *others] if name}


def check(hits, added):
    allowed = read_scores()
    if allowed is None:
        yield f"{SCORES} does not exist: script/prose.py update makes it"
        return
    by_folder = collections.defaultdict(list)
    for hit in hits:
        if hit.file in added:
            yield f"{shown(hit)} (a new file has no hits)"
        by_folder[folder_of(hit.file)].append(hit)
    for folder in sorted(by_folder.keys() | allowed.keys()):
        found, limit = by_folder.get(folder, []), allowed.get(folder, 0)
        if len(found) > limit:
            yield f"{folder}: {len(found)} hits, more than {limit}: script/prose.py list {folder}"
            # The new one is among them; a folder with few hits shows them at once.
            yield from (f"  {shown(hit)}" for hit in found[:20] if len(found) <= 20 and hit.file not in added)
        elif len(found) < limit:
            yield f"{folder}: {len(found)} hits, fewer than {limit}: run script/prose.py update and commit {SCORES}"


def update(hits):
    allowed = read_scores()
    today = collections.Counter(folder_of(hit.file) for hit in hits)
    if allowed is None:
        write_scores(today)
        return []
    write_scores({folder: min(count, today[folder]) for folder, count in allowed.items()})
    return [f"{folder}: {count} hits, more than {allowed.get(folder, 0)}: not raised" for folder, count in sorted(today.items()) if count > allowed.get(folder, 0)]


def print_scores(hits, words):
    by_folder = collections.Counter(folder_of(hit.file) for hit in hits)
    for folder, count in sorted(by_folder.items(), key=lambda item: -item[1] / max(words[item[0]], 1)):
        print(f"{count:5} hits {words[folder]:7} words  {per_thousand(count, words[folder])}  {folder}")
    print(f"{len(hits)} hits in {words.total()} words: {per_thousand(len(hits), words.total())}")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("command", choices=("list", "score", "check", "update"))
    arguments.add_argument("paths", nargs="*")
    given = arguments.parse_args()
    if given.paths and given.command in ("check", "update"):
        arguments.error(f"{given.command} takes no paths")
    hits, words = scan(repository_files([str(pathlib.Path(path).resolve()) for path in given.paths]))
    problems = []
    if given.command == "list":
        for hit in hits:
            print(shown(hit))
        print(f"{len(hits)} hits in {words.total()} words: {per_thousand(len(hits), words.total())}", file=sys.stderr)
    elif given.command == "score":
        print_scores(hits, words)
    elif given.command == "check":
        problems = list(check(hits, added_files()))
    else:
        problems = update(hits)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
