#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Secrets through the real program: what is decrypted, encrypted or hidden never shows in blame, explanations, differences, warnings, errors or
temporary files; not in clear, not as base64, not as hex. Results show secrets where people ask for them; they are no messages.

usage: secrets_test.py STRATA
"""
import base64
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
HANGS = 600  # Seconds: against hangs only, machines are loaded.
SECRET = "Canary7Qz4Wk9Tulip"
REPORTS = (["--blame"], ["--blame=wide"], ["--explain"], ["--explain", "--wide"], ["--blame", "--output", "json"], ["--explain", "--output", "json"])


def forms_of(secret):
    """How a secret can be written: whole, and as the part of a longer base64 text that does not depend on what is around it."""
    raw = secret.encode()
    forms = {secret, raw.hex(), raw.hex().upper()}
    for before in range(3):
        part = base64.b64encode(bytes(before) + raw).decode()
        forms.add(part[(0, 2, 3)[before]:len(part) // 4 * 4 - 4])
    return sorted(forms)


FORMS = forms_of(SECRET)


class Canary(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = os.path.join(folder.name, "site")
        self.temporary = os.path.join(folder.name, "tmp")
        os.makedirs(self.folder)
        os.makedirs(self.temporary)

    def place(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def run_strata(self, *arguments, status=0, says="", is_result=False):
        """Runs the program. `is_result`: standard output is the result, which may show secrets. `says`: a part of what standard error must say."""
        environment = dict(os.environ, TMPDIR=self.temporary)
        done = subprocess.run([STRATA, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=HANGS, check=False)
        shown = f"{' '.join(arguments)}\n{done.stdout}\n{done.stderr}"
        if status is None:
            self.assertIn(done.returncode, (0, 1), shown)
        else:
            self.assertEqual(done.returncode, status, shown)
        self.assertIn(says, done.stderr, shown)
        self.assert_hidden(done.stderr, shown)
        if not is_result:
            self.assert_hidden(done.stdout, shown)
        self.assertEqual(os.listdir(self.temporary), [], shown)
        return done

    def assert_hidden(self, text, shown):
        for form in FORMS:
            self.assertNotIn(form, text, shown)

    def commit(self, message):
        git = ["git", "-c", "user.name=T", "-c", "user.email=t@example.com"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", message]):
            subprocess.run([*git, *words], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)


# YAML that its reader refuses, with the secret in each place that its messages quote.
BAD_YAML = {
    "yaml.alias": [f"*{SECRET}", f"&{SECRET} [*{SECRET}]"],
    "yaml.tag": [f"!{SECRET} x", f"!<tag:yaml.org,2002:{SECRET}> x", f"!!{SECRET} {{}}"],
    "yaml.scalar": [f"!!int {SECRET}", f"!!float '{SECRET}'", f"!!bool {SECRET}"],
    "yaml.syntax": [f"[{SECRET}", f"'{SECRET}", f"{SECRET}: b: c", f"!nope!{SECRET} x", f"%{SECRET}"],
}


class Deckhand(Canary):
    POLICY = ("---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: layering}\n"
              "data: {layerOrder: [global, site]}\n")

    @staticmethod
    def document(name, data, policy="encrypted", kind="Thing", more=""):
        return (f"---\nschema: example/{kind}/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: {name}\n  storagePolicy: {policy}\n"
                f"  layeringDefinition: {{abstract: false, layer: site}}\n{more}data:\n{data}")

    def test_documents_that_cannot_be_read(self):
        for code, texts in BAD_YAML.items():
            for text in texts:
                self.place("site.yaml", self.POLICY + self.document("a", f"  password: {text}\n"))
                for options in ([], ["--check"], ["--cleartext-secrets"], *REPORTS):
                    self.run_strata("render", "site.yaml", *options, status=1, says=f"[{code}]")
        # An anchor that is defined twice counts here, and its second value is the one.
        self.place("site.yaml", self.POLICY + self.document("a", f"  {SECRET}: 1\n  {SECRET}: 2\n"))
        self.run_strata("render", "site.yaml", says="[deckhand.repeated-key]")

    def schema(self, text):
        return (f"---\nschema: deckhand/DataSchema/v1\nmetadata: {{schema: metadata/Control/v1, name: example/Thing/v1}}\n"
                f"data:\n  $schema: http://json-schema.org/schema#\n{text}")

    def test_data_that_do_not_fit(self):
        cases = [("  additionalProperties: false\n  properties: {a: {}}\n", f"  {SECRET}: 1\n  a: 2\n"),
                 ("  additionalProperties: false\n  patternProperties: {'^b': {}}\n", f"  {SECRET}: 1\n"),
                 ("  additionalProperties: {type: integer}\n", f"  {SECRET}: text\n"),
                 (f"  patternProperties: {{'^C': {{type: integer}}}}\n", f"  {SECRET}: text\n"),
                 (f"  patternProperties: {{'^C': {{additionalProperties: false}}}}\n", f"  {SECRET}: {{x: {SECRET}}}\n"),
                 ("  properties: {a: {type: integer}}\n", f"  a: {SECRET}\n"),
                 ("  properties: {a: {enum: [b]}}\n", f"  a: {SECRET}\n"),
                 ("  properties: {a: {pattern: '^b$'}}\n", f"  a: {SECRET}\n"),
                 ("  properties: {a: {maxLength: 2}}\n", f"  a: {SECRET}\n"),
                 ("  properties: {a: {items: {type: integer}}}\n", f"  a: [1, {SECRET}]\n"),
                 ("  properties: {a: {uniqueItems: true}}\n", f"  a: [{SECRET}, {SECRET}]\n"),
                 ("  properties: {a: {oneOf: [{type: integer}, {type: boolean}]}}\n", f"  a: {{{SECRET}: {SECRET}}}\n"),
                 (f"  dependencies: {{{SECRET[:6]}: [b]}}\n  maxProperties: 0\n", f"  {SECRET}: {SECRET}\n"),
                 ("  required: [b]\n", f"  a: {SECRET}\n")]
        for schema, data in cases:
            self.place("site.yaml", self.POLICY + self.schema(schema) + self.document("a", data))
            for options in ([], ["--check"], ["--cleartext-secrets"]):
                self.run_strata("render", "site.yaml", *options, status=1, says="[deckhand.data]")

    def test_reports(self):
        source = self.document("source", f"  password: {SECRET}\n  list: [{SECRET}]\n", more="")
        substitution = ("  substitutions:\n  - dest: {path: .url, pattern: PASSWORD}\n"
                        "    src: {schema: example/Thing/v1, name: source, path: .password}\n")
        target = self.document("target", "  url: 'db://root:PASSWORD@host'\n  other: 1\n", "cleartext", "Other", substitution)
        self.place("site.yaml", self.POLICY + source + target)
        self.commit("one")
        self.run_strata("render", "site.yaml")
        self.run_strata("render", "site.yaml", "--output", "json")
        self.run_strata("render", "site.yaml", "--cleartext-secrets", is_result=True)
        for options in REPORTS:
            self.run_strata("render", "site.yaml", *options)
            self.run_strata("render", "site.yaml", "--cleartext-secrets", *options)
        self.place("site.yaml", self.POLICY + source.replace(SECRET, "another") + target.replace("other: 1", "other: 2"))
        for options in ([], ["--wide"], ["--output", "json"], ["--cleartext-secrets"], ["--cleartext-secrets", "--output", "json"]):
            self.run_strata("render", "site.yaml", "--against", "HEAD", *options, status=1)

    def test_work_on_secrets_that_fails(self):
        def substituted(source, target, dest):
            more = f"  substitutions:\n  - dest: {dest}\n    src: {{schema: example/Thing/v1, name: source, path: {source}}}\n"
            self.place("site.yaml", self.POLICY + self.document("source", f"  password: {SECRET}\n  map: {{{SECRET}: 1}}\n")
                       + self.document("target", target, "cleartext", "Other", more))
        substituted(".password.deeper", "  a: 1\n", "{path: .a}")
        self.run_strata("render", "site.yaml", status=1, says="[deckhand.")
        substituted(".password", "  a: [1]\n", "{path: .a.b.c}")
        self.run_strata("render", "site.yaml", status=1, says="[deckhand.")
        substituted(".map", "  a: text WORD\n", "{path: .a, pattern: WORD}")
        self.run_strata("render", "site.yaml")


class Heat(Canary):
    TEMPLATE = ("heat_template_version: 2018-08-31\nparameters:\n  password: {type: string, hidden: true}\n  a: {type: string, default: x}\n"
                "  m: {type: json, default: {}, hidden: true}\n")
    COMMANDS = ("compose", "parameters", "bundle")

    def test_environments_that_cannot_be_read(self):
        self.place("t.yaml", self.TEMPLATE)
        for code, texts in BAD_YAML.items():
            for text in texts:
                self.place("e.yaml", f"parameters:\n  password: {text}\n")
                for command in self.COMMANDS:
                    for options in ([], *REPORTS):
                        self.run_strata(command, "-t", "t.yaml", "-e", "e.yaml", *options, status=1, says=f"[{code}]")
                self.run_strata("compose", "-t", "t.yaml", "-e", "e.yaml", "--mask", status=1, says=f"[{code}]")

    def test_templates_that_cannot_be_read(self):
        for code, texts in BAD_YAML.items():
            for text in texts:
                self.place("t.yaml", f"heat_template_version: 2018-08-31\nparameters:\n  password: {{type: string, hidden: true}}\n"
                                     f"  other:\n    type: string\n    hidden: true\n    default: {text}\n")
                self.place("e.yaml", f"parameters: {{password: {SECRET}}}\n")
                for command in self.COMMANDS:
                    self.run_strata(command, "-t", "t.yaml", "-e", "e.yaml", status=1, says=f"[{code}]")

    def test_json_that_cannot_be_read(self):
        self.place("t.yaml", self.TEMPLATE)
        self.place("e.yaml", "{}\n")
        self.place("state.json", f'{{"parameters": {{"password": -0{SECRET}}}}}')
        self.run_strata("compose", "-t", "t.yaml", "--existing", "state.json", status=1, says="[json.syntax]")
        self.place("state.json", f'{{"parameters": {{"password": "{SECRET}"')
        self.run_strata("compose", "-t", "t.yaml", "--existing", "state.json", status=1, says="[json.syntax]")
        for value in (f"{{{SECRET}", f'{{"x": "{SECRET}" y', f"[{SECRET}]", f"*{SECRET}", f"!{SECRET} x"):
            self.run_strata("parameters", "-t", "t.yaml", "--parameter", f"m={value}", "--parameter", "password=x", status=1)

    def test_values_that_do_not_fit(self):
        for schema in ("type: number", "type: boolean", "type: string, constraints: [{length: {max: 3}}]",
                       "type: string, constraints: [{allowed_values: [a]}]", "type: string, constraints: [{allowed_pattern: a+}]", "type: json"):
            self.place("t.yaml", f"heat_template_version: 2018-08-31\nparameters:\n  p: {{{schema}, hidden: true}}\n")
            self.place("e.yaml", f"parameters:\n  p: {SECRET}\n")
            self.run_strata("parameters", "-t", "t.yaml", "-e", "e.yaml", status=1)
            self.run_strata("parameters", "-t", "t.yaml", "--parameter", f"p={SECRET}", status=1)
        for default in (f"{{{SECRET}: 1}}", f"[{SECRET}]", SECRET):
            self.place("t.yaml", f"heat_template_version: 2018-08-31\nparameters:\n  p: {{type: number, hidden: true, default: {default}}}\n")
            self.run_strata("parameters", "-t", "t.yaml", status=1)

    def test_repeated_and_wrong_sections(self):
        self.place("t.yaml", self.TEMPLATE)
        for text in (f"parameters: {{password: a, password: {SECRET}}}\n", f"parameters: {{password: {SECRET}}}\nencrypted_param_names: [password]\n"):
            self.place("e.yaml", text)
            for command in self.COMMANDS:
                self.run_strata(command, "-t", "t.yaml", "-e", "e.yaml", is_result=True, says="" if command == "bundle" else "[heat.")
        for text in (f"parameters: {{password: {SECRET}}}\nwrong: 1\n", f"wrong: {{password: {SECRET}}}\n", f"- {SECRET}\n"):
            self.place("e.yaml", text)
            for command in self.COMMANDS:
                self.run_strata(command, "-t", "t.yaml", "-e", "e.yaml", status=1, says="[heat.")

    def test_reports(self):
        self.place("t.yaml", self.TEMPLATE)
        self.place("one.yaml", f"parameters: {{password: {SECRET}, m: {{k: {SECRET}}}, a: 1}}\n")
        self.place("two.yaml", f"parameter_defaults: {{password: {SECRET}}}\nparameters: {{a: 2}}\n")
        self.commit("one")
        given = ["-t", "t.yaml", "-e", "one.yaml", "-e", "two.yaml"]
        self.run_strata("compose", *given, "--mask")
        for command in self.COMMANDS:
            self.run_strata(command, *given, is_result=True)
            for options in REPORTS:
                self.run_strata(command, *given, *options)
        self.place("one.yaml", "parameters: {password: another, m: {k: other}, a: 3}\n")
        for command in self.COMMANDS:
            for options in ([], ["--wide"], ["--output", "json"]):
                self.run_strata(command, *given, "--against", "HEAD", *options, status=1)
        # Results come from above, too.
        done = self.run_strata("parameters", *given, "--parameter", f"password={SECRET}", is_result=True)
        self.assertEqual(json.loads(done.stdout)["password"]["value"], SECRET)

    def test_defaults_of_hidden_parameters(self):
        for default in (SECRET, f"[{SECRET}]", f"{{k: {SECRET}}}"):
            self.place("t.yaml", f"heat_template_version: 2018-08-31\nparameters:\n  p: {{type: json, hidden: true, default: {default}}}\n"
                                 "resources:\n  r: {type: nested.yaml}\n")
            self.place("nested.yaml", f"AWSTemplateFormatVersion: '2010-09-09'\nParameters:\n  p: {{Type: Json, NoEcho: 'true', Default: {default}}}\n")
            self.run_strata("bundle", "-t", "t.yaml", is_result=True)
            for options in REPORTS:
                self.run_strata("bundle", "-t", "t.yaml", *options)
                self.run_strata("parameters", "-t", "t.yaml", "--file", "nested.yaml", *options, status=None)

    def test_encrypted_param_names(self):
        """An environment names them, before or behind the file with the values, also in other words."""
        template = "heat_template_version: 2018-08-31\nparameters:\n  pin: {type: string, default: x}\n  j: {type: json, default: {}}\n  a: {type: string, default: x}\n"
        self.place("t.yaml", template)
        values = f"parameters: {{pin: {SECRET}, j: {{k: {SECRET}}}, a: open}}\nparameter_defaults: {{pin: {SECRET}}}\n"
        names = {"plain": "encrypted_param_names: [pin, j]\n", "escaped": '"encrypted\\u005fparam_names": ["p\\u0069n", j]\n',
                 "folded": '? "encrypted\\\n  _param_names"\n: [pin, j]\n'}
        for text in names.values():
            for first, second in ((values, text), (text, values), (text + values, "{}\n")):
                self.place("one.yaml", first)
                self.place("two.yaml", second)
                for given in (["-t", "t.yaml", "-e", "one.yaml", "-e", "two.yaml"], ["-e", "one.yaml", "-e", "two.yaml"]):
                    self.run_strata("compose", *given, "--mask")
                    done = self.run_strata("compose", *given, is_result=True)
                    self.assertEqual(json.loads(done.stdout)["parameters"]["pin"], SECRET)
                    for command in ("compose", "bundle", *(["parameters"] if "-t" in given else [])):
                        for options in REPORTS:
                            self.run_strata(command, *given, *options)

    def test_changes_of_encrypted_parameters(self):
        self.place("t.yaml", "heat_template_version: 2018-08-31\nparameters:\n  pin: {type: string, default: x, constraints: [{length: {max: 3}}]}\n")
        self.place("e.yaml", f"parameters: {{pin: {SECRET}}}\nencrypted_param_names: [pin]\n")
        self.commit("one")
        given = ["-e", "e.yaml"]
        self.place("e.yaml", "parameters: {pin: another}\nencrypted_param_names: [pin]\n")
        for command in ("compose", "bundle"):
            for options in ([], ["--wide"], ["--output", "json"]):
                done = self.run_strata(command, *given, "--against", "HEAD", *options, status=1)
                self.assertNotIn("another", done.stdout)
        for analysis in (["diff"], ["impact"], ["log"], ["diff", "--from", "HEAD"]):
            for output in ("text", "json"):
                done = self.run_strata(*analysis, "--output", output, "compose", *given, status=None)
                self.assertNotIn("another", done.stdout)
        # A check shows no line with it.
        self.place("e.yaml", f"parameters: {{pin: {SECRET}}}\nencrypted_param_names: [pin]\n")
        self.place("f.yaml", f"parameters: {{pin: {SECRET}, q: '1'}}\nparameter_defaults: {{pin: [{SECRET}, {SECRET}]}}\n")
        for output in ("text", "json", "sarif", "github", "junit"):
            self.run_strata("check", "--output", output, "compose", "-e", "e.yaml", "-e", "f.yaml", status=None)
            self.run_strata("check", "--diff", "--select", "dead-override,never-visible,dead-item", "compose", "-e", "e.yaml", "-e", "f.yaml", status=None)
        self.run_strata("coverage", "compose", "-e", "e.yaml", "-e", "f.yaml", status=None)
        self.run_strata("set", "parameters=1", "--path", "/pin", "compose", "-e", "e.yaml", "-e", "f.yaml", status=None)
        # Nor do messages about values that do not fit.
        self.run_strata("parameters", "-t", "t.yaml", "-e", "e.yaml", status=1, says="[heat.parameter-value]")
        # A stored environment names them, too.
        self.place("state.json", json.dumps({"environment": {"parameters": {"pin": SECRET}, "encrypted_param_names": ["pin"]}}))
        self.place("g.yaml", "parameters: {q: 1}\n")
        for options in (*REPORTS, ["--mask"]):
            self.run_strata("compose", "-e", "g.yaml", "--existing", "state.json", *options)
        # A file that lists them and cannot be read.
        self.place("e.yaml", f"encrypted_param_names: [pin]\nparameters: {{pin: [{SECRET}\n")
        for command in ("compose", "bundle"):
            self.run_strata(command, *given, status=1, says="[yaml.syntax]")

    def test_passwords_without_a_template(self):
        names = ("AdminPassword", "db_passwd", "SECRET_KEY", "auth_token", "CephClientKeySecret", "rabbit_pass", "KeystoneCredential0")
        def environment(value):
            lines = "".join(f"  {name}: {value}{i}\n" for i, name in enumerate(names))
            return f"parameters:\n{lines}  open: 1\nparameter_defaults:\n{lines}"
        self.place("e.yaml", environment(SECRET))
        self.commit("one")
        self.run_strata("compose", "-e", "e.yaml", is_result=True)
        self.run_strata("compose", "-e", "e.yaml", "--mask")
        for command in ("compose", "bundle"):
            for options in REPORTS:
                self.run_strata(command, "-e", "e.yaml", *options)
        self.place("e.yaml", environment("another"))
        for command in ("compose", "bundle"):
            for options in ([], ["--wide"], ["--output", "json"]):
                done = self.run_strata(command, "-e", "e.yaml", "--against", "HEAD", *options, status=1)
                self.assertNotIn("another", done.stdout)
        self.place("e.yaml", f"parameters:\n  AdminPassword: [{SECRET}\n")
        for command in ("compose", "bundle"):
            self.run_strata(command, "-e", "e.yaml", status=1, says="[yaml.syntax]")


class Eyaml(Canary):
    """Sites with encrypted data."""

    def setUp(self):
        super().setUp()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "private.pem", "-out", "public.pem", "-subj", "/CN=x",
                        "-days", "30000"], cwd=self.folder, check=True, capture_output=True, timeout=HANGS)

    def encrypted(self, text):
        done = subprocess.run(["openssl", "cms", "-encrypt", "-aes256", "-outform", "DER", "-binary", "public.pem"], cwd=self.folder,
                              input=text.encode(), check=True, capture_output=True, timeout=HANGS)
        return f"ENC[PKCS7,{base64.b64encode(done.stdout).decode()}]"


class Hiera(Eyaml):
    def setUp(self):
        super().setUp()
        self.place("environments/production/hiera.yaml", f"""version: 5
