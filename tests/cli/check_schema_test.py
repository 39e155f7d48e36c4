#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""strata check merge against a JSON schema of cloud-init: findings of parts and results, deprecations, crashes, network configurations.

Usage: check_schema_test.py BINARY
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
APPEND = "merge_how: list(append)+dict(recurse_array)+str()\n"
# The forms that cloud-init's own schema uses.
SCHEMA = {
    "$schema": "http://json-schema.org/draft-04/schema#",
    "$defs": {
        "users": {"type": "object", "properties": {"users": {"type": "array", "items": {"$ref": "#/$defs/user"}}}},
        "user": {"type": "object", "additionalProperties": False, "required": ["name"], "properties": {
            "name": {"type": "string"},
            "expiredate": {"type": "string", "format": "date"},
            "ssh_authorized_keys": {"type": "array", "items": {"type": "string"}, "minItems": 1},
            "ssh-authorized-keys": {"type": "array", "deprecated": True, "deprecated_version": "18.3", "deprecated_description": "Use ``ssh_authorized_keys``."}}},
        "files": {"type": "object", "properties": {"write_files": {"type": "array", "items": {
            "type": "object", "additionalProperties": False, "required": ["path"],
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}, "permissions": {"type": "string"}}}}}},
        "runcmd": {"type": "object", "properties": {"runcmd": {"type": "array", "items": {
            "oneOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}, {"type": "null"}]}}}},
        "disks": {"type": "object", "properties": {"disk_setup": {"type": "object", "patternProperties": {"^/dev/": {"type": "object"}}, "additionalProperties": False}}}},
    "allOf": [{"$ref": "#/$defs/users"}, {"$ref": "#/$defs/files"}, {"$ref": "#/$defs/runcmd"}, {"$ref": "#/$defs/disks"}],
    "properties": {name: {} for name in ("users", "write_files", "runcmd", "disk_setup", "hostname", "merge_how", "packages")},
    "additionalProperties": False}
NETWORK = {"oneOf": [{"type": "object", "required": ["version", "config"], "additionalProperties": False, "properties": {
    "version": {"enum": [1]}, "config": {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/anyOf_type_physical"}, {"$ref": "#/$defs/anyOf_type_vlan"}]}}}}],
    "$defs": {"anyOf_type_physical": {"required": ["name"], "properties": {"type": {"enum": ["physical"]}, "mtu": {"type": "integer"}}},
              "anyOf_type_vlan": {"required": ["vlan_id"], "properties": {"type": {"enum": ["vlan"]}, "vlan_id": {"type": "integer"}}}}}


class Schemas(unittest.TestCase):
    def run_check(self, files, *words, status=(0, 1)):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {"schema.json": SCHEMA, **files}.items():
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text if isinstance(text, str) else json.dumps(text))
            done = subprocess.run([STRATA, "check", "--output", "json", *words], cwd=folder, capture_output=True, text=True, timeout=600, check=False)
            self.assertIn(done.returncode, status, done.stderr)
            return json.loads(done.stdout)["findings"] if done.stdout else done.stderr

    def findings(self, files, *words):
        return [(one["severity"], one["code"].removeprefix("check."), f"{one.get('file')}:{one.get('line')}:{one.get('column')}", one["message"])
                for one in self.run_check(files, *words)]

    def of_schema(self, files, *words):
        return self.findings(files, "--select", "schema,deprecated", *words)

    def test_names_and_types_at_all_depths(self):
        files = {"a.yaml": """#cloud-config
hostnam: a
users:
  - name: ann
    ssh-authorized-keys: [ssh-rsa A]
    ssh_authorised_keys: [ssh-rsa B]
    expiredate: soon
write_files:
  - path: /etc/x
    contents: abc
    permissions: 0644
  - {content: !!binary aGk=}
runcmd: [[ls, 1], {a: 1}]
disk_setup: {ephemeral0: {}}
"""}
        self.assertEqual(self.of_schema(files, "merge", "--schema", "schema.json", "a.yaml"), [
            ("error", "schema", "a.yaml:2:1", "hostnam: Additional properties are not allowed ('hostnam' was unexpected)"),
            ("warning", "deprecated", "a.yaml:5:26", "users.0.ssh-authorized-keys: Deprecated in version 18.3. Use ``ssh_authorized_keys``."),
            ("error", "schema", "a.yaml:6:5", "users.0: Additional properties are not allowed ('ssh_authorised_keys' was unexpected)"),
            ("error", "schema", "a.yaml:7:17", "users.0.expiredate: 'soon' is not a 'date'"),
            ("error", "schema", "a.yaml:10:5", "write_files.0: Additional properties are not allowed ('contents' was unexpected)"),
            ("error", "schema", "a.yaml:11:18", "write_files.0.permissions: 420 is not of type 'string'"),
            ("error", "schema", "a.yaml:12:5", "write_files.1: 'path' is a required property"),
            ("error", "schema", "a.yaml:13:15", "runcmd.0.1: 1 is not of type 'string'"),
            ("error", "schema", "a.yaml:13:19", "runcmd.1: {'a': 1} is not of type 'array'"),
            ("error", "schema", "a.yaml:13:19", "runcmd.1: {'a': 1} is not of type 'null'"),
            ("error", "schema", "a.yaml:13:19", "runcmd.1: {'a': 1} is not of type 'string'"),
            ("error", "schema", "a.yaml:14:14", "disk_setup: 'ephemeral0' does not match any of the regexes: '^/dev/'")])
        found = {one["message"].split("(")[-1]: one for one in self.run_check(files, "--select", "schema", "merge", "--schema", "schema.json", "a.yaml")}
        self.assertEqual(found["'contents' was unexpected)"]["hint"], "did you mean 'content'?")
        self.assertEqual(found["'contents' was unexpected)"]["path"], "/write_files/0/contents")
        self.assertEqual(found["'ssh_authorised_keys' was unexpected)"]["hint"], "did you mean 'ssh_authorized_keys'?")

    def test_parts_and_their_result(self):
        # A value that a later part hides is wrong where it is; one that both have is one finding.
        files = {"a.yaml": "#cloud-config\nwrite_files: [{path: 1}]\nruncmd: 5\n", "b.yaml": f"#cloud-config\n{APPEND}write_files: [{{path: 2}}]\n",
                 "c.yaml": "#cloud-config\nruncmd: [a]\n"}
        self.assertEqual(self.of_schema(files, "merge", "--schema", "schema.json", "a.yaml", "b.yaml", "c.yaml"), [
            ("error", "schema", "a.yaml:2:22", "write_files.0.path: 1 is not of type 'string'"),
            ("error", "schema", "a.yaml:3:9", "runcmd: 5 is not of type 'array'"),
            ("error", "schema", "b.yaml:3:22", "write_files.0.path: 2 is not of type 'string'")])
        # Of base configuration the result alone is looked at.
        files = {"base.cfg": "hostname: x\nusers: [1]\ndatasource_list: []\n", "v.yaml": "#cloud-config\nrunkmd: []\n", "u.yaml": "#cloud-config\npackages: [a]\n"}
        self.assertEqual(self.of_schema(files, "merge", "--schema", "schema.json", "--base", "base.cfg", "--vendor-data", "v.yaml", "u.yaml"), [
            ("error", "schema", "base.cfg:2:9", "users.0: 1 is not of type 'object'"),
            ("error", "schema", "v.yaml:2:1", "runkmd: Additional properties are not allowed ('runkmd' was unexpected)")])

    def test_parts_in_messages_and_templates(self):
        mime = ("MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n--B\nContent-Type: text/cloud-config\n\n#cloud-config\nruncmd: x\n--B\n"
                "Content-Type: text/jinja2\n\n## template: jinja\n#cloud-config\nusers: {{ v1.u }}\n--B--\n")
        files = {"m": mime, "i.json": {"v1": {"u": 7}}}
        self.assertEqual([one[2:] for one in self.of_schema(files, "merge", "--schema", "schema.json", "--instance-data", "i.json", "m")],
                         [("m:8:9", "runcmd: 'x' is not of type 'array'"), ("m:14:8", "users: 7 is not of type 'array'")])

    def test_keys_outside_the_schema(self):
        files = {"a.yaml": "#cloud-config\nvendor_data2: {enabled: false}\nwarnings: {}\ndatasource_list: [NoCloud]\nmine: 1\n"}
        words = ("merge", "--schema", "schema.json", "a.yaml")
        self.assertEqual([one[2] for one in self.of_schema(files, *words)], ["a.yaml:5:1"])
        self.assertEqual([one[1] for one in self.findings(files, *words)], ["schema"], "one finding for a name")
        files[".strata-check.yaml"] = "version: 1\nknown: {cloud-config: [mine]}\n"
        self.assertEqual(self.of_schema(files, *words), [])
        files["a.yaml"] = "#cloud-config\nmine2: 1  # strata: allow schema because our image reads it\n"
        self.assertEqual(self.of_schema(files, *words), [])

    def test_which_schema(self):
        files = {"a.yaml": "#cloud-config\nruncmd: 5\n"}
        self.assertEqual([one[1] for one in self.findings(files, "merge", "--schema", "schema.json", "a.yaml")], ["schema"])
        self.assertEqual([one[1] for one in self.findings(files, "--schema", "schema.json", "merge", "a.yaml")], ["schema"])
        self.assertEqual([one[1] for one in self.findings(files, "merge", "--schema", "builtin", "a.yaml")], ["wrong-type"])
        # Selected codes of the table are reported beside a schema.
        self.assertEqual([one[1] for one in self.findings(files, "--select", "wrong-type", "merge", "--schema", "schema.json", "a.yaml")], ["wrong-type"])
        self.assertIn("there is no such file", [one[3] for one in self.findings(files, "merge", "--schema", "none.json", "a.yaml")])
        # A schema may be anywhere: naming it opens this one file.
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "s.json")
            with open(name, "w", encoding="utf-8") as file:
                json.dump(SCHEMA, file)
            self.assertEqual([one[1] for one in self.findings(files, "merge", "--schema", name, "a.yaml")], ["schema"])
        self.assertIn("belong to a check", subprocess.run([STRATA, "merge", "--schema", "builtin", "a.yaml"], capture_output=True, text=True, check=False).stderr)
        done = subprocess.run([STRATA, "check", "--schema", "builtin", "compose", "-e", "a.yaml"], capture_output=True, text=True, check=False)
        self.assertIn("go with merge", done.stderr)

    def test_hostile_schemas(self):
        files = {"a.yaml": "#cloud-config\nruncmd: [aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab]\n"}
        for text, code in [("{", "json.syntax"), ("[]", "cloud-config.schema"), ('{"type": "x"}', "cloud-config.schema"),
                           ('{"$ref": "#"}', "limit.depth"), ('{"$ref": "#/$defs/x"}', "cloud-config.schema-reference"),
                           ('{"properties": {"runcmd": {"items": {"pattern": "(("}}}}', "cloud-config.schema"),
                           ('{"patternProperties": {"((": {}}}', "regex.syntax"), ("[" * 100000, "limit.depth"),
                           ('{"$ref": "http://example.org/schema"}', "cloud-config.schema-reference")]:
            with self.subTest(text[:40]):
                found = self.run_check({**files, "s.json": text}, "merge", "--schema", "s.json", "a.yaml")
                self.assertEqual([(one["code"], one["severity"]) for one in found][:1], [(code, "error")], found)
        slow = {"properties": {"runcmd": {"items": {"pattern": "^(a|a)*$"}}}}
        found = self.run_check({**files, "s.json": slow}, "--select", "schema", "merge", "--schema", "s.json", "a.yaml")
        self.assertIn(found[0]["code"], ("limit.regex", "check.schema"), found)

    def test_crashes(self):
        files = {"a.yaml": "#cloud-config\nwrite_files:\nruncmd: []\nmounts: [[a, b], ~]\nusers: [~, {name: x}]\nfqdn: ~\nhostname: h\n"}
        self.assertEqual([one for one in self.findings(files, "merge", "--schema", "builtin", "a.yaml") if one[1] == "cloudinit.crash"], [
            ("error", "cloudinit.crash", "a.yaml:2:1", "write_files: null, with which the module write_files of cloud-init 22.4.2 to 26.2 ends with TypeError"),
            ("error", "cloudinit.crash", "a.yaml:4:18", "mounts.1: null, with which the module mounts of cloud-init 22.4.2 to 24.2 ends with TypeError"),
            ("error", "cloudinit.crash", "a.yaml:5:9", "users.0: null, with which the module users_groups of cloud-init 22.4.2 to 26.2 ends with TypeError"),
            ("error", "cloudinit.crash", "a.yaml:6:7", "fqdn: null, with which the module set_hostname of cloud-init 22.4.2 to 24.4 ends with AttributeError")])
        # The result counts: a later part may give a value.
        files["b.yaml"] = "#cloud-config\nwrite_files: []\nmounts: []\nusers: []\nfqdn: x\n"
        self.assertEqual([one for one in self.findings(files, "merge", "--schema", "builtin", "a.yaml", "b.yaml") if one[1] == "cloudinit.crash"], [])

    def test_network_configurations(self):
        files = {"n.json": NETWORK, "n.yaml": "version: 1\nconfig:\n  - {type: vlan, vlan_id: x}\n  - {type: physical, name: eth0, mtu: 9000}\nother: 1\n"}
        words = ("merge", "--schema", "n.json", "--schema-type", "network-config", "n.yaml")
        self.assertEqual([one[2:] for one in self.of_schema(files, *words)], [
            ("n.yaml:3:27", "config.0.vlan_id: 'x' is not of type 'integer'")])
        files["n.yaml"] = "version: 1\nconfig: []\nother: 1\n"
        self.assertEqual(self.of_schema(files, *words), [("error", "schema", "n.yaml:3:1", "other: Additional properties are not allowed ('other' was unexpected)")])
        files["n.yaml"] = "version: 1\nconfig: []\n"
        self.assertEqual(self.findings(files, *words), [])
        self.assertIn("one PART", self.run_check(files, *words, "n.yaml", status=(2, 3)))


if __name__ == "__main__":
    unittest.main()
