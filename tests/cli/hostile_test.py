#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Hostile and broken inputs through the real program.

usage: hostile_test.py STRATA

Each case has a bound of processor time, some have one of memory, an exit status, words that the messages must hold, and a place that they must name. Nothing may stand on standard output
where the program fails, and the program never ends by a signal or with status 70.
"""
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile

from case_runner import is_sanitized

HEAD = b"#cloud-config\n"
DEEP = 200_000


class Case:
    def __init__(self, name, files, arguments, status, says, place=None, seconds=5, output=None, command="merge", memory=None):
        self.name, self.files, self.arguments, self.status, self.says, self.place, self.seconds, self.output = name, files, arguments, status, says, place, seconds, output
        self.command, self.memory = command, memory


def one(name, data, says, place=None, status=0, arguments=(), seconds=5, output=b"{}", memory=None):
    """A single part that is skipped: the result is empty."""
    return Case(name, {"user": data}, [*arguments, "user"], status, says, place, seconds, output, memory=memory)


def message(*parts):
    return b'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="b"\n\n' + b"".join(b"--b\n" + part + b"\n" for part in parts) + b"--b--\n"


def bomb():
    lines = [b"a0: &a0 [x,x,x,x,x,x,x,x,x,x]"]
    lines += [f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 10)}]".encode() for i in range(1, 12)]
    return HEAD + b"\n".join(lines) + b"\n"


CASES = [
    one("broken YAML", HEAD + b"a: [1\nb: 2\n", ["(part-001) is skipped", "yaml.syntax"], "user:3:"),
    one("broken YAML is an error under --strict", HEAD + b"a: [1\n", ["error: user (part-001) is skipped"], "user:3:1", 1, ["--strict"], output=b""),
    one("tab for indentation", HEAD + b"a:\n\tb: 1\n", ["(part-001) is skipped"], "user:3:1"),
    one("unknown tag", HEAD + b"a: !!python/object:os.system x\n", ["unknown tag"], "user:2:"),
    one("undefined alias", HEAD + b"a: *nope\n", ["undefined alias 'nope'"], "user:2:4"),
    one("an alias inside its own anchor", HEAD + b"a: &a [*a]\n", ["inside its own anchor"], "user:2:8"),
    one("impossible date", HEAD + b"a: 2001-02-31\n", ["not a possible timestamp"], "user:2:4"),
    one("two documents", HEAD + b"a: 1\n---\nb: 1\n", ["second document"], "user:3:1"),
    one("root is a sequence", HEAD + b"- 1\n", ["must be a mapping"], "user:2:1"),
    one("merge key with a scalar", HEAD + b"a: {<<: 1}\n", ["'<<' needs a mapping"], "user:2:"),
    one("sequence as a key", HEAD + b"? [1]\n: 2\n", ["cannot be a mapping key"], "user:2:3"),
    one("unknown merger", HEAD + b"merge_how: set(append)\na: 1\n", ["there is no merger 'set'", "built-in mergers"], "user:2:12"),
    one("malformed strategy", HEAD + b"merge_how: list[append]\na: 1\n", ["'list[append]' is not in the right format"], "user:2:12"),
    one("unknown merger option", HEAD + b"merge_how: dict(nope)+list()+str()\na: 1\n", ["no option 'nope'"], "user:", output=b"a: 1"),
    one("binary junk", bytes(range(256)) * 40, ["no handler for the type text/x-not-multipart"], "user:1:1"),
    one("empty file", b"", []),
    one("NUL in the YAML", HEAD + b"a: \x00\n", ["yaml.encoding", "byte 17"], "user:2:4"),
    one("invalid UTF-8 in a part", HEAD + b"a: \xff\n", ["part"], "user:"),
    one("invalid UTF-8 in a message is fatal", b"MIME-Version: 1.0\n\n#cloud-config\na: \xff\n", ["error: this message is not UTF-8"], "user:4:4", 1, output=b""),
    one("lone surrogate", HEAD + b'a: "\\ud800"\n', ["yaml.syntax"], "user:2:"),
    one("multipart without boundary", b"MIME-Version: 1.0\nContent-Type: multipart/mixed\n\nx\n", ["no parts", "boundary"], "user:"),
    one("broken base64", message(b"Content-Type: text/cloud-config\nContent-Transfer-Encoding: base64\n\n!!!"), ["user[part-001] is skipped"], "user[part-001]"),
    one("damaged gzip part is fatal", message(b"Content-Type: application/gzip\n\nxx"), ["error: cannot decompress part 'part-001'"], "user:", 1, output=b""),
    one("broken patch", b"#cloud-config-jsonp\n[{]", ["(part-001) is skipped", "json.syntax"], "user:2:3"),
    one("patch through nothing", b'#cloud-config-jsonp\n[{"op": "add", "path": "/a/b", "value": 1}]', ["no member 'a'"], "user:2:"),
    one("patch that grows without end", b"#cloud-config-jsonp\n[" + b'{"op": "add", "path": "/a", "value": [1]},' + b",".join([b'{"op": "copy", "from": "/a", "path": "/a/-"}'] * 40) + b"]", ["limit.result"], "user:2:", 1, output=b""),
    one("broken archive", b"#cloud-config-archive\n- [\n", ["the archive is left out"], "user:3:1"),
    one("archive with a bad entry is fatal", b"#cloud-config-archive\n- {content: a, type: nope}\n", ["not a content type"], "user:2:", 1, output=b""),
    one("jinja without instance data", b"## template: jinja\n#cloud-config\na: 1\n", ["a template needs instance data", "--instance-data"], "user:"),
    one("alias bomb", bomb(), ["limit.aliases", "--limit aliases="], "user:8:38", 1, output=b""),
    one("nested brackets", HEAD + b"a: " + b"[" * DEEP, ["limit.depth", "--limit depth="], "user:2:"),
    one("nested braces", HEAD + b"a: " + b"{a: " * DEEP, ["limit.depth"], "user:2:"),
    one("nested blocks", HEAD + b"".join(b" " * i + b"a:\n" for i in range(3000)), ["limit.depth"], "user:"),
    one("nested dashes", HEAD + b"a:\n" + b"- " * 20_000 + b"x\n", ["(part-001) is skipped"], "user:3:"),
    one("nested brackets in a patch", b"#cloud-config-jsonp\n" + b"[" * DEEP, ["(part-001) is skipped"], "user:2:"),
    one("nested templates", b"## template: jinja\n#cloud-config\na: {{ " + b"(" * DEEP + b" }}\n", ["(part-001) is skipped"], "user:", arguments=["--instance-data", "empty.json"]),
    one("template without end", b"## template: jinja\n#cloud-config\n{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}\n", ["limit.steps"], "user:", 1, ["--instance-data", "empty.json"], output=b"", seconds=20),
    one("huge key", HEAD + b"? " + b"k" * 5_000_000 + b"\n: 1\na: [\n", ["(part-001) is skipped"], "user:"),
    one("long implicit key", HEAD + b"k" * 2000 + b": 1\n", ["(part-001) is skipped"], "user:2:"),
    one("long line in a message", HEAD + b"a: '" + b"x" * 3_000_000 + b"\n", ["(part-001) is skipped"], "user:2:"),
    one("a line of 40 MB", gzip.compress(HEAD + b"a: " + b"x" * 40_000_000 + b": 1\n", mtime=0), ["(part-001) is skipped"], "user:2:", memory=400 << 20),
    one("40 MB of NULs", gzip.compress(HEAD + b"\0" * 40_000_000, mtime=0), ["(part-001) is skipped"], "user:2:1", memory=400 << 20),
    one("a uuencoded part of 40 MB of NULs", message(b"Content-Type: text/cloud-config\nContent-Transfer-Encoding: x-uuencode\n\nbegin 644 f\n" + b"M\n" * 900_000 + b"end\n"),
        ["is skipped"], "user", memory=500 << 20),
    one("include loop", b"#include\nfile:user\n", ["'user' includes itself"], "user:2:1", 1, output=b""),
    one("missing include", b"#include\n/no/such/file\n", ["cannot include '/no/such/file'"], "user:2:1", 1, output=b""),
    one("include over the network", b"#include\nhttp://localhost/x\n", ["needs network access", "--allow-network"], "user:2:1", 1, output=b""),
    one("include of a folder", b"#include\n/\n", ["it is a folder"], "user:2:1", 1, output=b""),
    one("too many includes", b"#include\n" + b"file:inc\n" * 10_001, ["limit.includes"], "user:10002:1", 1, output=b""),
    one("gzip bomb", gzip.compress(b"\0" * 60_000_000, mtime=0), ["more than 1000000 bytes"], "user:1:1", 1, ["--limit", "input=1000000"], output=b""),
    Case("missing part", {}, ["nope"], 1, ["no such file"], "nope: error"),
    Case("a folder as a part", {}, ["."], 1, ["folder"], ".: error"),
    Case("no part", {}, [], 2, ["give at least one PART"]),
    Case("unknown option", {}, ["--nope", "user"], 2, ["--nope"]),
    Case("bad output", {}, ["--output", "xml", "user"], 2, ["xml"]),
    Case("bad strategy", {"user": HEAD}, ["--strategy", "list", "user"], 2, ["--strategy"]),
    Case("bad limit", {"user": HEAD}, ["--limit", "depth=x", "user"], 2, ["depth=x"]),
    Case("limit of too much", {"user": HEAD}, ["--limit", "depth=100000000", "user"], 2, ["at most"]),
    Case("base that fails", {"base": b"merge_how: nope()\na: 1\n"}, ["--base", "base"], 1, ["there is no merger 'nope'"], "base:1:12"),
    Case("conf_d of another type", {"base": b"conf_d: [x]\n"}, ["--base", "base"], 1, ["conf_d"], "base:1:"),
    Case("unknown template kind in a base file", {"base": b"## template: nope\na: 1\n"}, ["--base", "base", "--instance-data", "empty.json"], 1, ["nope"], "base:1:"),
    Case("not finite in JSON", {"user": HEAD + b"a: .inf\n"}, ["--output", "json", "user"], 1, ["--output yaml"]),
    Case("many parts", {"user": message(*[b"Content-Type: text/cloud-config\n\na: %d" % i for i in range(100_000)])}, ["user"], 0, [], seconds=30, output=b"a: 99999"),
    Case("many blobs, many warnings", {"user": HEAD + b"a: [\n"}, ["user"] * 20_000, 0, ["(part-20000) is skipped"], "user:", seconds=30, output=b"{}"),
    Case("many appends", {"user": message(*[b"Content-Type: text/cloud-config\nMerge-Type: list(append)+dict(recurse_list)\n\nl: [%d]" % i for i in range(20_000)])}, ["user"], 0, [], seconds=20, output=b"- 19999"),
    Case("nested messages", {"user": b"MIME-Version: 1.0\n" + b"".join(b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n' % (i, i) for i in range(5000)) + b"\nx\n"}, ["user"], None, [], "user", seconds=20),
    Case("broken instance data", {"user": b"## template: jinja\n#cloud-config\na: 1\n", "data": b"{\n"}, ["--instance-data", "data", "user"], 0, ["(part-001) is skipped", "json.syntax"], "data:", output=b"{}"),
]


def run(binary, case, folder):
    """Why the case fails, or nothing."""
    for name, data in {"empty.json": b"{}", "inc": HEAD, **case.files}.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(data)
    # Processor time, so that a busy machine makes no difference.
    most = case.seconds

    def bound():
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 1))
        # Address space, of which sanitizers reserve terabytes.
        if case.memory is not None and not is_sanitized(binary):
            resource.setrlimit(resource.RLIMIT_AS, (case.memory, case.memory))

    done = subprocess.run([binary, case.command, *case.arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          preexec_fn=bound)
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"takes more than {most} s of processor time"
    told = done.stderr.decode("utf-8", "replace")
    shown = told[:1500]
    if done.returncode not in ((0, 1) if case.status is None else (case.status,)):
        return f"exit status {done.returncode}\n{shown}"
    if done.returncode != 0 and done.stdout:
        return f"output although it fails: {done.stdout[:200]!r}"
    if done.returncode == 0 and case.output is not None and case.output not in done.stdout:
        return f"output {done.stdout[:200]!r}\n{shown}"
    for words in case.says:
        if words not in told:
            return f"does not say {words!r}\n{shown}"
    if case.place is not None and not re.search("(?m)^" + re.escape(case.place), told):
        return f"does not name the place {case.place}\n{shown}"
    for line in told.splitlines():
        if len(line) > 2000:
            return f"a line of {len(line)} characters on standard error: {line[:200]}"
    return None


def main(cases):
    failed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as folder:
            problem = run(sys.argv[1], case, folder)
        if problem is not None:
            failed += 1
            print(f"{case.name}: {problem}")
    print(f"{len(cases)} cases, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(CASES))