hierarchy:
  - name: lua
    lookup_key: lua::keys
    path: common.yaml
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: {{pkcs7_private_key: {self.folder}/private.pem, pkcs7_public_key: {self.folder}/public.pem}}
  - name: common
    path: common.yaml
""")
        self.place("environments/production/data/common.yaml", "open: 1\nnamed: \"%{lookup('plain')}\"\n")
        self.lua("return {lookup_key = function(key, options, context) return context:not_found() end}\n")

    def lua(self, text):
        self.place("environments/production/lib/strata/keys.lua", text)

    def secrets(self, **values):
        self.place("environments/production/data/secrets.eyaml", "".join(f"{name}: {self.encrypted(text)}\n" for name, text in values.items()))

    def lookup(self, *arguments, **expected):
        return self.run_strata("lookup", "--codedir", ".", *arguments, **expected)

    def test_reports(self):
        self.secrets(plain=SECRET)
        self.commit("one")
        for key in ("plain", "named"):
            self.assertIn(SECRET, self.lookup(key, is_result=True).stdout)
            self.lookup(key, "--mask")
            for options in REPORTS:
                self.lookup(key, *options)
            self.lookup(f"{key}.deeper", status=1, says="[hiera.dig]")
        self.secrets(plain="another")
        for key in ("plain", "named"):
            self.lookup(key, "--against", "HEAD", status=1)
        self.lookup("--all", "--against", "HEAD", status=1)

    def test_conversions(self):
        self.secrets(plain=SECRET)
        for wanted in ("Integer", "Float", "Boolean", "Timestamp", "Timespan", "SemVer", "Enum[a]", "Pattern[/^b/]", "Regexp", "[Array, true]",
                       "[String, '%d']", "Sensitive", "Hash"):
            self.lookup("plain", "--type", wanted.split(", ")[0].strip("["), status=None, is_result=True)
            self.place("environments/production/data/common.yaml", f"lookup_options: {{plain: {{convert_to: {json.dumps(wanted)}}}}}\n".replace('"[', "[")
                       .replace(']"', "]") if wanted.startswith("[") else f"lookup_options: {{plain: {{convert_to: '{wanted}'}}}}\n")
            self.lookup("plain", status=None, is_result=True)
            for options in REPORTS:
                self.lookup("plain", *options, status=None)

    def test_interpolation_in_secrets(self):
        fails = {f"%{{nope('{SECRET}')}}", f"%{{{SECRET}('x')}}", f"x%{{alias('{SECRET}')}}", f"%{{lookup('plain.{SECRET}')}}",
                 f"%{{{SECRET}.'x}}", f"%{{lookup('{SECRET}')}}%{{lookup('circle')}}",
                 f"%{{{SECRET}}}", f"%{{{SECRET}.deeper.0}}", f"%{{::{SECRET}}}"}
        for text in (f"%{{lookup('{SECRET}')}}", f"%{{hiera('{SECRET}.x')}}",
                     f"%{{alias('{SECRET}')}}", f"%{{lookup('{SECRET}::x')}}", f"%{{literal('{SECRET}')}}", f"%{{{SECRET}", f"{SECRET}%{{",
                     f"%{{lookup('open')}}{SECRET}", *sorted(fails)):
            self.secrets(circle=text, plain="x")
            status = 1 if text in fails else 0
            self.lookup("circle", status=status, is_result=True)
            for options in REPORTS:
                self.lookup("circle", *options, status=status if not any(option.startswith("--explain") for option in options) else None)
            if status == 0:
                self.lookup("circle", "--strict", is_result=True)
            self.lookup("circle", "--compat", "puppet7", status=None, is_result=True)
            self.lookup("--all", status=status, is_result=True)
            self.lookup("--all", "--explain", status=None)

    def test_lua_that_has_seen_a_secret(self):
        secret = "context:interpolate(\"%{lookup('plain')}\")"
        self.secrets(plain=SECRET)
        bodies = [f"return context:cached_file_data({secret})",
                  f"return context:cached_file_data('nowhere/' .. {secret})",
                  f"return context:cached_file_data('environments/' .. {secret}, function(text) return text end)",
                  f"return context:interpolate(\"%{{lookup('\" .. {secret} .. \"')}}\")",
                  f"return context:interpolate(\"%{{\" .. {secret} .. \"}}\")",
                  f"return context:interpolate(\"%{{\" .. {secret} .. \"('x')}}\")",
                  f"return context:interpolate({{[\"%{{alias('open')}}\" .. {secret}] = 1}})",
                  f"error({secret})", f"error({{message = {secret}}})", f"context:explain({secret}); return 1",
                  f"return {{[{secret}] = {secret}}}", f"local x = {secret}; return x + 1", f"local t = {{}}; return t[{secret}].deeper",
                  f"context:cache({secret}, 1); return context:cached_value({secret})", f"context:cache_all({secret})",
                  f"return {secret} .. nil", f"return string.rep({secret}, -1, {{}})", f"return ({secret}):gsub('(', '')",
                  f"return tonumber('1', {secret})", f"return setmetatable({{}}, {secret})", f"return string.format('%d', {secret})",
                  f"return ({secret}):nope()", f"return string[{secret}]()", f"_G[{secret}]()"]
        for body in bodies:
            self.lua(f"return {{lookup_key = function(key, options, context)\n  if key ~= 'made' then return context:not_found() end\n"
                     f"  {body}\nend}}\n")
            self.lookup("made", status=None, is_result=True)
            self.lookup("--all", status=None, is_result=True)
            for options in REPORTS:
                self.lookup("made", *options, status=None)
            self.lookup("--all", "--explain", status=None)


class Bindings(Eyaml):
    def setUp(self):
        super().setUp()
        self.place("site.pp", "site { bindings => [ layer { 'site': include => 'confdir:/default' }, layer { 'data': include => 'hiera:' } ] }\n")
        self.place("hiera.yaml", f"""version: 5
