#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`strata serve` and those who watch: events for results that differ, and for nothing else; going on after a break, on other replicas too.

usage: serve_watch_test.py STRATA
"""
import contextlib
import http.client
import json
import os
import resource
import signal
import sys
import threading
import unittest

import postgres
from serving import HANGS, Service
from site_serving import API, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"


ROLES = "projects: {up: {verb: lookup, hiera-config: hiera.yaml, nodes: facts}}\n"


class Watcher:
    """Reads events. Use with `with`."""

    def __init__(self, service, path, since=None, headers=None):
        self.connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=HANGS)
        self.connection.request("GET", path, headers={**({"Last-Event-ID": since} if since else {}), **(headers or {})})
        self.answer = self.connection.getresponse()
        self.status = self.answer.status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def next(self):
        """The next event: id, name, data. None: the stream is over."""
        out = {}
        while line := self.answer.readline():
            line = line.decode().rstrip("\n")
            if line == "" and out:
                return out.get("id"), out.get("event"), json.loads(out.get("data", "null"))
            if line and not line.startswith(":"):
                name, _, value = line.partition(": ")
                out[name] = value
        return None


class Watching(SiteTest):
    strata = STRATA

    def files(self):
        out = {}
        for folder, _, names in os.walk(self.path("fleet")):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, encoding="utf-8") as file:
                    out[os.path.relpath(path, self.path("fleet"))] = file.read()
        return out

    def upload(self, service, headers=None):
        self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"}, status=201, headers=headers)
        self.ask(service, "PUT", f"{API}/up/tree", {"files": self.files()}, status=201, headers=headers)

    def change(self, service, path, text, headers=None):
        self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": path, "text": text}]}, status=200, headers=headers)
        return self.headers["strata-at"]

    def test_what_is_told(self):
        with Service(STRATA) as service:
            self.upload(service)
            before = self.files()["data/common.yaml"]
            with Watcher(service, f"{API}/up/watch?node=db01&key=ntp::servers&value=1") as watcher:
                self.assertEqual(watcher.answer.headers["content-type"], "text/event-stream")
                first_id, name, data = watcher.next()
                self.assertRegex(first_id, r"^default:\d+$")
                value = self.ask(service, "GET", f"{API}/up/nodes/db01/values/ntp::servers")["value"]
                self.assertEqual((name, data), ("snapshot", {"node": "db01", "key": "ntp::servers", "etag": self.headers["etag"].strip('"'), "value": value}))
                self.change(service, "data/common.yaml", before + "other::key: 1\n")  # Not of this result: nothing is told.
                at = self.change(service, "data/common.yaml", before.replace("ntp::servers:", "ntp::servers: [ntp9]\nold::servers:"))
                event_id, name, data = watcher.next()
                self.assertEqual((event_id, name, data["value"]), (at, "changed", ["ntp9"]))
                self.change(service, "data/common.yaml", "a: [\n")
                event_id, name, data = watcher.next()
                self.assertEqual((name, data["node"]), ("error", "db01"))
                self.assertTrue(data["error"]["code"])
                self.change(service, "data/common.yaml", before)
                event_id, name, data = watcher.next()
                self.assertEqual((name, data["value"]), ("changed", value))
                project = self.files()[".strata.yaml"]
                self.change(service, ".strata.yaml", "projects: [\n")
                event_id, name, data = watcher.next()
                self.assertEqual((name, data["error"]["code"]), ("error", "site.broken"))
                self.change(service, ".strata.yaml", project)
                event_id, name, data = watcher.next()
                self.assertEqual((name, data["value"]), ("changed", value))
                # Without values, and many results.
                with Watcher(service, f"{API}/up/watch?node=*") as all_of_them:
                    nodes = self.ask(service, "GET", f"{API}/up/nodes")["nodes"]
                    seen = [all_of_them.next()[2] for _ in nodes]
                    self.assertEqual([one["node"] for one in seen], nodes)
                    self.assertNotIn("value", seen[0])
                    self.change(service, "data/role/web.yaml", "profile::web::port: 8123\n")
                    self.assertTrue(all_of_them.next()[2]["node"])

    def test_going_on(self):
        with Service(STRATA) as service:
            self.upload(service)
            place = f"{API}/up/watch?node=web01&node=db01&key=ntp::servers&key=profile::web::port&value=1"
            web = self.files()["data/role/web.yaml"]
            with Watcher(service, place) as watcher:
                last = [watcher.next() for _ in range(4)][-1][0]
            for restarts in (False, True):
                # Nothing was missed: nothing is told until something is new.
                with Watcher(service, place, since=last) as watcher:
                    self.change(service, "data/role/web.yaml", web + f"\nprofile::web::port: {8123 + restarts}\n")
                    last, name, data = watcher.next()
                    self.assertEqual((name, data["node"], data["key"], data["value"]), ("changed", "web01", "profile::web::port", 8123 + restarts))
                # One change was missed, and another that was taken back.
                self.change(service, "data/role/web.yaml", web + f"\nprofile::web::port: {9000 + restarts}\n")
                ntp = self.files()["data/common.yaml"]
                self.change(service, "data/common.yaml", ntp.replace("ntp::servers:", "ntp::servers: [ntp9]\nold::servers:"))
                self.change(service, "data/common.yaml", ntp)
                if restarts:
                    service.stop()
                    service.start()
                with Watcher(service, place, since=last) as watcher:
                    def of_web():
                        """The next event but those of the state between, of both nodes, which the service may have looked at."""
                        told = watcher.next()
                        while not restarts and told[2]["key"] == "ntp::servers":
                            told = watcher.next()
                        return told

                    last, name, data = of_web()
                    self.assertEqual((name, data["node"], data["key"], data["value"]), ("changed", "web01", "profile::web::port", 9000 + restarts))
                    self.change(service, "data/role/web.yaml", web)
                    last, name, data = of_web()
                    self.assertEqual((name, data["node"], data["key"]), ("changed", "web01", "profile::web::port"))
            for since in ("default:0", "default:999999", "other:1", "nonsense", "default:-1", "default:99999999999999999999999"):
                with Watcher(service, place, since=since) as watcher:
                    self.assertEqual(watcher.next()[1], "snapshot", since)

    def test_folders(self):
        with self.serve("fleet") as service:
            place = f"{API}/fleet/watch?node=web01&key=profile::web::port&value=1"
            role = self.path("fleet", "data", "role", "web.yaml")
            with Watcher(service, place) as watcher:
                last = watcher.next()[0]
                with open(role, "a", encoding="utf-8") as file:
                    file.write("\nprofile::web::port: 8123\n")
                last, name, data = watcher.next()  # Nobody asks for it: the service looks by itself.
                self.assertEqual((name, data["value"]), ("changed", 8123))
            with open(role, "a", encoding="utf-8") as file:
                file.write("\nprofile::web::port: 8124\n")
            self.ask(service, "POST", f"{API}/fleet/refresh")
            with Watcher(service, place, since=last) as watcher:
                self.assertEqual(watcher.next()[2]["value"], 8124)

    def test_stored_nodes(self):
        with self.serve("fleet") as service:
            with Watcher(service, f"{API}/fleet/watch?node=new01&value=1") as watcher:
                self.assertEqual(watcher.next()[1], "error")
                self.ask(service, "PUT", f"{API}/fleet/nodes/new01", {"facts": {"role": "web"}}, status=201)
                value = watcher.next()[2]["value"]
                self.assertEqual(value, self.ask(service, "GET", f"{API}/fleet/nodes/new01/values")["value"])
                self.ask(service, "PUT", f"{API}/fleet/nodes/new01", {"facts": {"role": "db"}})
                self.assertNotEqual(watcher.next()[2]["value"], value)

    def serve_roles(self, service, name="up", headers=None):
        """An upload whose only key says the role of a node, and the node n1."""
        files = {"hiera.yaml": "version: 5\nhierarchy: [{name: role, path: 'role/%{role}.yaml'}]\n", "data/role/web.yaml": "v: v-web\n",
                 "data/role/db.yaml": "v: v-db\n", ".strata.yaml": ROLES, "facts/n0.yaml": "name: n0\nvalues: {role: db}\n"}
        self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera"}, status=201)
        self.ask(service, "PUT", f"{API}/{name}/tree", {"files": files}, status=201)
        return files

    def set_role(self, service, role, name="up", status=200):
        self.ask(service, "PUT", f"{API}/{name}/nodes/n1", {"facts": {"role": role}}, status=status)
        return self.headers["strata-at"]

    def going_on_with_a_stored_node(self, service, name):
        self.set_role(service, "db", name, status=201)
        place = f"{API}/{name}/watch?node=n1&key=v&value=1"
        with Watcher(service, place) as watcher:
            first, event, data = watcher.next()
            self.assertEqual((event, data["value"]), ("snapshot", "v-db"))
            self.set_role(service, "web", name)
            last, event, data = watcher.next()
            self.assertEqual((event, data["value"]), ("changed", "v-web"))
            self.assertNotEqual(first, last)
        with Watcher(service, place, since=last) as watcher:  # Nothing was missed.
            self.set_role(service, "db", name)
            self.assertEqual(watcher.next()[2]["value"], "v-db")
        with Watcher(service, place, since=last) as watcher:
            last, event, data = watcher.next()
            self.assertEqual((event, data["value"]), ("changed", "v-db"))
        self.set_role(service, "web", name)
        with Watcher(service, place, since=last) as watcher:
            last, event, data = watcher.next()
            self.assertEqual((event, data["value"]), ("changed", "v-web"))
        with Watcher(service, place, since=first) as watcher:
            self.assertEqual(watcher.next()[2]["value"], "v-web")
        # What came back before anybody looked is no change.
        self.set_role(service, "db", name)
        self.set_role(service, "web", name)
        with Watcher(service, place, since=last) as watcher:
            self.set_role(service, "db", name)
            told = watcher.next()
            self.assertEqual((told[1], told[2]["value"]), ("changed", "v-db"))
        return place, told[0]

    def test_going_on_with_stored_nodes(self):
        with self.serve("fleet") as service:
            self.serve_roles(service)
            place, last = self.going_on_with_a_stored_node(service, "up")
            self.set_role(service, "web")
            service.stop()
            service.start()
            with Watcher(service, place, since=last) as watcher:
                told = watcher.next()
                self.assertEqual((told[1], told[2]["value"]), ("snapshot", "v-web"))
            self.ask(service, "DELETE", f"{API}/up/nodes/n1", status=204)
            with Watcher(service, place, since=told[0]) as watcher:
                self.assertEqual(watcher.next()[1], "error")

    def test_going_on_with_stored_nodes_of_folders(self):
        os.makedirs(self.path("roles", "data", "role"))
        for path, text in (("hiera.yaml", "version: 5\nhierarchy: [{name: role, path: 'role/%{role}.yaml'}]\n"), (".strata.yaml", ROLES),
                           ("data/role/web.yaml", "v: v-web\n"), ("data/role/db.yaml", "v: v-db\n"), ("facts/n0.yaml", "name: n0\nvalues: {role: db}\n")):
            os.makedirs(os.path.dirname(self.path("roles", path)), exist_ok=True)
            with open(self.path("roles", path), "w", encoding="utf-8") as file:
                file.write(text)
        with Service(STRATA, "--site", f"roles=hiera:{self.path('roles')}") as service:
            place, last = self.going_on_with_a_stored_node(service, "roles")
            service.stop()
            service.start()
            with Watcher(service, place, since=last) as watcher:
                self.assertEqual(watcher.next()[1], "snapshot")

    def broken(self, watch, breaks, mends):
        """Breaks a site under a watcher; mends it, and goes on."""
        with watch(None) as watcher:
            first = watcher.next()
            breaks()
            last, event, data = watcher.next()
            self.assertEqual((event, data["error"]["code"]), ("error", "site.broken"))
            self.assertNotEqual(last, first[0])
        with watch(last) as watcher:  # It knows that already.
            mends()
            told = watcher.next()
            self.assertEqual((told[1], told[2]["value"]), ("changed", first[2]["value"]))
        with watch(last) as watcher:
            told = watcher.next()
            self.assertIn(told[1], ("changed", "snapshot"))
            self.assertEqual(told[2]["value"], first[2]["value"])
        breaks()
        with watch(told[0]) as watcher:
            self.assertEqual(watcher.next()[1], "error")
        mends()
        with watch(first[0]) as watcher:  # The same results as then.
            breaks()
            self.assertEqual(watcher.next()[1], "error")
        mends()
        return last, first[2]["value"]

    def test_going_on_between_events_told_together(self):
        with Service(STRATA) as service:
            self.upload(service)
            place = f"{API}/up/watch?node=*&key=profile::web::port&key=ntp::servers&value=1"
            count = 2 * len(self.ask(service, "GET", f"{API}/up/nodes")["nodes"])
            with Watcher(service, place) as watcher:
                ids = [watcher.next()[0] for _ in range(count)]
            self.assertEqual(set(ids[:-1]), {"default:0"})
            with Watcher(service, place, since=ids[0]) as watcher:  # It was cut off there: it has not got the others.
                told = [watcher.next() for _ in range(count)]
                self.assertEqual({one[1] for one in told if one[1] != "error"}, {"snapshot"})
                self.assertEqual(told[-1][0], ids[-1])
                common = self.files()["data/common.yaml"]
                at = self.change(service, "data/common.yaml", common.replace("ntp::servers:", "ntp::servers: [ntp9]\nold::servers:"))
                told = [watcher.next()]
                while told[-1][0] != at:
                    told.append(watcher.next())
                self.assertEqual({one[0] for one in told[:-1]}, {ids[-1]})
                self.assertGreater(len(told), 1)
            with Watcher(service, place, since=told[0][0]) as watcher:
                self.assertEqual([watcher.next() for _ in told], told)

    def test_going_on_with_a_broken_site(self):
        with self.serve("fleet") as service:
            self.upload(service)
            project = self.files()[".strata.yaml"]
            query = "watch?node=db01&key=ntp::servers&value=1"
            last, value = self.broken(lambda since: Watcher(service, f"{API}/up/{query}", since=since),
                                      lambda: self.change(service, ".strata.yaml", "projects: [\n"),
                                      lambda: self.change(service, ".strata.yaml", project))
            service.stop()
            service.start()
            with Watcher(service, f"{API}/up/{query}", since=last) as watcher:
                told = watcher.next()
                self.assertEqual(told[2]["value"], value)

            def write(text):
                with open(self.path("fleet", ".strata.yaml"), "w", encoding="utf-8") as file:
                    file.write(text)
                self.ask(service, "POST", f"{API}/fleet/refresh")
            self.broken(lambda since: Watcher(service, f"{API}/fleet/{query}", since=since), lambda: write("projects: [\n"), lambda: write(project))

    def test_secrets_are_not_told(self):
        with self.serve("heat") as service:
            with Watcher(service, f"{API}/heat/watch?node=*&value=1") as watcher:
                self.assertIn('{"secret": true}', json.dumps(watcher.next()[2]))

    def test_many_watch_the_same(self):
        many = 1100  # More than without the settings.
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096) if hard != resource.RLIM_INFINITY else 4096, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        settings = self.path("many.yaml")
        with open(settings, "w", encoding="utf-8") as file:
            file.write(f"limits: {{streams: {many}, per-address: {many + 10}}}\n")
        with Service(STRATA, "--config", settings) as service, contextlib.ExitStack() as open_ones:
            self.upload(service)
            path = f"{API}/up/watch?node=web01&key=profile::web::port&value=1"
            watchers = [open_ones.enter_context(Watcher(service, path)) for _ in range(many)]
            for one in watchers:
                self.assertEqual(one.next()[1], "snapshot")
            with Watcher(service, path) as other:
                self.assertEqual(other.status, 503)
            self.change(service, "data/role/web.yaml", "profile::web::port: 8123\n")
            for one in watchers:
                self.assertEqual(one.next()[2]["value"], 8123)

    def test_changes_while_the_first_watcher_is_told(self):
        keys = [f"key{i}" for i in range(64)]

        def data(letter, small):
            return "".join(f"{key}: {letter * (1 << 18)}\n" for key in keys) + f"small: {small}\n"

        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml"}}, status=201)
            files = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": data("a", 0)}
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
            place = f"{API}/up/watch?node=default&value=1"
            with Watcher(service, place + "".join(f"&key={key}" for key in keys)) as slow, Watcher(service, place + "&key=small") as other:
                values = {}

                def read():
                    _, _, told = slow.next()
                    values[told["key"]] = told["value"][0]

                read()
                self.assertEqual(other.next()[2]["value"], 0)  # Who is slow holds up nobody else.
                for number in (1, 2):  # When the second is told, all have heard of the first.
                    self.change(service, "data/c.yaml", data("b", number))
                    self.assertEqual(other.next()[2]["value"], number)
                while set(values.values()) != {"b"} or len(values) < len(keys):
                    read()

    def test_the_service_ends(self):
        with Service(STRATA) as service:
            self.upload(service)
            with Watcher(service, f"{API}/up/watch?node=web01") as watcher:
                watcher.next()
                service.process.send_signal(signal.SIGTERM)
                self.assertEqual(watcher.next()[1], "shutdown")
                self.assertIsNone(watcher.next())
            self.assertEqual(service.process.wait(HANGS), 0)

    def test_what_is_refused(self):
        with self.serve("fleet") as service:
            for query, status in (("", 400), ("?node=.x", 400), ("?node=a&key=", 400), ("?" + "&".join(f"node=n{i}" for i in range(1001)), 400)):
                with Watcher(service, f"{API}/fleet/watch{query}") as watcher:
                    self.assertIn(watcher.status, (status, 414), query[:20])
            with Watcher(service, f"{API}/no/watch?node=a") as watcher:
                self.assertEqual(watcher.status, 404)

    def test_replicas(self):
        server = postgres.Server()
        self.addCleanup(server.stop)
        words = ["--store", server.new_database(), "--auth", "none"]
        with Service(STRATA, *words) as one, Service(STRATA, *words) as two:
            self.upload(one)
            place = f"{API}/up/watch?node=web01&key=profile::web::port&value=1"
            with Watcher(one, place) as watcher:
                last = watcher.next()[0]
            web = self.files()["data/role/web.yaml"]
            # It goes on elsewhere, and hears of what is written here.
            with Watcher(two, place, since=last) as watcher:
                at = self.change(one, "data/role/web.yaml", web + "\nprofile::web::port: 8123\n")
                event_id, name, data = watcher.next()
                self.assertEqual((event_id, name, data["value"]), (at, "changed", 8123))
            self.change(two, "data/role/web.yaml", web + "\nprofile::web::port: 8124\n")
            with Watcher(one, place, since=at) as watcher:
                self.assertEqual(watcher.next()[2]["value"], 8124)
            # What a node is, and that a site is broken, is told by both with numbers that are other ones.
            self.serve_roles(one, "roles")
            roles = f"{API}/roles/watch?node=n1&key=v&value=1"
            self.set_role(one, "db", "roles", status=201)
            with Watcher(one, roles) as watcher:
                watcher.next()
                at = self.set_role(two, "web", "roles")
                last, _, data = watcher.next()
                self.assertEqual((last, data["value"]), (at, "v-web"))
            self.set_role(one, "db", "roles")
            for replica in (two, one):
                with Watcher(replica, roles, since=last) as watcher:
                    self.assertEqual(watcher.next()[2]["value"], "v-db")
            with Watcher(one, roles) as watcher:
                watcher.next()
                self.ask(two, "PATCH", f"{API}/roles/tree", {"changes": [{"path": ".strata.yaml", "text": "projects: [\n"}]}, status=200)
                last, name, _ = watcher.next()
                self.assertEqual((last, name), (self.headers["strata-at"], "error"))
            self.ask(one, "PATCH", f"{API}/roles/tree", {"changes": [{"path": ".strata.yaml", "text": ROLES}]}, status=200)
            for replica in (two, one):
                with Watcher(replica, roles, since=last) as watcher:
                    self.assertEqual(watcher.next()[2]["value"], "v-db")
            # What was written through one is seen by the other where a request says so; what nobody wrote is not waited for.
            written = self.change(one, "data/role/web.yaml", web + "\nprofile::web::port: 8125\n")
            value = f"{API}/up/nodes/web01/values/profile::web::port"
            self.assertEqual(self.ask(two, "GET", value, headers={"Strata-At": written})["value"], 8125)
            project, number = written.rsplit(":", 1)
            self.assertEqual(self.ask(two, "GET", value, status=503, headers={"Strata-At": f"{project}:{int(number) + 1}"})["code"], "service.behind")


if __name__ == "__main__":
    unittest.main()
