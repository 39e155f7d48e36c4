# SPDX-License-Identifier: Apache-2.0
"""What the tests of all integrations share: the program, folders to work in, and pages whose commands run.

Each test.sh sets STRATA, the path of the program; without it, the one of script/build is tested.
"""
import contextlib
import http.server
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests/cli"))
import docs_test  # noqa: E402  (its folder is no package)

HANGS = 600  # Seconds: against hangs only, machines are loaded.
STRATA = os.path.abspath(os.environ.get("STRATA") or ROOT / "build/strata")
GIT = {"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.com", "GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.com",
       "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_COUNT": "2", "GIT_CONFIG_KEY_0": "init.defaultBranch",
       "GIT_CONFIG_VALUE_0": "main", "GIT_CONFIG_KEY_1": "protocol.file.allow", "GIT_CONFIG_VALUE_1": "always"}
FLEET = {
    ".strata.yaml": "projects:\n  fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n",
    "hiera.yaml": "version: 5\nhierarchy:\n  - {name: role, path: \"role/%{role}.yaml\"}\n  - {name: common, path: common.yaml}\n"
                  "  - {name: more, path: more.yaml}\n",
    "nodes.json": json.dumps([{"name": name, "facts": {"role": name[:-2]}} for name in ("web01", "web02", "db01")]) + "\n",
    "data/common.yaml": "port: 80\nservers: [one, two]\n",
    "data/more.yaml": "motd: hello\n",
    "data/role/web.yaml": "workers: 4\n",
    "data/role/db.yaml": "workers: 8\n",
}


class FolderTest(unittest.TestCase):
    """A folder for each test, in which `strata` is on the PATH."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="strata-integration-")
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(os.path.realpath(temporary.name))
        (self.folder / "bin").mkdir()
        (self.folder / "bin/strata").symlink_to(STRATA)
        home = self.folder / "home"
        home.mkdir()
        # Nothing of who runs the test, and of the CI that it may run in.
        self.environment = {"PATH": f"{self.folder}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(home), "LANG": "C.UTF-8", **GIT}

    def write(self, files, where="."):
        for name, text in files.items():
            path = self.folder / where / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def copy(self, example, where):
        return pathlib.Path(shutil.copytree(ROOT / "examples" / example, self.folder / where))

    def run_in(self, where, *words, status=0, environment=None, stdin=None):
        done = subprocess.run([str(word) for word in words], cwd=self.folder / where, env={**self.environment, **(environment or {})}, input=stdin,
                              stdin=subprocess.DEVNULL if stdin is None else None, capture_output=True, text=True, timeout=HANGS, check=False)
        if status is not None:
            self.assertEqual(done.returncode, status, f"{words}\n{done.stdout}\n{done.stderr}")
        return done

    def strata(self, where, *words, **named):
        return self.run_in(where, STRATA, *words, **named).stdout

    def git(self, where, *words):
        return self.run_in(where, "git", *words).stdout.strip()

    def without(self, *names):
        """A folder for the PATH that has all programs but these."""
        out = self.folder / ("without-" + "-".join(names))
        out.mkdir()
        for folder in self.environment["PATH"].split(":"):
            for program in os.scandir(folder) if os.path.isdir(folder) else ():
                if program.name not in names and not os.path.lexists(out / program.name):
                    (out / program.name).symlink_to(program.path)
        return out

    @contextlib.contextmanager
    def owned_by_another(self, where):
        """A folder belongs to a user whom git does not know meanwhile: only root can give files away."""
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        self.run_in(".", "chown", "--recursive", "65532:65532", where)
        try:
            self.assertIn("dubious ownership", self.run_in(where, "git", "status", status=128).stderr)
            yield
        finally:
            self.run_in(".", "chown", "--recursive", "0:0", where)

    def commit(self, where, files, message="change"):
        self.write(files, where)
        self.git(where, "add", "--all")
        self.git(where, "commit", "--quiet", "--message", message)
        return self.git(where, "rev-parse", "HEAD")


class PageTest(FolderTest):
    """Runs the commands of `page`: each ```sh block with bash, in a folder that has `examples` and `integrations`. A block ```text right behind it is what
    it prints (`…` is anything), a block with a first line `# NAME.yaml` and the like becomes that file."""
    page = None

    def test_page(self):
        if self.page is None:
            self.skipTest("the page of nobody")
        for name in ("examples", "integrations"):
            (self.folder / name).symlink_to(ROOT / name)
        self.prepare()
        blocks = docs_test.blocks(pathlib.Path(self.page))
        commands = 0
        for block, after in zip(blocks, [*blocks[1:], None]):
            first = block.lines[0] if block.lines else ""
            if block.language == "sh":
                done = self.run_in(".", "bash", "-euo", "pipefail", "-c", "\n".join(block.lines))
                commands += 1
                if after is not None and after.language == "text" and after.follows:
                    self.assertTrue(docs_test.matches(after.lines, done.stdout), f"{self.page}:{block.first}\n{done.stdout}\n{done.stderr}")
            elif first.startswith("# ") and first[2:].rpartition(".")[2] in ("yaml", "yml", "cfg", "pp", "json", "py"):
                self.write({first[2:]: "\n".join(block.lines[1:]) + "\n"})
        self.assertGreater(commands, 0)

    def prepare(self):
        """What is there before the first command."""


class Comments(http.server.ThreadingHTTPServer):
    """The comments of one merge request, as an API keeps them. `refuses`: a status for whatever is written."""

    def __init__(self, base, own):
        self.base, self.own, self.comments, self.refuses, self.asked = base, own, [], None, []
        super().__init__(("127.0.0.1", 0), CommentHandler)
        self.thread = threading.Thread(target=self.serve_forever, daemon=True)
        self.thread.start()
        self.address = f"http://127.0.0.1:{self.server_address[1]}"

    def close(self):
        self.shutdown()
        self.thread.join()
        self.server_close()

    def texts(self):
        return [comment["body"] for comment in self.comments]


class CommentHandler(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def body(self):
        return json.loads(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def do_GET(self):
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        path, _, query = self.path.partition("?")
        if path != self.server.base:
            return self.answer(404, {})
        page = int(dict(one.split("=") for one in query.split("&"))["page"])
        return self.answer(200, self.server.comments[100 * (page - 1):100 * page])

    def change(self):
        self.server.asked.append((self.command, self.path, dict(self.headers)))
        body = self.body()
        if self.server.refuses:
            return self.answer(self.server.refuses, {"message": "no"})
        if self.command == "POST" and self.path == self.server.base:
            self.server.comments.append({"id": 1000 + len(self.server.comments), "user": {"type": "Bot"}, **body})
            return self.answer(201, self.server.comments[-1])
        known = [one for one in self.server.comments if self.path == f"{self.server.own}/{one['id']}"]
        if self.command in ("PATCH", "PUT") and known:
            known[0].update(body)
            return self.answer(200, known[0])
        return self.answer(404, {})

    do_POST = do_PATCH = do_PUT = change

    def log_message(self, *_):
        """Says nothing."""


def read_yaml(path):
    return yaml.safe_load(pathlib.Path(path).read_text(encoding="utf-8"))