hierarchy:
  - name: secrets
    lookup_key: eyaml_lookup_key
    path: secrets.eyaml
    options: {{pkcs7_private_key: {self.folder}/private.pem, pkcs7_public_key: {self.folder}/public.pem}}
""")
        self.place("data/secrets.eyaml", f"plain: {self.encrypted(SECRET)}\nlist:\n  - {self.encrypted(SECRET)}\n"
                                         f"circle: {self.encrypted('%{' + SECRET + '}')}\n")

    def test_reports(self):
        self.place("bindings/default.pp", "bindings default {\n  bind 'made' to \"x ${lookup('plain')}\"\n  bind 'open' to 'x'\n}\n")
        self.commit("one")
        for name in ("plain", "list", "made", "circle"):
            status = 1 if name == "circle" else 0  # It names an unknown variable.
            self.run_strata("inject", name, is_result=True, status=status)
            self.run_strata("inject", name, "--mask", status=status)
            for options in REPORTS:
                self.run_strata("inject", name, *options, status=status)
        self.run_strata("inject", "--all", "--mask", status=1)
        self.run_strata("bindings", "check", status=1)
        for name in ("plain", "made"):
            self.run_strata("bindings", "explain", name, status=None)
        for name in ("Integer", "Pattern[/^b/]", "Enum[a]"):
            self.run_strata("inject", name, "plain", status=None)
        self.place("data/secrets.eyaml", f"plain: {self.encrypted('another')}\nlist: []\ncircle: x\n")
        for name in ("plain", "made", "list"):
            self.run_strata("inject", name, "--against", "HEAD", status=1)
        self.run_strata("inject", "--all", "--against", "HEAD", status=1)

    def test_work_on_secrets_that_fails(self):
        secret = "lookup('plain')"
        for expression in (f"{secret} + 1", f"{secret}[x][y]", f"Integer({secret})", f"inject({secret})", f"lookup({secret})", f"$x = {secret}",
                           f"{secret} =~ '('", f"fail({secret})", f"{secret} ? {{ 'a' => 1 }}", f"first_found({secret})", f"Regexp({secret})",
                           f"sprintf('%d', {secret})", f"{secret}.nope", f"{{ {secret} => 1 }}[b][c]", f"inject(Integer, {secret})",
                           f"lookup(\"hiera::${{{secret}}}\")", f"split({secret}, '(')", f"regsubst({secret}, '(', 'x')", f"Regexp(\"(${{{secret}}}\")",
                           f"'a' =~ \"(${{{secret}}}\"", f"split('a', \"(${{{secret}}}\")",
                           f"Pattern[\"(${{{secret}}}\"]", f"File[{secret}]", f"'a' =~ Pattern[\"(${{{secret}}}\"]", f"assert_type(Enum[{secret}], 'a')", f"assert_type({secret}, 1)", f"assert_type(\"Enum[${{{secret}}}\", 1)",
                           f"regsubst('a', \"(${{{secret}}}\", 'x')", f"match('a', \"(${{{secret}}}\")", f"parsejson({secret})",
                           f"assert_type(Integer, {secret})", f"Enum[{secret}]", f"file({secret})", f"Timestamp({secret})", f"warning({secret})"):
            self.place("bindings/default.pp", f"bindings default {{\n  bind 'made' to {expression}\n}}\n")
            self.run_strata("inject", "made", status=None, is_result=True)
            for options in REPORTS:
                self.run_strata("inject", "made", *options, status=None)
            self.run_strata("bindings", "check", status=None)


class Findings(Canary):
    """strata check shows lines of files, but none with a secret."""

    def test_documents(self):
        self.place("d.yaml", f"""---
