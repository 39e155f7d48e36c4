#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Random texts in every secret place of a service are found nowhere, except in answers that were asked for in clear text by one who may.

usage: canary_test.py STRATA
"""
import base64
import glob
import http.client
import json
import os
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
API = "/strata/v1/sites/up"
TEMPLATE = {"heat_template_version": "2018-08-31", "parameters": {"password": {"type": "string", "hidden": True}, "size": {"type": "string", "default": "s"}},
            "outputs": {"size": {"value": {"get_param": "size"}}}}


class Canaries:
    """Texts, and the places where they must not be."""

    def __init__(self):
        self.texts = {}

    def new(self, place):
        self.texts[place] = "canary" + secrets.token_hex(12)
        return self.texts[place]

    def found(self, data):
        """The places whose canary is in some bytes, as it is, in base64 or in hexadecimal digits."""
        out = set()
        for place, text in self.texts.items():
            raw = text.encode()
            forms = {raw, raw.hex().encode()} | {base64.b64encode(b"x" * shift + raw)[4:-4] for shift in range(3)}
            out |= {place for form in forms if form in data}
        return out


class Canary(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = made.name
        self.canaries = Canaries()
        self.answers = []

    def clean(self, data, what):
        self.assertEqual(self.canaries.found(data), set(), what)

    def ask(self, service, method, path, body=None, kind="application/json", clear=False, **headers):
        """An answer; without `clear` it must hold no canary. The request's own body does not count."""
        text = json.dumps(body) if isinstance(body, (dict, list)) else body
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
        connection.request(method, path, body=text, headers={**({"Content-Type": kind} if text else {}), **{name.replace("_", "-"): value for name, value in headers.items()},
                                                             **self.credentials})
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        if not clear:
            self.clean(data + str(answer.headers).encode(), f"{method} {path}: {data[:2000]}")
        self.answers.append(answer.status)
        return answer.status, data

    def encrypted(self, text):
        key, certificate = os.path.join(self.folder, "key.pem"), os.path.join(self.folder, "cert.pem")
        if not os.path.exists(key):
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-subj", "/CN=eyaml", "-days", "2"],
                           check=True, capture_output=True, timeout=HANGS)
        out = subprocess.run(["openssl", "smime", "-encrypt", "-binary", "-aes-256-cbc", "-outform", "DER", certificate], input=text.encode(), check=True,
                             capture_output=True, timeout=HANGS).stdout
        return f"ENC[PKCS7,{base64.b64encode(out).decode()}]"

    def site(self, service):
        secret = self.canaries.new("eyaml")
        second = self.canaries.new("eyaml, an edit")
        options = {"pkcs7_private_key": "keys/private.pem", "pkcs7_public_key": "keys/public.pem"}
        files = {"hiera.yaml": json.dumps({"version": 5, "hierarchy": [
                     {"name": "secrets", "lookup_key": "eyaml_lookup_key", "path": "secrets.eyaml", "options": options}, {"name": "common", "path": "common.yaml"}]}),
                 "data/secrets.eyaml": f"db::password: {self.encrypted(secret)}\ndb::users:\n  ann:\n    password: {self.encrypted(secret)}\n",
                 "data/common.yaml": "db::url: \"db://%{lookup('db::password')}@host\"\ndb::password: other\nbroken: \"%{lookup('db::url'\"\n"
                                     "lookup_options: {db::users: {merge: deep}}\n",
                 "nodes.json": '[{"name": "web", "facts": {}}]',
                 ".strata.yaml": "projects: {up: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"}
        for name, file in (("private", "key.pem"), ("public", "cert.pem")):
            with open(os.path.join(self.folder, file), encoding="utf-8") as text:
                files[f"keys/{name}.pem"] = text.read()
        self.ask(service, "PUT", API, {"dialect": "hiera"})
        self.assertEqual(self.ask(service, "PUT", f"{API}/tree", {"files": files})[0], 201)
        status, data = self.ask(service, "GET", f"{API}/nodes/web/values/db::password?secrets=clear", clear=True)
        self.assertEqual(status, 200, data)
        self.assertEqual(json.loads(data)["value"], secret)
        status, data = self.ask(service, "GET", f"{API}/nodes/web/values/db::url?secrets=clear", clear=True)
        self.assertEqual((status, json.loads(data)["value"]), (200, f"db://{secret}@host"))
        edit = {"changes": [{"path": "data/secrets.eyaml", "text": f"db::password: {self.encrypted(second)}\n"}]}
        for more in ("", "?blame=1", "?explain=", "?blame=1&explain="):
            self.ask(service, "GET", f"{API}/nodes/web/values{more}")
            for key in ("db::password", "db::url", "db::users", "db::users.ann.password", "db::password.more", "broken", "db::passwort"):
                self.ask(service, "GET", f"{API}/nodes/web/values/{key}{more}")
            self.ask(service, "POST", f"{API}/evaluate{more}", {"node": "web", "keys": ["db::password", "db::url", "broken"]})
            self.ask(service, "GET", f"{API}/snapshot{more}")
        for path in ("", "/files", "/files/data/secrets.eyaml", "/layers", "/nodes", "/nodes/web", "/nodes/web/keys", "/search?q=canary", "/search?q=db"):
            self.ask(service, "GET", API + path)
        for path in ("/diff", "/impact", "/check", "/set"):
            self.ask(service, "POST", API + path, {**edit, "item": "db::password", "value": "x", "for": ["web"]} if path == "/set" else edit)
        self.ask(service, "GET", "/hiera/up/web/db::url", clear=True)  # For machines, the right is enough.
        self.watch(service, edit)

    def named(self, service):
        """A site of each dialect whose secrets are told by their names."""
        hiera, inventory, heat, bindings, cloud, documents = (self.canaries.new(f"a name, {dialect}") for dialect in ("hiera", "inventory", "heat", "bindings", "cloud-init", "deckhand"))
        control = "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: [site]}\n"
        sites = {
            "hiera": {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "nodes.json": '[{"name": "web", "facts": {}}]',
                      "data/c.yaml": f"db::password: {hiera}\ndb::url: \"db://%{{lookup('db::password')}}@host\"\n",
                      ".strata.yaml": "projects: {p: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"},
            "inventory": {"nodes/web.yml": "classes: [db]\n", "classes/db.yml": f"parameters:\n  password: {inventory}\n  url: 'db://${{password}}@host'\n", ".strata.yaml": "projects: {p: {verb: inventory}}\n"},
            "heat": {"stack.yaml": "heat_template_version: 2018-08-31\nparameters: {root_password: {type: string}}\n", "env/one.yaml": f"parameters: {{root_password: {heat}}}\n",
                     ".strata.yaml": "projects: {p: {verb: compose, template: stack.yaml, environment-directory: [env]}}\n"},
            "bindings": {"manifests/site.pp": "", "facts/web.yaml": "{}\n", ".strata.yaml": "projects: {p: {verb: inject, confdir: ., nodes: facts}}\n",
                         "bindings/default.pp": f"bindings default {{\n  bind 'db::password' to '{bindings}'\n  bind 'db::url' to inject('db::password')\n"
                                                "}\n"},
            "cloud-init": {"web.yaml": f"#cloud-config\npassword: {cloud}\nhostname: web\n", ".strata.yaml": "projects: {p: {verb: merge, args: [web.yaml]}}\n"},
            "deckhand": {"site.yaml": f"---\n{control}---\nschema: example/Kind/v1\nmetadata: {{schema: metadata/Document/v1, name: s, layeringDefinition: {{layer: site}}}}\n"
                                      f"data: {{password: {documents}}}\n", ".strata.yaml": "projects: {p: {verb: render, args: [site.yaml]}}\n"}}
        for dialect, files in sites.items():
            place = f"/strata/v1/sites/named-{dialect}"
            self.ask(service, "PUT", place, {"dialect": dialect, "secret_keys": ["password$"]})
            self.assertEqual(self.ask(service, "PUT", f"{place}/tree", {"files": files})[0], 201, dialect)
            status, data = self.ask(service, "GET", f"{place}/nodes")
            self.assertEqual(status, 200, f"{dialect}: {data}")
            nodes = json.loads(data)["nodes"]
            clear = self.ask(service, "GET", f"{place}/nodes/{nodes[0]}/values?secrets=clear", clear=True)[1]
            self.assertIn(f"a name, {dialect}", self.canaries.found(clear), dialect)
            path, text = next((path, text) for path, text in files.items() if "canary" in text)
            # The value where a number must be, and a secret in what cannot be read.
            broken = {"bindings": text.replace("}\n", f"  bind Integer, 'port::password' to '{bindings}'\n}}\n"),
                      "hiera": text + "lookup_options: {db::password: {convert_to: Integer}}\n"}.get(dialect, text + "\n\tpassword: [\n")
            edits = [{"changes": [{"path": path, "text": more}]} for more in (text + "\n# an edit\n", broken)]
            for more in ("", "?blame=1", "?explain=", "?blame=1&explain="):
                for node in nodes[:2]:
                    self.ask(service, "GET", f"{place}/nodes/{node}/values{more}")
                    for key in ("db::password", "db::url", "password", "root_password", "db::passwort"):
                        self.ask(service, "GET", f"{place}/nodes/{node}/values/{key}{more}")
                self.ask(service, "GET", f"{place}/snapshot{more}")
            for path in ("", "/files", "/layers", "/nodes", "/search?q=canary&in=values", "/search?q=canary&in=keys"):
                self.ask(service, "GET", place + path)
            for path in ("/diff", "/impact", "/check"):
                for edit in edits:
                    self.ask(service, "POST", place + path, edit)

        secret = self.canaries.new("facts of a node")
        place = "/strata/v1/sites/named-hiera"
        self.assertEqual(self.ask(service, "PUT", f"{place}/nodes/stored", {"facts": {"password": secret}})[0], 201)
        for path in ("/nodes", "/nodes/stored", "/nodes/stored/values", "/snapshot"):
            self.ask(service, "GET", place + path)

    def watch(self, service, edit):
        connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
        connection.request("GET", f"{API}/watch?node=*&key=db::password&key=db::users&value=1", headers=self.credentials)
        stream = connection.getresponse()
        seen = stream.readline()
        self.assertEqual(self.ask(service, "PATCH", f"{API}/tree", edit)[0], 200)
        while b"event: changed" not in seen and b"event: error" not in seen:
            seen += stream.readline()
        self.clean(seen + stream.readline(), "events")
        connection.close()

    def stacks(self, service):
        given, stored, later = (self.canaries.new(f"a hidden parameter {how}") for how in ("given", "of an environment file", "of an update"))
        place = "/v1/default/stacks"
        body = {"stack_name": "one", "template": TEMPLATE, "parameters": {"password": given}, "environment": {},
                "files": {"env.yaml": json.dumps({"parameters": {"password": stored}})}, "environment_files": ["env.yaml"]}
        status, data = self.ask(service, "POST", place, body)
        self.assertEqual(status, 201, data)
        stack = f"{place}/one/{json.loads(data)['stack']['id']}"
        # These two echo what the request brought.
        self.ask(service, "POST", f"{place}/preview", {**body, "stack_name": "two"}, clear=True)
        self.ask(service, "POST", "/v1/default/validate", {"template": TEMPLATE, "environment": {"parameters": {"password": given}}}, clear=True)
        self.ask(service, "PATCH", stack, {"parameters": {"password": later}, "files": {}})
        self.ask(service, "PATCH", stack, {"parameters": {"password": {"no": later}}, "files": {}})
        for path in ("", "/template", "/environment", "/files", "/outputs", "/outputs/size", "/events", "/resources", "/export"):
            self.ask(service, "GET", stack + path)
        for path in (place, f"{place}/detail", f"{place}?password={secrets.token_hex(2)}"):
            self.ask(service, "GET", path)

    def buckets(self, service):
        secret = self.canaries.new("an encrypted document")
        documents = f"""---
schema: deckhand/LayeringPolicy/v1
metadata: {{schema: metadata/Control/v1, name: policy}}
data: {{layerOrder: [site]}}
---
schema: example/Password/v1
metadata: {{schema: metadata/Document/v1, name: password, storagePolicy: encrypted, layeringDefinition: {{layer: site, abstract: false}}}}
data: {secret}
---
schema: example/User/v1
metadata:
  schema: metadata/Document/v1
  name: user
  storagePolicy: encrypted
  layeringDefinition: {{layer: site, abstract: false}}
  substitutions: [{{dest: {{path: .password}}, src: {{schema: example/Password/v1, name: password, path: .}}}}]
data: {{}}
"""
        status, data = self.ask(service, "PUT", "/api/v1.0/buckets/a/documents", documents, "application/x-yaml", clear=True)
        self.assertEqual(status, 200, data)
        status, data = self.ask(service, "GET", "/api/v1.0/revisions/1/rendered-documents?cleartext-secrets=true", clear=True)
        self.assertIn("an encrypted document", self.canaries.found(data))
        self.ask(service, "PUT", "/api/v1.0/buckets/a/documents", documents.replace("layer: site, abs", "layer: sit, abs"), "application/x-yaml")
        self.ask(service, "PUT", "/api/v1.0/buckets/a/documents", documents.replace("substitutions: [", "substitutions: [["), "application/x-yaml")
        for path in ("", "/1", "/1/validations", "/1/tags"):
            self.ask(service, "GET", f"/api/v1.0/revisions{path}")

    def test_canaries(self):
        store = os.path.join(self.folder, "store.db")
        admin = subprocess.run([STRATA, "token", "create", "--store", f"sqlite:{store}", "--role", "admin", "--role", "secret-reader"], capture_output=True, text=True,
                               timeout=HANGS, check=True).stdout.split()[-1]
        self.credentials = {"Authorization": f"Bearer {admin}", "X-Auth-Token": admin}
        self.canaries.texts["a token"] = admin.split("_", 2)[2]
        key = secrets.token_hex(32)
        self.canaries.texts["the key"] = key
        config = os.path.join(self.folder, "strata.yaml")
        with open(config, "w", encoding="utf-8") as file:
            file.write(f"auth: [tokens]\nstore: sqlite:{store}\nkey: env:STRATA_TEST_KEY\n")
        with Service(STRATA, "--config", config, "--store", f"sqlite:{store}", folder=self.folder, environment={**os.environ, "STRATA_TEST_KEY": key}) as service:
            self.site(service)
            self.named(service)
            self.stacks(service)
            self.buckets(service)
            for path in ("/metrics", "/readyz", "/healthz", "/strata/v1/audit", "/strata/v1/changes", "/strata/v1/tokens", "/strata/v1/sites", "/strata/v1/projects"):
                self.ask(service, "GET", path)
            process = f"/proc/{service.process.pid}"
            for name in ("cmdline", "comm"):
                with open(f"{process}/{name}", "rb") as file:
                    self.clean(file.read(), name)
            with open(service.log_path, "rb") as log:
                self.clean(log.read(), "the log")
            self.files(service, store)
            service.process.send_signal(signal.SIGKILL)  # What a crash leaves.
            service.process.wait(HANGS)
            self.files(service, store)
        with open(os.path.join(self.folder, "store.key"), "w", encoding="utf-8") as file:
            file.write(key)
        os.chmod(os.path.join(self.folder, "store.key"), 0o600)
        exported = os.path.join(self.folder, "exported")
        subprocess.run([STRATA, "store", "export", "--store", f"sqlite:{store}", "--key", os.path.join(self.folder, "store.key"), exported], check=True,
                       capture_output=True, timeout=HANGS)
        unpacked = subprocess.run(["zstd", "-dc", exported], capture_output=True, timeout=HANGS, check=True).stdout if shutil.which("zstd") else b""
        self.clean(unpacked, "the export")
        self.assertGreater(len(self.canaries.texts), 6)
        self.assertGreater(self.answers.count(200), 40)

    def files(self, service, store):
        names = glob.glob(store + "*") + [service.log_path]
        self.assertGreater(len(names), 1)
        for name in names:
            with open(name, "rb") as file:
                self.clean(file.read(), name)


if __name__ == "__main__":
    unittest.main()
