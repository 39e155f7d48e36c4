# SPDX-License-Identifier: Apache-2.0
"""A description of an API (OpenAPI 3.1) of docs/api/, for the tests that compare it with the program."""
import os
import subprocess
import tempfile

import jsonschema
import yaml
from serving import HANGS

FOLDER = os.path.realpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "api"))
METHODS = ("get", "put", "post", "patch", "delete")


class ApiDescription:
    def __init__(self, name):
        with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
            self.all = yaml.safe_load(file)

    def resolved(self, thing):
        """`thing`, or what its `$ref` names."""
        while "$ref" in thing:
            found = self.all
            for step in thing["$ref"].removeprefix("#/").split("/"):
                found = found[step]
            thing = found
        return thing

    def validator(self, schema):
        return jsonschema.Draft202012Validator({**schema, "components": self.all["components"]})

    def operations(self):
        """(path, method, operation, parameters of the path)."""
        for path, item in self.all["paths"].items():
            for method in METHODS:
                if method in item:
                    yield path, method, item[method], item.get("parameters", [])


def routes(strata):
    """(face, method, pattern) of all that the program answers."""
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run([strata, "serve", "--check", "--print-routes", "--store", f"sqlite:{folder}/a.db"], capture_output=True, text=True,
                             timeout=HANGS, check=True)
    for line in run.stdout.splitlines():
        face, method, pattern = line.split()
        yield face, method.lower(), pattern