schema: deckhand/LayeringPolicy/v1
metadata: {{schema: metadata/Control/v1, name: policy}}
data: {{layerOrder: [global, site]}}
---
schema: ex/Net/v1
metadata: {{schema: metadata/Document/v1, name: base, storagePolicy: encrypted, labels: {{n: b}}, layeringDefinition: {{abstract: true, layer: global}}}}
data: {{mtu: 1500, password: {SECRET}, list: [{SECRET}, {SECRET}]}}
---
schema: ex/Net/v1
metadata: {{schema: metadata/Document/v1, name: site, storagePolicy: encrypted, layeringDefinition: {{layer: site, parentSelector: {{n: b}},
  actions: [{{method: merge, path: .}}]}}}}
data: {{mtu: 1500, password: {SECRET}}}
""")
        for output in ("text", "json", "sarif", "github", "junit"):
            done = self.run_strata("check", "--output", output, "render", "d.yaml", status=None)
            self.assertIn("dead-override", done.stdout)

    def test_hidden_line(self):
        """A value beside a secret, in one line."""
        self.place("a.yaml", "#cloud-config\nhostname: a\n")
        self.place("t.yaml", "heat_template_version: 2021-04-16\nparameters:\n  p: {type: string, hidden: true}\n  q: {type: string}\n")
        self.place("a.env", f"parameters: {{p: {SECRET}, q: x}}\n")
        self.place("b.env", f"parameters: {{p: {SECRET}, q: x}}\n")
        done = self.run_strata("check", "compose", "-t", "t.yaml", "-e", "a.env", "-e", "b.env", status=None)
        self.assertIn("dead-override", done.stdout)


if __name__ == "__main__":
    unittest.main()
