#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and machines that fetch: seeds of cloud-init, values for a Puppet server.

usage: serve_nodes_test.py STRATA
"""
import ast
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import yaml

from serving import HANGS, Service

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples")
NODES = """
cloud-init:
  web01: {local-hostname: web01.example.org, user-data: [platform.yaml, web.yaml], meta-data: {zone: a}}
  one: {instance-id: i-1, user-data: [platform.yaml], vendor-data: [web.yaml], network-config: net.yaml}
  broken: {user-data: [nothing.yaml]}
  outside: {user-data: [../secret]}
  whole: {user-data: [platform.yaml, web.yaml], merged: true}
"""


class Nodes(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = os.path.realpath(self.temporary.name)
        self.boot, self.fleet = os.path.join(self.folder, "boot"), os.path.join(self.folder, "fleet")
        shutil.copytree(os.path.join(EXAMPLES, "cloud-init"), self.boot)
        shutil.copytree(os.path.join(EXAMPLES, "fleet"), self.fleet)
        self.write("boot/strata-nodes.yaml", NODES)
        self.write("boot/net.yaml", "version: 2\n")
        self.write("secret", "outside\n")
        self.write("fleet/.strata.yaml", "projects: {fleet: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n")
        self.service = Service(STRATA, "--site", "boot=cloud-init:" + self.boot, "--site", "fleet=hiera:" + self.fleet)
        self.service.start()

    def tearDown(self):
        self.service.stop()
        self.service.temporary.cleanup()
        self.temporary.cleanup()

    def write(self, name, text):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write(text)

    def get(self, path, status=200):
        got, headers, text = self.service.request("GET", path)
        self.assertEqual(got, status, f"{path}: {text}")
        self.headers = headers
        return text

    def merged(self, *parts):
        run = subprocess.run([STRATA, "merge", "--output", "json", *parts], cwd=self.boot, capture_output=True, timeout=HANGS, check=True)
        return json.loads(run.stdout)

    def test_a_check_looks_at_all_seeds(self):
        check = lambda: subprocess.run([STRATA, "serve", "--check", "--store", f"sqlite:{self.folder}/check.db", "--site", "boot=cloud-init:" + self.boot],
                                       capture_output=True, text=True, timeout=HANGS, check=False)
        run = check()
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("'nothing.yaml' does not exist [site.seed]", run.stderr)
        self.assertNotIn("web01", run.stderr)
        self.write("boot/strata-nodes.yaml", "cloud-init:\n"
                   "  web01: {user-data: [platform.yaml], meta-data: {instance_id: i-1, zone: a, local-hostnam: w, region: b}}\n"
                   "  web02: {user-data: [platform.yaml], vendor_data: [web.yaml]}\n"
                   "  default: {user-data: [platform.yaml], network-config: away.yaml}\n"
                   "cloudinit: {}\n")
        run = check()
        self.assertEqual(run.returncode, 1, run.stderr)
        for told in ("strata-nodes.yaml:2:51: error: site 'boot': 'meta-data': cloud-init reads no 'instance_id' [site.seed]", "did you mean 'instance-id'?",
                     "cloud-init reads no 'local-hostnam'", "did you mean 'local-hostname'?", "'vendor_data'", "did you mean 'vendor-data'?",
                     "'away.yaml' does not exist [site.seed]", "'cloudinit'"):
            self.assertIn(told, run.stderr)
        for told in ("'zone'", "'region'"):
            self.assertNotIn(told, run.stderr)
        self.write("boot/strata-nodes.yaml", "cloud-init:\n  web01: {user-data: [platform.yaml], meta-data: {instance-id: i-1, zone: a}}\n")
        run = check()
        self.assertEqual((run.returncode, run.stderr), (0, ""))

    def test_names_of_nodes(self):
        self.write("boot/strata-nodes.yaml", NODES + "  default: {user-data: [platform.yaml]}\n  'odd name': {user-data: [web.yaml]}\n")
        self.service.request("POST", "/strata/v1/sites/boot/refresh")
        wrong = [".x", "..", "a%2fb", "we%20ird", "a%0ab", "%C3%A9", "a" * 254]
        for name in wrong:
            for part in ("meta-data", "user-data", "vendor-data"):
                self.get(f"/cloud-init/{name}/{part}", 400)
            status, _, text = self.service.request("PUT", f"/strata/v1/sites/fleet/nodes/{name}", '{"facts": {}}', {"Content-Type": "application/json"})
            self.assertEqual((status, json.loads(text)["code"]), (400, "request.path"), name)
            self.get(f"/hiera/fleet/{name}/a?var.role=web", 400)
        for name in ("x", "a" * 253, "-a_b.C-9"):
            self.get(f"/cloud-init/{name}/meta-data")
            status, _, text = self.service.request("PUT", f"/strata/v1/sites/fleet/nodes/{name}", '{"facts": {}}', {"Content-Type": "application/json"})
            self.assertEqual(status, 201, text)
        # What the files of a site call a node is its name.
        self.assertIn("odd name", self.get("/cloud-init/odd%20name/meta-data"))

    def test_seeds(self):
        meta = yaml.safe_load(self.get("/cloud-init/web01/meta-data"))
        self.assertEqual((meta["local-hostname"], meta["zone"]), ("web01.example.org", "a"))
        self.assertEqual(self.get("/cloud-init/web01/vendor-data"), "")
        self.get("/cloud-init/web01/network-config", 404)
        self.get("/cloud-init/web01/vendor-data2", 404)
        # Several parts are a message that means what the files mean.
        self.write("boot/fetched", self.get("/cloud-init/web01/user-data"))
        self.assertEqual(self.merged("fetched"), self.merged("platform.yaml", "web.yaml"))
        # One part is its file.
        with open(os.path.join(self.boot, "platform.yaml"), encoding="utf-8") as file:
            self.assertEqual(self.get("/cloud-init/one/user-data"), file.read())
        self.assertEqual(yaml.safe_load(self.get("/cloud-init/one/meta-data"))["instance-id"], "i-1")
        self.assertEqual(self.get("/cloud-init/one/network-config"), "version: 2\n")
        # The machine stays the same when its data change.
        with open(os.path.join(self.boot, "web.yaml"), "a", encoding="utf-8") as file:
            file.write("hostname: other\n")
        self.service.request("POST", "/strata/v1/sites/boot/refresh")
        self.assertEqual(yaml.safe_load(self.get("/cloud-init/web01/meta-data")), meta)
        self.write("boot/fetched", self.get("/cloud-init/web01/user-data"))
        self.assertEqual(self.merged("fetched")["hostname"], "other")

    def test_packed_parts_and_messages_among_several(self):
        packed = gzip.compress(b"#cloud-config\npacked: 1\n", mtime=0)
        with open(os.path.join(self.boot, "packed.bin"), "wb") as file:
            file.write(packed)
        self.write("boot/message.txt", "Content-Type: text/cloud-config\nMIME-Version: 1.0\n\n#cloud-config\nmessage: é\n")
        self.write("boot/several.txt", "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"===============strata-user-data==\"\n\n"
                                       "--===============strata-user-data==\nContent-Type: text/cloud-config\n\n#cloud-config\ninner: 1\n"
                                       "--===============strata-user-data==--")
        self.write("boot/strata-nodes.yaml", NODES + "  mixed: {user-data: [packed.bin, message.txt, web.yaml, several.txt]}\n")
        self.service.request("POST", "/strata/v1/sites/boot/refresh")
        self.write("boot/fetched", self.get("/cloud-init/mixed/user-data"))
        wanted = self.merged("packed.bin", "message.txt", "web.yaml", "several.txt")
        self.assertEqual((wanted["packed"], wanted["message"], wanted["inner"]), (1, "é", 1))
        self.assertEqual(self.merged("fetched"), wanted)
        # As cloud-init itself takes it apart.
        self.need_cloud_init()
        script = ("import sys; from cloudinit import helpers, user_data\n"
                  "paths = helpers.Paths({'cloud_dir': sys.argv[2], 'run_dir': sys.argv[2]})\n"
                  "message = user_data.UserDataProcessor(paths).process(open(sys.argv[1], 'rb').read())\n"
                  "print([(part.get_content_type(), part.get_payload(decode=True).decode('latin-1')) for part in message.walk() if not part.is_multipart()])")
        run = subprocess.run(["/usr/bin/python3", "-c", script, os.path.join(self.boot, "fetched"), self.folder], capture_output=True, text=True, timeout=HANGS, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        parts = ast.literal_eval(run.stdout)
        self.assertEqual({kind for kind, _ in parts}, {"text/cloud-config"})
        read = [yaml.safe_load(text) for _, text in parts]
        self.assertEqual((len(read), read[0], read[1], read[3]), (4, {"packed": 1}, {"message": "é"}, {"inner": 1}))

    def test_machines_are_the_nodes_of_their_site(self):
        os.remove(os.path.join(self.boot, ".strata.yaml"))  # It would say which the subjects are.
        self.service.request("POST", "/strata/v1/sites/boot/refresh")
        nodes = json.loads(self.get("/strata/v1/sites/boot/nodes"))
        self.assertEqual(set(nodes["nodes"]), {"web01", "one", "broken", "outside", "whole"})
        values = json.loads(self.get("/strata/v1/sites/boot/nodes/web01/values"))
        self.assertEqual(values["value"], self.merged("platform.yaml", "web.yaml"))
        # The list of machines is not an input of their results.
        changed = {"changes": [{"path": "strata-nodes.yaml", "text": NODES.replace("whole:", "other:")}]}
        status, _, text = self.service.request("POST", "/strata/v1/sites/boot/impact", json.dumps(changed), {"Content-Type": "application/json"})
        self.assertEqual((status, json.loads(text)["code"]), (422, "site.project"), text)
        # A site may have nothing but machines.
        only = os.path.join(self.folder, "only")
        os.mkdir(only)
        self.write("only/strata-nodes.yaml", "cloud-init: {m: {user-data: []}, s: {user-data: [s.sh]}}\n")
        self.write("only/s.sh", "#!/bin/sh\n")
        with Service(STRATA, "--site", "only=cloud-init:" + only) as service:
            for machine in ("m", "s"):
                status, _, text = service.request("GET", f"/cloud-init/{machine}/meta-data")
                self.assertEqual((status, yaml.safe_load(text)["local-hostname"]), (200, machine), text)
            self.assertEqual(service.request("GET", "/cloud-init/s/user-data")[2], "#!/bin/sh\n")

    def test_merged_user_data(self):
        wanted = self.merged("platform.yaml", "web.yaml")
        for path in ("/cloud-init/web01/user-data?merged=1", "/cloud-init/whole/user-data"):
            text = self.get(path)
            self.assertTrue(text.startswith("#cloud-config\n"))
            self.assertEqual(yaml.safe_load(text), wanted)
        self.assertTrue(self.get("/cloud-init/whole/user-data?merged=0").startswith("Content-Type: multipart/mixed"))
        self.service.request("GET", "/cloud-init/whole/user-data", headers={"If-None-Match": self.headers["etag"]})

    def test_wrong_credentials_in_the_path_are_hidden_by_their_place(self):
        wrong = "hunter2-" + "x" * 40
        encoded = "".join(f"%{ord(one):02x}" for one in wrong)
        twice = encoded.replace("%", "%25")
        with Service(STRATA, "--store", f"sqlite:{self.folder}/tokens.db", "--auth", "tokens", "--site", "boot=cloud-init:" + self.boot) as service:
            paths = [f"/cloud-init/web01/{secret}{rest}" for secret in (wrong, encoded, twice, "short", "a.b") for rest in
                     ("/user-data", "/meta-data", "/", "", "/user-data/more", "/other", "//user-data", "/user-data/", "?x=1")]
            paths += [f"{before}/web01/{wrong}/user-data" for before in
                      ("//cloud-init", "/cloud-init/", "/p/default/cloud-init", "/p/x//cloud-init", "/Cloud-Init", "/cloud%2dinit", "/%63loud-init", "/p//cloud-init")]
            paths += [f"/cloud-init//web01//{wrong}//user-data", f"/cloud-init%2fweb01%2f{wrong}%2fuser-data", f"/cloud-init/web01%2f{wrong}%2fuser-data",
                      f"/cloud-init/web01/{wrong}%2fuser-data", f"/cloud-init/web01/%zz{wrong}/user-data", f"/cloud-init/web01/{wrong}%ff/user-data"]
            # Proxies and clients read these as paths of a seed.
            paths += [f"{before}/web01/{wrong}/user-data" for before in
                      ("/./cloud-init", "/x/../cloud-init", "/%2e/cloud-init", "/strata/../cloud-init", "/%2fcloud-init", "/x/%2e%2e/cloud-init", "/x/%252e%252e%252fcloud-init",
                       "/p/x/y/../cloud-init", "/p/x/../../cloud-init", "/p/./x/cloud-init", "/cloud-init;v=1", "/;x/cloud-init", "/strata%2f..%2fcloud-init", "/%5ccloud-init",
                       "/x;a/..;b/cloud-init", "/%2525252525252525252e/cloud-init")]
            paths += [f"/cloud-init%2fweb01/{wrong}/u", f"/cloud-init/web01;{wrong}/u", f"//cloud-init//web01//{wrong}", f"/cloud-init;{wrong}/web01/u", f"/cloud-init/./web01/{wrong}/u",
                      f"/cloud-init/x/../web01/{wrong}/u", f"/cloud-init/web01/./{wrong}", f"/%2fcloud-init%zz/../cloud-init/web01/{wrong}/u", f"/cloud-init%5cweb01%5c{wrong}",
                      f"/cloud-init/web01%3b{wrong}/user-data"]
            count = 0
            for path in paths:
                for method in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"):
                    status, headers, body = service.request(method, path)
                    count += 1
                    self.assertTrue(400 <= status < 500 or method == "OPTIONS", (method, path, status))
                    self.assertNotIn("hunter2", (body + str(headers)).lower(), (method, path))
                    self.assertNotIn(encoded, body, (method, path))
            self.assertIn(service.request("GET", f"/cloud-init/web01/{wrong}/user-data")[0], (401, 429))
            metrics = service.request("GET", "/metrics")[2]
            log = json.dumps(service.log(until=lambda lines: sum(line["event"] == "request" for line in lines) >= count))
            for text in (log, metrics):
                for secret in (wrong, encoded, twice, encoded[3:20], "hunter2"):
                    self.assertNotIn(secret, text)
            # Other paths stay legible: a site may have this name.
            service.request("GET", "/strata/v1/sites/cloud-init/nodes/web01/values")
            service.request("GET", "/strata/v1/sites/x/files/cloud-init%2fweb01%2fuser-data")
            service.request("GET", "/cloud-init/web01/user-data")
            paths = [line.get("path") for line in service.log(until=lambda lines: any(line.get("path") == "/cloud-init/web01/user-data" for line in lines))]
            self.assertIn("/strata/v1/sites/cloud-init/nodes/web01/values", paths)
            self.assertIn("/strata/v1/sites/x/files/cloud-init%2fweb01%2fuser-data", paths)

    def test_credentials_in_the_path(self):
        store = f"sqlite:{self.folder}/tokens.db"
        made = {}
        for node in ("web01", "one"):
            made[node] = subprocess.run([STRATA, "token", "create", "--store", store, "--role", "node", "--node", node], capture_output=True, text=True,
                                        timeout=HANGS, check=True).stdout.split()[-1]
        with Service(STRATA, "--store", store, "--auth", "tokens", "--site", "boot=cloud-init:" + self.boot) as service:
            def status(path):
                return service.request("GET", path)[0]

            self.assertEqual(status("/cloud-init/web01/user-data"), 401)
            self.assertEqual(status(f"/cloud-init/web01/{made['web01']}/user-data"), 200)
            self.assertEqual(status(f"/p/default/cloud-init/web01/{made['web01']}/meta-data"), 200)
            self.assertEqual(status(f"/cloud-init/web01/{made['one']}/user-data"), 403)
            self.assertEqual(status(f"/cloud-init/web01/{made['web01'][:-1]}x/user-data"), 401)
            self.assertEqual(status(f"/cloud-init/web01/{made['web01']}/user-data/more"), 404)
            self.assertEqual(status(f"/strata/v1/sites/{made['web01']}/nodes"), 401)
            with open(service.log_path, encoding="utf-8") as log:
                text = log.read()
            for token in made.values():
                self.assertNotIn(token.split("_", 2)[2], text)
            self.assertNotIn(made["web01"].split("_", 2)[2], service.request("GET", "/metrics")[2])

    def test_machines_that_are_not_there(self):
        self.assertIn("other", self.get("/cloud-init/other/user-data", 404))
        self.write("boot/strata-nodes.yaml", NODES + "  default: {user-data: [platform.yaml]}\n")
        self.service.request("POST", "/strata/v1/sites/boot/refresh")
        self.get("/cloud-init/other/user-data")
        self.assertIn("nothing.yaml", self.get("/cloud-init/broken/user-data", 422))
        self.assertNotIn("outside", self.get("/cloud-init/outside/user-data", 400).replace("'../secret'", ""))

    def test_a_site_that_names_a_machine_has_it(self):
        shutil.copytree(self.boot, os.path.join(self.folder, "boot2"))
        self.write("boot/strata-nodes.yaml", NODES + "  default: {user-data: [platform.yaml]}\n")
        self.write("boot2/strata-nodes.yaml", "cloud-init: {solo: {user-data: [web.yaml]}, web01: {}}\n")
        with Service(STRATA, "--site", "boot=cloud-init:" + self.boot, "--site", "boot2=cloud-init:" + os.path.join(self.folder, "boot2")) as service:
            with open(os.path.join(self.boot, "web.yaml"), encoding="utf-8") as file:
                self.assertEqual(service.request("GET", "/cloud-init/solo/user-data")[::2], (200, file.read()))
            self.assertEqual(service.request("GET", "/cloud-init/nobody/user-data")[0], 200)
            self.assertEqual(service.request("GET", "/cloud-init/web01/user-data")[0], 409)
            self.write("boot2/strata-nodes.yaml", "cloud-init: {solo: {user-data: [web.yaml]}, default: {}}\n")
            service.request("POST", "/strata/v1/sites/boot2/refresh")
            self.assertEqual(service.request("GET", "/cloud-init/web01/user-data")[0], 200)
            self.assertEqual(service.request("GET", "/cloud-init/nobody/user-data")[0], 409)
            # An error of one site does not affect machines of another one; others get it with its place.
            self.write("boot2/strata-nodes.yaml", "cloud-init:\n  solo: [\n")
            service.request("POST", "/strata/v1/sites/boot2/refresh")
            self.assertEqual(service.request("GET", "/cloud-init/web01/user-data")[0], 200)
            for name in ("solo", "nobody"):
                status, _, text = service.request("GET", f"/cloud-init/{name}/user-data")
                self.assertEqual((status, "strata-nodes.yaml:3" in text, "site 'boot2'" in text), (422, True, True), text)

    def upload(self, site, files, **settings):
        for target, body, statuses in ((site, {"dialect": "cloud-init", **settings}, (200, 201)), (f"{site}/tree", {"files": files}, (201,))):
            status, _, text = self.service.request("PUT", f"/strata/v1/sites/{target}", json.dumps(body), {"Content-Type": "application/json"})
            self.assertIn(status, statuses, text)

    def patch(self, site, path, text):
        body = {"changes": [{"path": path, "text": text}]}
        status, _, text = self.service.request("PATCH", f"/strata/v1/sites/{site}/tree", json.dumps(body), {"Content-Type": "application/json"})
        self.assertEqual(status, 200, text)

    def test_a_list_of_machines_that_cannot_be_read_breaks_the_site(self):
        good = {"a.yaml": "#cloud-config\nx: 1\n", "b.yaml": "#cloud-config\nx: 2\n", "strata-nodes.yaml": "cloud-init: {m1: {user-data: [a.yaml]}}\n"}
        project = {".strata.yaml": "projects: {c: {verb: merge, args: [a.yaml]}}\n"}
        for files, node in ((good, "m1"), ({**good, **project}, "default")):
            for wrong in ("cloud-init: [", "cloud-init: [m1]\n", "[]\n"):
                for keeps in (True, False):
                    self.upload("c", files, keep_last_good=keeps)
                    generation = json.loads(self.get("/strata/v1/sites/c"))["generation"]
                    self.patch("c", "strata-nodes.yaml", wrong)
                    site = json.loads(self.get("/strata/v1/sites/c"))
                    self.assertEqual(site["error"]["file"], "strata-nodes.yaml")
                    self.assertTrue(site["error"]["line"])
                    if keeps:
                        self.assertEqual(json.loads(self.get("/strata/v1/sites/c/nodes"))["nodes"], [node])
                        self.assertEqual(json.loads(self.get(f"/strata/v1/sites/c/nodes/{node}/values"))["value"], {"x": 1})
                        self.assertEqual(self.headers["strata-stale"], str(generation))
                        self.assertEqual(self.get("/cloud-init/m1/user-data"), files["a.yaml"])
                        self.assertEqual(self.headers["strata-stale"], str(generation))
                    else:
                        broken = json.loads(self.get(f"/strata/v1/sites/c/nodes/{node}/values", 422))
                        self.assertEqual((broken["code"], broken["places"][0]["file"]), ("site.broken", "strata-nodes.yaml"))
                        self.assertIn("strata-nodes.yaml:", self.get("/cloud-init/m1/user-data", 422))
        # What is wrong with one machine breaks no other.
        self.upload("c", {**good, "strata-nodes.yaml": "cloud-init: {m1: {user-data: [a.yaml]}, m2: {user-data: 7}}\n"})
        self.get("/cloud-init/m1/user-data")
        self.get("/cloud-init/m2/user-data", 422)

    def test_machines_of_a_fleet(self):
        members = "[{name: zz, args: [u.yaml]}, {name: yy, args: [./x/u.yaml]}, {name: none, args: [gone.yaml]}]"
        project = f"projects: {{p: {{verb: merge, args: [all.yaml], vendor-data: v.yaml, fleet: {members}}}}}\n"
        files = {"u.yaml": "#cloud-config\nx: 1\n", "x/u.yaml": "#cloud-config\nx: 2\n", "all.yaml": "#cloud-config\ny: 1\n", "v.yaml": "#cloud-config\nz: 1\n"}
        other = {"o.yaml": "#cloud-config\nother: 1\n", "strata-nodes.yaml": "cloud-init: {default: {user-data: [o.yaml]}}\n"}
        self.upload("other", other)
        for fleet in ({".strata.yaml": project}, {".strata.yaml": project.replace(members, "f.yaml"), "f.yaml": members}):
            self.upload("fleet-of-machines", {**files, **fleet})
            for name, x in (("zz", 1), ("yy", 2)):
                self.assertEqual(json.loads(self.get(f"/strata/v1/sites/fleet-of-machines/nodes/{name}/values"))["value"], {"x": x, "y": 1, "z": 1})
                self.assertEqual(yaml.safe_load(self.get(f"/cloud-init/{name}/user-data?merged=1")), {"x": x, "y": 1})
                self.assertEqual(self.get(f"/cloud-init/{name}/vendor-data"), files["v.yaml"])
                self.assertEqual(yaml.safe_load(self.get(f"/cloud-init/{name}/meta-data"))["local-hostname"], name)
                self.get(f"/cloud-init/{name}/network-config", 404)
            self.assertIn("gone.yaml", self.get("/cloud-init/none/user-data", 422))
            self.assertIn("other", self.get("/cloud-init/nobody/user-data"))
        # strata-nodes.yaml adds members to a machine of the fleet, and adds machines.
        listed = "cloud-init: {zz: {instance-id: i-7, user-data: [x/u.yaml]}, more: {user-data: [u.yaml]}}\n"
        self.upload("fleet-of-machines", {**files, ".strata.yaml": project, "strata-nodes.yaml": listed})
        self.assertEqual(yaml.safe_load(self.get("/cloud-init/zz/meta-data"))["instance-id"], "i-7")
        self.assertEqual(yaml.safe_load(self.get("/cloud-init/zz/user-data?merged=1")), {"x": 1, "y": 1})
        self.assertEqual(self.get("/cloud-init/more/user-data"), files["u.yaml"])

    def test_a_site_without_files_any_more_is_as_one_that_never_had_any(self):
        self.upload("with", {"o.yaml": "#cloud-config\nother: 1\n", "strata-nodes.yaml": "cloud-init: {default: {user-data: [o.yaml]}}\n"})
        for keeps in (False, True):
            self.upload("emptied", {"a.yaml": "#cloud-config\nx: 1\n"}, keep_last_good=keeps)
            self.upload("emptied", {}, keep_last_good=keeps)
            self.assertIn("other", self.get("/cloud-init/anybody/user-data"))
            self.assertEqual(json.loads(self.get("/strata/v1/sites/emptied/nodes", 422))["code"], "site.empty")
            self.assertEqual(json.loads(self.get("/strata/v1/sites/emptied/files"))["files"], [])
            self.assertNotIn("error", json.loads(self.get("/strata/v1/sites/emptied")))
            self.patch("emptied", "b.yaml", "#cloud-config\nx: 2\n")
            self.assertEqual(json.loads(self.get("/strata/v1/sites/emptied/nodes"))["nodes"], ["default"])

    def need_cloud_init(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import cloudinit"], capture_output=True, check=False).returncode != 0:
            self.skipTest("cloud-init is not installed: script/bootstrap --differential")

    def test_cloud_init_itself_reads_a_seed(self):
        script = ("import sys; from cloudinit import util; md, ud, vd = util.read_seeded(sys.argv[1], timeout=60)[:3]; "
                  "sys.stdout.write(md['local-hostname'] + '\\n'); sys.stdout.flush(); sys.stdout.buffer.write(ud)")
        self.need_cloud_init()
        run = subprocess.run(["/usr/bin/python3", "-c", script, f"http://127.0.0.1:{self.service.port}/cloud-init/web01/"], capture_output=True, timeout=HANGS,
                             check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        name, data = run.stdout.split(b"\n", 1)
        self.assertEqual(name, b"web01.example.org")
        with open(os.path.join(self.boot, "fetched"), "wb") as file:
            file.write(data)
        self.assertEqual(self.merged("fetched"), self.merged("platform.yaml", "web.yaml"))

    def test_hiera(self):
        value = json.loads(self.get("/hiera/fleet/web01/profile::web::port"))
        self.assertEqual(value, json.loads(self.service.request("GET", "/strata/v1/sites/fleet/nodes/web01/values/profile::web::port")[2])["value"])
        tag = self.headers["etag"]
        self.assertEqual(self.service.request("GET", "/hiera/fleet/web01/profile::web::port", headers={"If-None-Match": tag})[0], 304)
        # The code distinguishes a missing value from a wrong request.
        for path, code in (("fleet/web01/nothing", "hiera.key-not-found"), ("fleet/web01/lookup_options", "hiera.key-not-found"), ("fleet/nobody/profile::web::port", "site.node"),
                           ("nothing/web01/profile::web::port", "site.unknown")):
            status, headers, _ = self.service.request("GET", f"/hiera/{path}")
            self.assertEqual((status, headers["strata-error"]), (404, code), path)
        self.assertEqual(json.loads(self.get("/hiera/fleet/new/profile::web::port?var.role=web&var.cert=new&var.dc=ams")), value)

    def test_variables_of_a_question(self):
        # The environment is not a fact; names with dots are members; `trusted` is trusted.
        files = {"hiera.yaml": "version: 5\nhierarchy: [{name: t, path: 't/%{trusted.certname}.yaml'}, {name: e, path: 'e/%{environment}.yaml'}, "
                               "{name: o, path: 'o/%{facts.os.family}.yaml'}, {name: c, path: common.yaml}]\n",
                 "data/t/one.yaml": "k: trusted\n", "data/e/prod.yaml": "k: environment\n", "data/o/Debian.yaml": "k: fact\n", "data/common.yaml": "k: common\n",
                 ".strata.yaml": "projects: {v: {verb: lookup, hiera-config: hiera.yaml}}\n"}
        site = "/strata/v1/sites/v"
        kind = {"Content-Type": "application/json"}
        self.assertEqual(self.service.request("PUT", site, '{"dialect": "hiera"}', kind)[0], 201)
        self.assertEqual(self.service.request("PUT", site + "/tree", json.dumps({"files": files}), kind)[0], 201)
        for query, value in (("var.environment=prod", "environment"), ("var.os.family=Debian", "fact"), ("var.facts.os.family=Debian", "fact"),
                             ("var.trusted.certname=one", "trusted"), ("var.trusted.certname=one&var.environment=prod", "trusted"), ("var.role=x", "common")):
            self.assertEqual(json.loads(self.get(f"/hiera/v/new/k?{query}")), value, query)


if __name__ == "__main__":
    unittest.main()
