#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The version, the home and the maintainer of the project, in every file that repeats them.

usage: metadata.py check [X.Y.Z] [--release]    lists each file that disagrees; exit status 1 if there is one
       metadata.py home URL [MAINTAINER]        moves the project to the repository URL: rewrites every file that names the old one

include/strata/version.hpp owns the version and the home, debian/control the maintainer (`NAME <MAIL>`). CMake and the program read them from
there. Every other file that repeats one of them has a row in COPIES. With X.Y.Z, version.hpp must name that version too. With --release the
newest heading of CHANGELOG.md must name the version; without it, `Unreleased` passes.

The home is the address of the repository, without a slash at the end. Its issues, its releases and its documentation are below it, as on GitHub
and GitLab. While it is a reserved name (RFC 2606), the project has no public home yet.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

OWNER = "include/strata/version.hpp"
HOME = r'kHome = "([^"]*)"'
MAINTAINER = r"^Maintainer: (.*)$"
HOME_FORM = re.compile(r"https://[A-Za-z0-9.-]+(/[A-Za-z0-9._~-]+)+")
MAINTAINER_FORM = re.compile(r"[^<>\n]+ <[^<>@\s]+@[^<>@\s]+>")
RESERVED = re.compile(r"https://([^/]*\.)?(example|example\.(com|net|org)|invalid|test|localhost)(/|$)")
VERSION_FORM = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")

# A copy: each match of `pattern` in `file` must have `form`, filled in from Facts.values, as its group. There is at least one match.
Copy = collections.namedtuple("Copy", "file pattern form")
COPIES = (
    Copy(OWNER, r"at run time: `([^`]*)`", "{version}"),
    Copy("include/strata/strata.h", r"The version of strata: (.*)\. \*/", "{version}"),
    Copy("CMakeLists.txt", r"^project\(strata VERSION (\S+)", "${{strata_version}}"),
    Copy("CMakeLists.txt", r"^project\(strata .* HOMEPAGE_URL (\S+)", "${{strata_home}}"),
    Copy("Containerfile", r'org\.opencontainers\.image\.source="([^"]*)"', "{home}"),
    Copy("debian/changelog", r"\Astrata \(([^)]*)\)", "{version}"),
    Copy("debian/changelog", r"\A(?:.*\n)*? -- (.*)  ", "{maintainer}"),
    Copy("debian/control", r"^Homepage: (.*)$", "{home}"),
    Copy("debian/control", r"^Vcs-Git: (.*)$", "{home}.git"),
    Copy("debian/control", r"^Vcs-Browser: (.*)$", "{home}"),
    Copy("debian/copyright", r"^Upstream-Contact: (.*)$", "{maintainer}"),
    Copy("debian/copyright", r"^Source: (.*)$", "{home}"),
    Copy("debian/upstream/metadata", r"^Bug-Database: (.*)$", "{home}/issues"),
    Copy("debian/upstream/metadata", r"^Bug-Submit: (.*)$", "{home}/issues/new"),
    Copy("debian/upstream/metadata", r"^Repository: (.*)$", "{home}.git"),
    Copy("debian/upstream/metadata", r"^Repository-Browse: (.*)$", "{home}"),
    Copy("debian/watch", r"searchmode=plain (\S+)", "{home}/releases"),
    Copy("docs/ci.md", r"uses: (?!actions/|github/)(\S+)@", "{slug}"),
    Copy("docs/ci.md", r"repo: (\S+)", "{home}"),
    Copy("docs/ci.md", r"uses: (?!actions/|github/)\S+@v(\S+)", "{version}"),
    Copy("docs/ci.md", r"^ +version: (\S+)$", "{version}"),
    Copy("docs/ci.md", r"^ +re[fv]: v(\S+)$", "{version}"),
    Copy("docs/ci.md", r"/strata(?:-jobs)?:(\S+)$", "{version}"),
    Copy("docs/install.md", r"find_package\(strata (\S+)", "{minor}"),
    Copy("docs/library/c.md", r"find_package\(strata (\S+)", "{minor}"),
    Copy("docs/library/use.md", r"find_package\(strata (\S+)", "{minor}"),
    Copy("integrations/ansible/README.md", r"strata-layers-(\S+)\.tar\.gz", "{version}"),
    Copy("integrations/ansible/galaxy.yml", r"^version: (.*)$", "{version}"),
    Copy("integrations/ansible/galaxy.yml", r"^repository: (.*)$", "{home}"),
    Copy("integrations/ansible/galaxy.yml", r"^issues: (.*)$", "{home}/issues"),
    Copy("integrations/puppet/strata/metadata.json", r'"version": "([^"]*)"', "{version}"),
    Copy("integrations/puppet/strata/metadata.json", r'"source": "([^"]*)"', "{home}"),
    Copy("integrations/puppet/strata/metadata.json", r'"project_page": "([^"]*)"', "{home}"),
    Copy("integrations/puppet/strata/metadata.json", r'"issues_url": "([^"]*)"', "{home}/issues"),
    Copy("python/pyproject.toml", r'^version = "([^"]*)"$', "{version}"),
    Copy("python/pyproject.toml", r'^Homepage = "([^"]*)"$', "{home}"),
    Copy("python/pyproject.toml", r'^Issues = "([^"]*)"$', "{home}/issues"),
    Copy("tests/install/CMakeLists.txt", r"find_package\(strata (\S+)", "{minor}"),
    Copy("tests/install/c/CMakeLists.txt", r"find_package\(strata (\S+)", "{minor}"),
    Copy("web/package.json", r'"name": "strata-explorer",\s+"version": "([^"]*)"', "{version}"),
    Copy("web/package-lock.json", r'"name": "strata-explorer",\s+"version": "([^"]*)"', "{version}"),
)
CHANGELOG = Copy("CHANGELOG.md", r"\A(?:(?!## ).*\n)*## (\S+)", "{version}")


