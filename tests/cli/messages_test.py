#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Messages of the real program: they name the cause, all mistakes of a file, and a way out that works.

usage: messages_test.py STRATA
"""
import base64
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from serving import Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
ROOT = pathlib.Path(__file__).resolve().parents[2]
HANGS = 600  # Seconds: against hangs only, machines are loaded.
FACTS = {"hostname": "n1", "domain": "", "fqdn": "n1", "clientcert": "n1", "role": "web"}
SITE = "environments/production/"
HIERARCHY = "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n"


class Messages(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def place(self, **files):
        for name, text in files.items():
            self.place_at(name, text)

    def place_at(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())

    def run_strata(self, *arguments, status=0, environment=None):
        done = subprocess.run([STRATA, *arguments], cwd=self.folder, capture_output=True, text=True, check=False, timeout=HANGS, stdin=subprocess.DEVNULL,
                              env=environment)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def told(self, *arguments, status=0):
        return self.run_strata(*arguments, status=status).stderr

    def has(self, told, *texts):
        for text in texts:
            self.assertIn(text, told)


class DuplicateKeys(Messages):
    def test_yaml_names_the_key_and_both_places(self):
        self.place_at("a.yaml", "#cloud-config\npower_state: {delay: 1, on: reboot, yes: y}\nx: 1\nx: 2\n")
        self.has(self.told("merge", "a.yaml"),
                 "a.yaml:2:37: warning: a.yaml (part-001): duplicate key 'yes', the same key as 'on': the earlier value is lost [cloud-config.repeated-key]",
                 "a.yaml:2:25: note: the earlier one", "or quote them", "a.yaml:4:1: warning: a.yaml (part-001): duplicate key 'x': the earlier",
                 "a.yaml:3:1: note: the earlier one")

    def test_each_dialect(self):
        documents = "---\nschema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: layering}\ndata: {layerOrder: [global, site]}\n" \
                    "---\nschema: example/Kind/v1\nmetadata:\n  schema: metadata/Document/v1\n  name: a\n  storagePolicy: cleartext\n" \
                    "  layeringDefinition: {abstract: false, layer: site}\ndata: {k: 1, k: 2}\n"
        self.place_at("site.yaml", documents)
        self.has(self.told("render", "site.yaml"), "site.yaml:12:14: warning: ", "duplicate key 'k': the earlier value is lost [deckhand.repeated-key]",
                 "site.yaml:12:8: note: the earlier one")
        self.place_at("env.yaml", "parameter_defaults:\n  k: 1\n  k: 2\n")
        self.has(self.told("compose", "-e", "env.yaml"), "env.yaml:3:3: warning: duplicate key 'k'", "env.yaml:2:3: note: the earlier one")
        self.place_at("nodes/n.yml", "parameters: {k: 1, k: 2}\n")
        self.place_at("classes/c.yml", "")
        self.has(self.told("inventory", "n"), "nodes/n.yml:1:20: warning: duplicate key 'k'", "nodes/n.yml:1:14: note: the earlier one")

    def test_each_reader_of_hiera(self):
        self.place_at("facts.json", json.dumps(FACTS))
        self.place_at(SITE + "hiera.yaml", "version: 5\nversion: 5\nhierarchy:\n  - {name: y, path: a.yaml}\n  - {name: j, path: a.json, data_hash: json_data}\n"
                                           "  - {name: h, path: a.conf, data_hash: hocon_data}\n")
        self.place_at(SITE + "data/a.yaml", "k: {b: 1, b: 2}\n")
        self.place_at(SITE + "data/a.json", '{"j": 1,\n "j": 2}\n')
        self.place_at(SITE + "data/a.conf", "h = 1\nh = 2\no { a = 1 }\no { b = 2 }\np = [1]\np += 2\nq = x\nq = ${q}y\n")
        told = self.told("lookup", "--codedir", ".", "--facts", "facts.json", "--merge", "hash", "o")
        data = SITE + "data/"
        self.has(told, SITE + "hiera.yaml:2:1: warning: duplicate key 'version'", SITE + "hiera.yaml:1:1: note", data + "a.yaml:1:11: warning: duplicate key 'b'",
                 data + "a.yaml:1:5: note", data + "a.json:2:2: warning: duplicate key 'j'", data + "a.json:1:2: note",
                 data + "a.conf:2:1: warning: duplicate key 'h'", data + "a.conf:1:1: note")
        self.assertEqual(told.count("duplicate key"), 4, told)


class Hiera(Messages):
    def setUp(self):
        super().setUp()
        self.place_at("facts.json", json.dumps(FACTS))
        self.place_at(SITE + "hiera.yaml", HIERARCHY)

    def look_up(self, key, *options, status=0):
        return self.told("lookup", "--codedir", ".", "--facts", "facts.json", *options, key, status=status)

    def data(self, text):
        self.place_at(SITE + "data/common.yaml", text)

    def test_warnings_about_options_have_the_place_of_the_option(self):
        self.place_at(SITE + "hiera.yaml", "version: 5\nhierarchy:\n  - name: secrets\n    lookup_key: eyaml_lookup_key\n    path: common.yaml\n    options:\n"
                                           "      pkcs7_private_key: '/%{confdir}/a'\n      pkcs7_public_key: '/%{confdir}/b'\n"
                                           "  - name: second\n    path: other.yaml\n    datadir: '%{nowhere}/data'\n")
        self.data("k: plain\n")
        told = self.look_up("k", "--compat", "puppet7")
        self.has(told, "hiera.yaml:7:26: warning", "hiera.yaml:8:25: warning", "hiera.yaml:11:14: warning")

    def test_one_run_reports_all_mistakes_of_hiera_yaml(self):
        self.place_at(SITE + "hiera.yaml", "version: 5\ndefaults:\n  datdir: hieradata\nhierarchy:\n  - name: node\n    paths: \"nodes/%{trusted.certname}.yaml\"\n"
                                           "  - name: common\n    path: common.yaml\n    data_hash: yaml\n")
        place = SITE + "hiera.yaml:"
        wanted = [place + "3:3: error: defaults: unrecognized key 'datdir' [hiera.config]", "did you mean 'datadir'?",
                  place + "6:12: error: hierarchy[0].paths: expects a sequence, got text [hiera.config]",
                  place + "9:16: error: Unable to find 'data_hash' function named 'yaml' (hierarchy entry 'common') [hiera.function]",
                  "write 'data_hash: yaml_data'"]
        told = self.look_up("k", status=1)
        self.has(told, *wanted)
        self.place_at("nodes.json", json.dumps([{"certname": "n1", "facts": FACTS}]))
        self.assertEqual(self.told("lookup", "--codedir", ".", "--nodes", "nodes.json", "k", status=1), told)
        found = json.loads(self.run_strata("check", "--output", "json", "lookup", "--codedir", ".", "--nodes", "nodes.json", status=1).stdout)
        lines = {finding["line"] for finding in found["findings"]}
        self.assertTrue({3, 6, 9} <= lines, found)

    def test_contradictions_are_reported_together(self):
        self.place_at(SITE + "hiera.yaml", "version: 5\nhierarchy:\n  - {name: a, path: x, paths: [y]}\n  - {name: b, path: x, glob: y}\n  - {name: b}\n")
        told = self.look_up("k", status=1)
        self.has(told, "hiera.yaml:3:31: error", "hiera.yaml:4:30: error", "hiera.yaml:5:12: error: Hierarchy name 'b' defined more than once")

    def test_older_versions_report_all_mistakes_too(self):
        self.place_at("hiera.yaml", "version: 4\nbackends: yaml\nhierarchy:\n  - {name: a}\n  - {name: 5, backend: yaml}\n")
        told = self.look_up("k", status=1)
        self.has(told, "hiera.yaml:2:1: error: the top: unrecognized key 'backends'", "hiera.yaml:4:5: error: hierarchy[0]: expects a value for key 'backend'",
                 "hiera.yaml:5:12: error: hierarchy[1].name: expects a text, got an integer")

    def test_a_hint_below_an_error_does_not_say_what_the_value_counts_as(self):
        self.data('a: "x%{nosuch}y"\n')
        told = self.look_up("a", "--compat", "puppet8", status=1)
        self.has(told, "Undefined variable 'nosuch'", "hint: give the fact with --facts, or guard the value")
        self.assertNotIn("counts as", told)
        self.assertIn("it counts as an empty string", self.look_up("a", "--compat", "puppet7"))
        self.data("- a\n")
        self.assertNotIn("counts as", self.look_up("a", "--compat", "puppet8", status=1))
        self.assertIn("so it counts as empty", self.look_up("a", "--compat", "puppet7", status=1))

    def test_near_variables(self):
        self.data("a: 'x%{fqdm}y'\nb: 'x${fqdn}y'\nc: 'x${HOME}y'\nd: '${facts.os.family}'\n")
        self.assertIn("did you mean '%{fqdn}'?", self.look_up("a", "--compat", "puppet7"))
        self.assertIn("did you mean '%{fqdn}'?", self.look_up("a", "--compat", "puppet8", status=1))
        self.has(self.look_up("b"), "common.yaml:2:4: warning: '${fqdn}' is plain text in Hiera data [hiera.expression]", "did you mean '%{fqdn}'?")
        self.assertEqual(self.look_up("c"), "")
        self.assertIn("did you mean '%{facts.os.family}'?", self.look_up("d"))
        self.place_at(SITE + "hiera.yaml", HIERARCHY + "  - {name: role, path: '%{facts.rolle}.yaml'}\n")
        self.assertIn("did you mean 'facts.role'?", self.look_up("c"))

    def test_misspelt_members(self):
        facts = {"os": {"family": "Debian"}, "disks": {"sda": {"size": 1}}, "networking": {"interfaces": {"eth0": {"ip": "192.0.2.1"}}}}
        self.place_at("facts.json", json.dumps(facts))
        self.data("a: '%{facts.os.famly}'\nb: '%{facts.disks.sdb.size} %{facts.networking.interfaces.eth1.ip} %{facts.os.kernel}'\n")
        self.has(self.look_up("a"), "common.yaml:1:4: warning: 'facts.os.famly' is unknown: it counts as an empty string [hiera.unknown-variable]",
                 "did you mean '%{facts.os.family}'?")
        self.assertEqual(self.look_up("b"), "")

    def test_unquoted_expressions(self):
        for text in ("k: %{fqdn}\n", "k: [1, %{fqdn}]\n", "k:\n  - %{fqdn}\n", "k: {{ fqdn }}\n", "k: {{ fqdn }}.example.org\n", "k:\n  - {{ fqdn }}\n", "k: @x\n"):
            self.data(text)
            self.assertIn("hint: quote the value", self.look_up("k", status=1), text)
        self.data("%{fqdn}: 1\n")
        self.assertIn("hint: quote it", self.look_up("k", status=1))
        self.data("k: {% if a %}\n")
        self.assertIn("'{%' begins a statement of a template", self.look_up("k", status=1))


class OtherReaders(Messages):
    def test_unquoted_expressions(self):
        for text in ("parameter_defaults:\n  a: %{x}\n", "parameter_defaults:\n  a: {{ x }}\n"):
            self.place_at("env.yaml", text)
            self.assertIn("hint: quote the value", self.told("compose", "-e", "env.yaml", status=1))
            self.place_at("nodes/n.yml", text.replace("parameter_defaults", "parameters"))
            self.place_at("classes/c.yml", "")
            self.assertIn("hint: quote the value", self.told("inventory", "n", status=1))
            self.place_at("site.yaml", text)
            self.assertIn("hint: quote the value", self.told("render", "site.yaml", status=1))
        self.place_at("user.yaml", "#cloud-config\na: %{x}\n")
        self.assertIn("hint: quote the value", self.told("merge", "user.yaml"))


class Heat(Messages):
    def test_all_mistakes_of_an_environment(self):
        self.place_at("a.yaml", "parameters:\nresource_registry:\nparameter_defaults:\n  x: 1\nfoo: 1\n")
        told = self.told("compose", "-e", "a.yaml", status=1)
        self.has(told, "a.yaml:1:1: error: environment has empty section \"parameters\"", "a.yaml:2:1: error: environment has empty section \"resource_registry\"",
                 "a.yaml:5:1: error: environment has wrong section \"foo\"")
        self.assertEqual(told.count(": error: "), 3, told)

    def test_mistakes_of_several_kinds_and_files(self):
        registry = "resource_registry:\n  resources:\n    a: {hooks: pre-bogus}\n    b: {hooks: [pre-create, zzz], restricted_actions: abc}\n"
        self.place_at("a.yaml", "event_sinks:\n  - {type: odd}\n  - 5\nparameters: 3\n" + registry)
        self.place_at("b.yaml", "parameter_defaults: 5\n" + registry)
        told = self.told("compose", "-e", "a.yaml", "-e", "b.yaml", status=1)
        self.has(told, "a.yaml:2:12: error", "a.yaml:3:5: error", "a.yaml:4:13: error", "a.yaml:7:16: error", "a.yaml:8:16: error", "a.yaml:8:55: error",
                 "b.yaml:1:21: error", "b.yaml:4:16: error")

    def test_all_wrong_hooks(self):
        self.place_at("a.yaml", "resource_registry:\n  resources:\n    a: {hooks: pre-bogus}\n    b: {hooks: [pre-create, zzz], restricted_actions: abc}\n")
        told = self.told("compose", "-e", "a.yaml", status=1)
        self.has(told, "a.yaml:3:16: error", "a.yaml:4:16: error", "a.yaml:4:55: error")
        self.assertEqual(told.count(": error: "), 3, told)

    def test_names_of_values_to_explain(self):
        self.place_at("a.yaml", "parameters:\n  ComputeCount: 1\nparameter_defaults:\n  Deep: {Inner: 2}\n")
        for name, near in (("ComputeCount", "/parameters/ComputeCount"), ("parameters/ComputeCount", "/parameters/ComputeCount"),
                           ("parameters.ComputeCount", "/parameters/ComputeCount"), ("Inner", "/parameter_defaults/Deep/Inner"),
                           ("ComputCount", "/parameters/ComputeCount")):
            self.assertIn(f"write --explain={near}", self.told("compose", "-e", "a.yaml", "--explain=" + name, status=2))
        self.assertIn("did you mean '/parameters/ComputeCount'?", self.told("compose", "-e", "a.yaml", "--explain=/parameters/ComputeCoun", status=1))
        self.assertIn("--explain alone lists all paths", self.told("compose", "-e", "a.yaml", "--explain=/zzz", status=1))

    def test_the_example_is_one_for_heats_client(self):
        folder = ROOT / "examples/heat"
        environments = [word for path in sorted((folder / "environments").glob("*.yaml")) for word in ("-e", str(path))]
        done = subprocess.run([STRATA, "bundle", "-t", str(folder / "overcloud.yaml"), *environments], capture_output=True, text=True, check=False, timeout=HANGS)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("deployment/controller.yaml", done.stdout)
        self.assertIn("network/isolated.yaml", done.stdout)

    def test_an_exported_stack_is_a_state(self):
        body = {"stack_name": "web", "template": {"heat_template_version": "2018-08-31", "parameters": {"a": {"type": "string"}}},
                "files": {"e.yaml": "parameters: {a: x}\n"}, "environment_files": ["e.yaml"], "parameters": {}, "tags": "t"}
        headers = {"Content-Type": "application/json"}
        with Service(STRATA, "--auth", "none") as service:
            created = service.request("POST", "/v1/p/stacks", json.dumps(body), headers)
            identity = json.loads(created[2])["stack"]["id"]
            exported = service.request("GET", f"/v1/p/stacks/web/{identity}/export", None, headers)
            details = json.loads(service.request("GET", "/v1/p/stacks/detail?limit=0", None, headers)[2])
            stacks = json.loads(service.request("GET", "/v1/p/stacks", None, headers)[2])
        self.assertEqual(details, stacks)  # As Heat 19, whose list of details has the members of the list.
        self.place_at("state.json", exported[2])
        self.assertEqual(self.told("compose", "--existing", "state.json"), "")


class CloudInit(Messages):
    def test_lists_of_vendor_data_are_dropped(self):
        self.place_at("user.yaml", "#cloud-config\nruncmd: [touch /user]\nm: {l: [u], k: [a]}\nmerge_how: 'list(append)+dict(recurse_array)+str()'\n")
        self.place_at("vendor.yaml", "#cloud-config\nruncmd: [touch /vendor]\nm: {l: [v], k: [a], n: [x]}\nmerge_how: 'list(append)+dict(recurse_array)+str()'\n")
        told = self.told("merge", "--vendor-data", "vendor.yaml", "user.yaml")
        self.has(told, "vendor.yaml:2:1: warning: vendor-data: its list 'runcmd' is dropped, because a stronger layer has this key; mergers do not act between layers",
                 "[merge.dropped-list]", "user.yaml:2:9: note: the stronger layer's value", "as parts of one user-data", "its list 'm/l' is dropped",
                 "hint: merge_how acts where parts of one source are merged, and is gone when the layers are joined")
        self.assertEqual(told.count("merge.dropped-list"), 2, told)
        checked = self.run_strata("check", "merge", "--vendor-data", "vendor.yaml", "user.yaml", status=1)
        self.assertNotIn("or give it a merge_how", checked.stdout + checked.stderr)

    def test_mappings_of_vendor_data_are_dropped(self):
        self.place_at("user.yaml", "#cloud-config\nntp: ~\napt: false\ngrowpart: {}\n")
        self.place_at("vendor.yaml", "#cloud-config\nntp: {enabled: true}\napt: {a: 1}\ngrowpart: {mode: auto}\nfoo: {}\n")
        told = self.told("merge", "--vendor-data", "vendor.yaml", "user.yaml")
        self.has(told, "vendor.yaml:2:1: warning: vendor-data: its mapping 'ntp' is dropped", "user.yaml:2:6: note: the stronger layer's value",
                 "vendor.yaml:3:1: warning: vendor-data: its mapping 'apt' is dropped")
        self.assertEqual(told.count("merge.dropped-list"), 2, told)

    def test_base_lists_are_reported_where_mergers_are_named(self):
        self.place_at("base.cfg", "users: [default]\nbootcmd: [image]\n")
        self.place_at("user.yaml", "#cloud-config\nbootcmd: [user]\n")
        self.assertEqual(self.told("merge", "--base", "base.cfg", "user.yaml"), "")
        self.place_at("user.yaml", "#cloud-config\nbootcmd: [user]\nmerge_how: list(append)+dict()+str()\n")
        self.has(self.told("merge", "--base", "base.cfg", "user.yaml"), "base.cfg:2:1: warning: base: its list 'bootcmd' is dropped")

    def test_check_advises_a_merge_how_that_acts(self):
        self.place_at("a.yaml", "#cloud-config\npackages: [a]\n")
        self.place_at("b.yaml", "#cloud-config\npackages: [a]\n")
        checked = self.run_strata("check", "merge", "a.yaml", "b.yaml", status=1)
        self.assertIn("or give it a merge_how", checked.stdout + checked.stderr)

    def test_patches_see_user_data_only(self):
        self.place_at("vendor.yaml", "#cloud-config\npackages: [emacs]\n")
        self.place_at("user.txt", '#cloud-config-jsonp\n[{"op": "replace", "path": "/packages", "value": ["vim"]}]\n')
        self.assertIn("a patch sees the earlier parts of user-data only: no vendor data and no base configuration",
                      self.told("merge", "--vendor-data", "vendor.yaml", "user.txt"))
        self.assertNotIn("no vendor data", self.told("merge", "user.txt"))

    def test_the_declared_type_is_the_cause(self):
        head = 'Content-Type: multipart/mixed; boundary="BB"\nMIME-Version: 1.0\n\n'
        part = "--BB\nContent-Type: {}; charset=\"us-ascii\"\nContent-Disposition: attachment; filename=\"a.yaml\"\n\n{}#cloud-config\nhostname: {{{{ v1.x }}}}\n"
        self.place_at("i.json", '{"v1": {"x": "y"}}')
        self.place_at("m", head + part.format("text/cloud-config", "## template: jinja\n") + "--BB--\n")
        self.assertIn("the part is declared as text/cloud-config, so that its template header has no effect: declare it as text/jinja2",
                      self.told("merge", "m", "--instance-data", "i.json"))
        self.place_at("m", head + part.format("text/cloud-config", "") + "--BB--\n")
        self.assertIn("a template begins with the line '## template: jinja'", self.told("merge", "m", "--instance-data", "i.json"))

    def test_base_templates_without_instance_data(self):
        self.place_at("base.cfg", "## template: jinja\nhostname: {{ v1.x }}\n")
        self.assertIn("give the instance data with --instance-data", self.told("merge", "--base", "base.cfg"))

    def test_the_mapping_belongs_below_content(self):
        self.place_at("user.yaml", "#cloud-config-archive\n- packages: [c]\n")
        self.assertIn("a cloud-config belongs below 'content'", self.told("merge", "user.yaml", status=1))
        self.place_at("user.yaml", "#cloud-config-archive\n- hostname: web\n")
        self.has(self.told("merge", "user.yaml"), "user.yaml:2:3: warning: this archive entry has no 'content': 'hostname' becomes a header of an empty part",
                 "a cloud-config belongs below 'content'")

    def test_data_that_are_compressed_twice(self):
        config = b"#cloud-config\na: 1\n"
        twice = gzip.compress(gzip.compress(config))
        self.place_at("twice.gz", twice)
        told = self.told("merge", "twice.gz")
        self.has(told, "this is gzip data in gzip data", "[gzip.twice]", "compress it once")
        self.assertNotIn("a cloud-config begins with", told)
        self.place_at("twice.b64", base64.b64encode(twice))
        told = self.told("merge", "twice.b64")
        self.has(told, "this is the base64 form of gzip data in gzip data", "compress it once")
        self.assertNotIn("a cloud-config begins with", told)
        self.place_at("once.b64", base64.b64encode(gzip.compress(config)))
        self.assertNotIn("gzip data in gzip data", self.told("merge", "once.b64"))
        part = b"Content-Type: application/gzip\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(twice) + b"\n"
        self.place_at("m", part)
        self.assertIn("its content is gzip data again", self.told("merge", "m", status=1))


class Reclass(Messages):
    CONFIG = "storage_type: yaml_fs\ninventory_base_uri: .\ncompose_node_name: true\nignore_class_notfound: true\nallow_none_override: true\n" \
             "class_mappings:\n  - 'web* role.web'\n  - '* base'\n  - '/^dc(\\d+)\\.(.*)/ dc.\\\\1'\n"

    def setUp(self):
        super().setUp()
        for name, text in {"nodes/web1.yml": "classes: [missing.class]\nparameters: {x: 1, list: null}\n", "nodes/dc1/db1.yml": "parameters: {y: 1}\n",
                           "classes/base.yml": "parameters: {base: true, list: [1]}\n", "classes/role/web.yml": "parameters: {role: web}\n",
                           "classes/dc/1.yml": "parameters: {dc: one}\n"}.items():
            self.place_at(name, text)
        self.environment = {**os.environ, "HOME": str(self.folder / "home")}

    def inventory(self, *arguments, status=0):
        return self.run_strata("inventory", "--output", "json", *arguments, status=status, environment=self.environment)

    def test_the_configuration_of_the_working_folder(self):
        self.place_at("reclass-config.yml", self.CONFIG)
        done = self.inventory("--all")
        nodes = json.loads(done.stdout)
        self.assertEqual(sorted(nodes), ["dc1.db1", "web1"])
        self.assertEqual(nodes["dc1.db1"]["classes"], ["base", "dc.1"])
        self.assertEqual(nodes["dc1.db1"]["parameters"]["dc"], "one")
        self.assertEqual(nodes["dc1.db1"]["parameters"]["_reclass_"]["name"], {"full": "dc1.db1", "short": "dc1"})
        self.assertEqual(nodes["web1"]["classes"], ["role.web", "base", "missing.class"])
        self.assertIsNone(nodes["web1"]["parameters"]["list"])
        self.has(done.stderr, "nodes/web1.yml:1:11: warning: the class 'missing.class' does not exist: it is left out [reclass.missing-class]")

    def test_options_win(self):
        self.place_at("reclass-config.yml", self.CONFIG.replace("inventory_base_uri: .", "inventory_base_uri: elsewhere"))
        self.assertIn("elsewhere/nodes", self.inventory("--all", status=1).stderr)
        nodes = json.loads(self.inventory("--all", "--nodes-dir", "nodes", "--classes-dir", "classes").stdout)
        self.assertEqual(sorted(nodes), ["dc1.db1", "web1"])

    def test_the_configuration_of_the_user_is_for_commands_only(self):
        self.place_at("home/reclass-config.yml", self.CONFIG.replace("inventory_base_uri: .", f"inventory_base_uri: {self.folder}"))
        self.assertEqual(sorted(json.loads(self.inventory("--all").stdout)), ["dc1.db1", "web1"])
        checked = self.run_strata("check", "inventory", "--all", status=1, environment=self.environment)
        self.assertIn("missing.class", checked.stdout + checked.stderr)
        self.assertIn("[reclass.class]", checked.stdout + checked.stderr)

    def test_analyses_read_the_one_of_the_project(self):
        self.place_at("reclass-config.yml", self.CONFIG)
        checked = self.run_strata("check", "--exit-zero", "inventory", "--all", environment=self.environment)
        self.assertNotIn("[reclass.class]", checked.stdout + checked.stderr)

    def test_settings_that_are_not_there(self):
        self.place_at("reclass-config.yml", "compose_node_names: true\nignore_class_notfound: true\n")
        self.has(self.inventory("--all").stderr, "reclass-config.yml:1:1: warning: unknown setting 'compose_node_names'", "did you mean 'compose_node_name'?")
        self.place_at("reclass-config.yml", "delimiter: '/'\n")
        self.has(self.inventory("--all", status=1).stderr, "reclass-config.yml:1:12: error: the setting 'delimiter' is supported with the value \":\" only")
        self.place_at("reclass-config.yml", "class_mappings: ['/a classes']\n")
        self.assertIn("a quote or slash is not closed", self.inventory("--all", status=1).stderr)


class PythonModule(unittest.TestCase):
    def test_a_build_without_cffi_says_what_is_missing(self):
        code = "import sys\nsys.modules['cffi'] = None\nsys.argv = ['setup.py', '--name']\nexec(open('setup.py').read())\n"
        try:
            import setuptools  # noqa: F401
        except ImportError:
            self.skipTest("setuptools is missing")
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT / "python", capture_output=True, text=True, check=False, timeout=HANGS,
                              env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("strata-layers needs cffi", done.stderr)
        self.assertIn("python3-cffi", done.stderr)
        self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
