# SPDX-License-Identifier: Apache-2.0
"""`strata explore` under test: started on a free port, asked over HTTP, ended with the test."""
import http.client
import json
import os
import signal
import subprocess
import urllib.parse

from serving import HANGS

PREFIX = "/strata/v1/explore"


def quoted(text):
    return urllib.parse.quote(text, safe="")


class Explorer:
    """Use with `with`. `words`: of the command line, without `strata explore --no-open`."""

    def __init__(self, strata, *words, folder=None):
        self.strata, self.words, self.folder = os.path.abspath(strata), words, folder

    def __enter__(self):
        self.process = subprocess.Popen([self.strata, "explore", "--no-open", *self.words], cwd=self.folder, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.line = self.process.stdout.readline()
        if not self.line.startswith("strata: http://127.0.0.1:"):
            raise AssertionError(f"no address: {self.line!r} {self.process.communicate(timeout=HANGS)}")
        address = urllib.parse.urlsplit(self.line.split()[1])
        self.port = address.port
        self.token = urllib.parse.parse_qs(address.query)["token"][0]
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self, with_signal=signal.SIGINT):
        """Ends the process; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(with_signal)
        try:
            out = self.process.wait(HANGS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.process.stdout.close()
        self.process.stderr.close()
        return out

    def request(self, method, target, body=None, headers=None, known=True):
        """Status, headers with small names, body as bytes. `known`: with the token."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=HANGS)
        sent = {"Authorization": f"Bearer {self.token}"} if known else {}
        if isinstance(body, (dict, list)):
            body = json.dumps(body)
            sent["Content-Type"] = "application/json"
        try:
            connection.request(method, target, body=body, headers={**sent, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            connection.close()

    def get(self, target, status=200, **query):
        """The JSON of an answer. `target`: below the prefix; a list in the query names a parameter several times."""
        fields = urllib.parse.urlencode({name: value for name, value in query.items() if value is not None}, doseq=True)
        got, self.headers, body = self.request("GET", PREFIX + target + (f"?{fields}" if fields else ""))
        if got != status:
            raise AssertionError(f"GET {target} {query}: {got} {body.decode('utf-8', 'replace')[:2000]}")
        return json.loads(body) if "json" in self.headers.get("content-type", "") else body.decode()

    def stream(self, method, target, body=None, **query):
        """The lines of a stream of JSON."""
        fields = urllib.parse.urlencode(query, doseq=True)
        got, headers, body = self.request(method, PREFIX + target + (f"?{fields}" if fields else ""), body)
        if got != 200 or headers["content-type"] != "application/x-ndjson":
            raise AssertionError(f"{method} {target}: {got} {body.decode('utf-8', 'replace')[:2000]}")
        return [json.loads(line) for line in body.decode().splitlines()]

    def names(self, project, **query):
        return self.get(f"/projects/{quoted(project)}/names", **query).splitlines()

    def rows(self, project, subject, **query):
        """All rows of a subject."""
        out = []
        while True:
            part = self.get(f"/projects/{quoted(project)}/subjects/{quoted(subject)}/rows", **{"from": len(out), "count": 1000, **query})
            out += part["rows"]
            self.last = part
            if len(out) >= part["total"]:
                return out

    def leaf(self, project, subject, item, path, **query):
        return self.get(f"/projects/{quoted(project)}/subjects/{quoted(subject)}/leaf", item=item, path=path, **query)