class Facts:
    """What the owners of version, home and maintainer say."""

    def __init__(self):
        header = read(OWNER)
        part = {name: int(number) for name, number in re.findall(r"kVersion(\w+) = (\d+);", header)}
        self.version = f"{part['Major']}.{part['Minor']}.{part['Patch']}"
        self.home = re.search(HOME, header)[1]
        self.maintainer = re.search(MAINTAINER, read("debian/control"), re.MULTILINE)[1]

    def values(self):
        path = self.home.split("/", 3)[3]
        # A host such as strata.example has no owners: the reader fills one in.
        slug = path if "/" in path else f"OWNER/{path}"
        minor = self.version.rpartition(".")[0]
        return {"version": self.version, "minor": minor, "home": self.home, "slug": slug, "maintainer": self.maintainer}


def read(file):
    path = pathlib.Path(file)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def matches(copy):
    return list(re.finditer(copy.pattern, read(copy.file), re.MULTILINE))


def disagreements(facts, release):
    """Yields one line per copy that differs from `facts`, and per file that names the home without a row in COPIES."""
    for copy in (*COPIES, CHANGELOG):
        expected = copy.form.format(**facts.values())
        found = [match[1] for match in matches(copy)] or ["missing"]
        if copy is CHANGELOG and not release:
            found = [heading for heading in found if heading != "Unreleased"]
        for value in found:
            if value != expected:
                name = re.search(r"{(\w+)}", copy.form)
                yield f"{copy.file}: expected the {name[1] if name else 'value'} {expected}, found {value}"
    named = collections.Counter(copy.file for copy in COPIES for match in matches(copy) if facts.home in match[1])
    named[OWNER] += 1
    for file in tracked_files_with(facts.home):
        if read(file).count(facts.home) > named[file]:
            yield f"{file}: names the home {facts.home} at a place that COPIES of script/metadata.py does not list"


def tracked_files_with(text):
    listed = subprocess.run(["git", "grep", "-IlF", "-z", "-e", text], capture_output=True, text=True, check=False).stdout
    return [file for file in listed.split("\0") if file]


def check(options):
    facts = Facts()
    mistakes = list(disagreements(facts, options.release))
    if options.version not in (None, facts.version):
        mistakes.insert(0, f"{OWNER}: expected the version {options.version}, found {facts.version}")
    for mistake in mistakes:
        print(f"metadata: {mistake}", file=sys.stderr)
    if options.release and RESERVED.match(facts.home):
        print(f"metadata: warning: the home {facts.home} is a reserved name; set the public one with: script/release --home URL", file=sys.stderr)
    return 1 if mistakes else 0


def replace(copy, value):
    text = read(copy.file)
    for match in reversed(matches(copy)):
        text = text[: match.start(1)] + value + text[match.end(1) :]
    pathlib.Path(copy.file).write_text(text, encoding="utf-8")


def move_home(options):
    facts = Facts()
    mistakes = list(disagreements(facts, False))
    if mistakes:
        print(*(f"metadata: {mistake}" for mistake in mistakes), sep="\n", file=sys.stderr)
        return 1
    facts.home = options.url
    facts.maintainer = options.maintainer or facts.maintainer
    values = facts.values()
    replace(Copy(OWNER, HOME, ""), facts.home)
    replace(Copy("debian/control", MAINTAINER, ""), facts.maintainer)
    for copy in COPIES:
        replace(copy, copy.form.format(**values))
    return check(argparse.Namespace(version=None, release=False))


def form(pattern, what):
    def parse(text):
        if not pattern.fullmatch(text):
            raise argparse.ArgumentTypeError(f"'{text}' is not {what}")
        return text

    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    checking = commands.add_parser("check")
    checking.add_argument("version", nargs="?", type=form(VERSION_FORM, "a version X.Y.Z"))
    checking.add_argument("--release", action="store_true")
    checking.set_defaults(run=check)
    moving = commands.add_parser("home")
    moving.add_argument("url", type=form(HOME_FORM, "an address https://HOST/PATH without a slash at the end"))
    moving.add_argument("maintainer", nargs="?", type=form(MAINTAINER_FORM, "of the form NAME <MAIL>"))
    moving.set_defaults(run=move_home)
    options = parser.parse_args()
    return options.run(options)


if __name__ == "__main__":
    sys.exit(main())
