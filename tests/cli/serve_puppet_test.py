#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""integrations/puppet and a real Puppet: its lookups and its classifier ask a service.

usage: serve_puppet_test.py STRATA
"""
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest

import yaml

from serving import HANGS, Service
from site_serving import API, EXAMPLES, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
MODULES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "integrations", "puppet")
PUPPET = shutil.which("puppet", path="/opt/puppetlabs/bin:/usr/bin:/bin")


class Empty(http.server.BaseHTTPRequestHandler):
    """A server that has nothing."""

    def do_GET(self):
        self.send_error(404)

    def log_message(self, *_):
        """Says nothing."""


@unittest.skipUnless(PUPPET, "Puppet is not installed: script/bootstrap --differential")
class Puppet(SiteTest):
    strata = STRATA

    def puppet(self, *words, environment=None):
        places = [f"--{name}={self.path('puppet', name)}" for name in ("confdir", "vardir", "logdir", "rundir", "codedir")]
        return subprocess.run([PUPPET, *words, "--color=false", *places], cwd=self.folder, capture_output=True, text=True, timeout=HANGS, check=False,
                              env={**os.environ, "LANG": "C.UTF-8", **(environment or {})})

    def apply(self, service, code, **options):
        config = {"version": 5, "hierarchy": [{"name": "strata", "lookup_key": "strata::lookup_key", "options": {
            "url": service and f"http://127.0.0.1:{service.port}", "site": "fleet", "node": "web01", **options}}]}
        entry = config["hierarchy"][0]
        entry["options"] = {name: value for name, value in entry["options"].items() if value is not None}
        with open(self.path("hiera.yaml"), "w", encoding="utf-8") as file:
            json.dump(config, file)
        return self.puppet("apply", "--modulepath", MODULES, "--hiera_config", self.path("hiera.yaml"), "--execute", code)

    def test_lookups(self):
        with self.serve("fleet") as service:
            values = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values")["value"]
            code = "".join(f"notice('{key}', to_json_for_test(lookup('{key}')))" for key in values)
            code = "function to_json_for_test($value) { inline_template('<%= require \"json\"; JSON.generate(@value) %>') }\n" + code
            code += "notice(lookup('no::such', undef, undef, 'the default'))\nnotice(lookup('users.ann.uid'))\n"
            run = self.apply(service, code)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
            for key, value in values.items():
                line = [one for one in run.stdout.splitlines() if f" {key} " in one]
                self.assertEqual(json.loads(line[0].split(f" {key} ", 1)[1]), value)
            self.assertIn("the default", run.stdout)
            self.assertIn(str(values["users"]["ann"]["uid"]), run.stdout)
            # A key is asked for once a compilation, and connections stay open.
            asked = lambda lines: [line for line in lines if line["event"] == "request" and line["face"] == "nodes"]
            self.assertEqual(len(asked(service.log(until=lambda lines: len(asked(lines)) > len(values)))), len(values) + 1)

    def test_a_socket_of_the_host(self):
        with self.serve("fleet", more=("--listen", "127.0.0.1:0", "--listen", f"unix:{self.path('socket')}")) as service:
            wanted = self.ask(service, "GET", f"{API}/fleet/nodes/web01/values/profile::web::port")["value"]
            run = self.apply(service, "notice(lookup('profile::web::port'))", url=f"unix:{self.path('socket')}")
            self.assertIn(f": {wanted}\n", run.stdout, run.stderr)
            run = self.apply(service, "notice(lookup('profile::web::port'))", url=f"unix:{self.path('no-socket')}")
            self.assertIn("does not answer", run.stderr)

    def test_an_address_of_ipv6(self):
        with self.serve("fleet", more=("--listen", "127.0.0.1:0", "--listen", "[::1]:0")) as service:
            [address] = [line["address"] for line in service.log() if line["event"] == "listening" and line["address"].startswith("[")]
            run = self.apply(service, "notice(lookup('profile::web::port'))", url=f"http://{address}")
            self.assertEqual(run.returncode, 0, run.stderr)

    def test_only_a_missing_value_is_not_found(self):
        with self.serve("fleet") as service:
            code = "notice(lookup('no::such', undef, undef, 'the default'))"
            address = f"http://127.0.0.1:{service.port}"
            self.assertIn("the default", self.apply(service, code).stdout)
            for options, told in (({"site": "nosite"}, "unknown site 'nosite'"), ({"node": "nonode"}, "unknown node 'nonode'"),
                                  ({"url": f"{address}/wrong-path"}, "there is nothing at '/wrong-path/hiera")):
                run = self.apply(service, code, **options)
                self.assertNotEqual(run.returncode, 0, run.stdout)
                self.assertIn("strata: HTTP 404 for 'no::such': " + told, run.stderr)
        # Something else listens there.
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Empty) as other:
            thread = threading.Thread(target=other.serve_forever, daemon=True)
            thread.start()
            run = self.apply(None, code, url=f"http://127.0.0.1:{other.server_address[1]}")
            other.shutdown()
            thread.join()
        self.assertNotEqual(run.returncode, 0, run.stdout)
        self.assertIn("strata: HTTP 404", run.stderr)

    def test_options_that_are_wrong(self):
        for options, told in (({"token_fil": "x"}, "unknown options token_fil; known are url, site,"), ({"project": "@fleet"}, "unknown options project"),
                              ({"url": "nonsense"}, "the url 'nonsense' is not http://HOST:PORT"), ({"url": "ftp://a"}, "the url 'ftp://a' is not"),
                              ({"url": "http://[::1"}, "the url 'http://[::1' is not"),
                              ({"token_file": "/no/such/file"}, "the token_file '/no/such/file' cannot be read: No such file")):
            run = self.apply(None, "notice(lookup('a', undef, undef, 'the default'))", **{"url": "http://127.0.0.1:9", **options})
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn(told, run.stderr)
            self.assertNotIn("does not answer", run.stderr)

    def test_options_that_say_nothing(self):
        with self.serve("fleet") as service:
            for missing in ("url", "site", "node"):
                run = self.apply(service, "notice(lookup('profile::web::port', undef, undef, 'the default'))", **{missing: None})
                self.assertNotEqual(run.returncode, 0, missing)
                self.assertIn(f"'{missing}'", run.stderr)

    def test_nodes_that_the_site_does_not_know(self):
        with self.serve("fleet") as service:
            run = self.apply(service, "notice(lookup('profile::web::port'))", node="new", variables={"role": "web", "dc": "ams", "cert": "new"})
            wanted = self.ask(service, "POST", f"{API}/fleet/evaluate", {"facts": {"role": "web", "dc": "ams", "cert": "new"}, "keys": ["profile::web::port"]})
            self.assertIn(str(wanted["results"][0]["value"]), run.stdout, run.stderr)
            run = self.apply(service, "notice(lookup('profile::web::port'))", node="new")
            self.assertNotEqual(run.returncode, 0)

    def test_what_fails_is_an_error(self):
        with self.serve("fleet", more=("--auth", "tokens")) as service:
            run = self.apply(service, "notice(lookup('profile::web::port', undef, undef, 'the default'))")
            self.assertNotEqual(run.returncode, 0, run.stdout)
            self.assertIn("strata: HTTP 401", run.stderr)
            service.stop()
            token = subprocess.run([STRATA, "token", "create", "--store", f"sqlite:{service.folder}/store.db", "--role", "node", "--node", "web01"],
                                   capture_output=True, text=True, timeout=HANGS, check=True).stdout.split()[-1]
            with open(self.path("token"), "w", encoding="utf-8") as file:
                file.write(token + "\n")
            service.start()
            self.assertEqual(self.apply(service, "notice(lookup('profile::web::port'))", token_file=self.path("token")).returncode, 0)
            run = self.apply(service, "notice(lookup('profile::web::port'))", token_file=self.path("token"), node="db01")
            self.assertIn("strata: HTTP 403", run.stderr)
            service.stop()
            run = self.apply(service, "notice(lookup('profile::web::port', undef, undef, 'the default'))")
            self.assertNotEqual(run.returncode, 0)
            self.assertIn("does not answer", run.stderr)
            service.start()

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed: script/bootstrap --differential")
    def test_classifier(self):
        bindings = self.path("bindings")
        shutil.copytree(os.path.join(EXAMPLES, "bindings"), bindings)
        # A service starts no programs, so the site cannot ask another classifier.
        with open(os.path.join(bindings, "strata.yaml"), encoding="utf-8") as file:
            config = [line for line in file if not line.startswith("enc_")]
        with open(os.path.join(bindings, "strata.yaml"), "w", encoding="utf-8") as file:
            file.writelines(config)
        script = os.path.join(MODULES, "strata", "bin", "strata-enc")
        node = "web01.example.com"
        wanted = subprocess.run([STRATA, "enc", "--confdir", ".", node], cwd=bindings, capture_output=True, text=True, timeout=HANGS, check=True).stdout
        with Service(STRATA, "--site", f"classes=bindings:{bindings}") as service:
            self.assertEqual(service.request("GET", f"/enc/classes/{node}")[2], wanted)
            environment = {"STRATA_URL": f"http://127.0.0.1:{service.port}", "STRATA_SITE": "classes", "STRATA_CACHE": self.path("cache")}

            def classified(name=node, **more):
                return subprocess.run([script, name], capture_output=True, text=True, timeout=HANGS, check=False, env={**os.environ, **environment, **more})

            for _ in range(2):
                self.assertEqual(classified().stdout, wanted, classified().stderr)
            statuses = lambda lines: [line["status"] for line in lines if line["event"] == "request" and line["face"] == "nodes"]
            self.assertIn(304, statuses(service.log(until=lambda lines: 304 in statuses(lines))))
            self.assertIn("does not know", classified("nobody").stderr)
            self.assertIn("no name", classified("../etc").stderr)
            run = self.puppet("node", "find", node, "--node_terminus", "exec", "--external_nodes", script, "--render-as", "json", environment=environment)
            self.assertEqual(run.returncode, 0, run.stderr)
            found, classes = json.loads(run.stdout[run.stdout.index("{"):]), yaml.safe_load(wanted)
            self.assertEqual(found["environment"], classes["environment"])
            self.assertLessEqual(set(classes["parameters"].items()), set((name, value) for name, value in found["parameters"].items() if isinstance(value, str)))
            service.stop()
            # It is away: the last good answer counts for a while.
            self.assertEqual(classified().stdout, wanted)
            time.sleep(1.1)
            late = classified(STRATA_STALE_FOR="1")
            self.assertNotEqual(late.returncode, 0)
            self.assertIn("no answer", late.stderr)
            service.start()


if __name__ == "__main__":
    unittest.main()
