# SPDX-License-Identifier: Apache-2.0
"""Sites of the examples behind a service, for tests."""
import json
import os
import shutil
import tempfile
import unittest

from serving import Service

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
API = "/strata/v1/sites"
JSON = {"Content-Type": "application/json"}
PROJECTS = {
    "fleet": "projects: {fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n",
    "cloud-init": "projects: {web: {verb: merge, base: cloud.cfg, args: [platform.yaml, web.yaml]}}\n",
    "deckhand": "projects: {site: {verb: render, args: [.]}}\n",
    "heat": "projects: {stack: {verb: compose, template: overcloud.yaml, environment-directory: [environments]}}\n",
}
DIALECTS = {"fleet": "hiera", "cloud-init": "cloud-init", "deckhand": "deckhand", "heat": "heat"}


class SiteTest(unittest.TestCase):
    strata = None

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)
        for name, text in PROJECTS.items():
            shutil.copytree(os.path.join(EXAMPLES, name), os.path.join(self.folder, name))
            with open(os.path.join(self.folder, name, ".strata.yaml"), "w", encoding="utf-8") as file:
                file.write(text)

    def tearDown(self):
        self.temporary.cleanup()

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def serve(self, *names, more=()):
        words = []
        for name in names:
            words += ["--site", f"{name}={DIALECTS[name]}:{self.path(name)}"]
        return Service(self.strata, *words, *more)

    def ask(self, service, method, path, body=None, status=200, headers=None):
        got, sent, text = service.request(method, path, json.dumps(body) if isinstance(body, (dict, list)) else body,
                                          {**(JSON if isinstance(body, (dict, list)) else {}), **(headers or {})})
        self.assertEqual(got, status, f"{method} {path}: {text}")
        self.headers = sent
        return json.loads(text) if text.startswith(("{", "[")) else text
