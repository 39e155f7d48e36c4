#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""What the configuration says of the secrets of sites: `secret_keys`, names whose values are secret in any dialect, and `eyaml_keys`.

usage: serve_secrets_test.py STRATA
"""
import json
import os
import subprocess
import sys
import unittest

from serving import HANGS, Service
from site_serving import API, EXAMPLES, SiteTest

STRATA = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "strata"
SECRET = {"secret": True}
WORD = "hunter2-of-the-test"
ALL = ("--anonymous-roles", "admin", "--anonymous-roles", "secret-reader")
MARKED = "secret_keys: ['password$', '^vault::']"
DEPLOYMENT = """---
schema: deckhand/LayeringPolicy/v1
metadata: {schema: metadata/Control/v1, name: policy}
data: {layerOrder: [site]}
---
schema: example/Kind/v1
metadata: {schema: metadata/Document/v1, name: source, layeringDefinition: {layer: site}}
data: {password: %s, user: ann}
---
schema: example/Kind/v1
metadata:
  schema: metadata/Document/v1
  name: target
  layeringDefinition: {layer: site}
  substitutions: [{src: {schema: example/Kind/v1, name: source, path: .password}, dest: {path: .url, pattern: SECRET}}]
data: {url: "db://SECRET@host"}
"""
SITES = {
    "hiera": ({"hiera.yaml": "version: 5\nhierarchy: [{name: node, path: 'node/%{facts.cert}.yaml'}, {name: common, paths: [common.yaml]}, "
                             "{name: more, data_hash: hocon_data, path: more.conf}]\n",
               "data/common.yaml": f"db::password: {WORD}\ndb::url: \"db://%{{lookup('db::password')}}@host\"\ndb: {{user: ann, password: {WORD}}}\n"
                                   f"vault::keys: [{WORD}]\nfrom_fact: \"%{{facts.root_password}}\"\nplain: 1\nlookup_options: {{'^vault::': {{merge: unique}}}}\n",
               "data/node/web.yaml": "db: {user: bob}\n", "data/more.conf": f"more {{password = {WORD}}}\nmore_url = \"x\"${{more.password}}\n",
               "nodes.json": json.dumps([{"name": "web", "facts": {"cert": "web", "root_password": WORD}}]),
               ".strata.yaml": "projects: {hiera: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}\n"}, "web"),
    "cloud-init": ({"base.cfg": "{}\n", "web.yaml": f"#cloud-config\npassword: {WORD}\nhostname: web\n",
                    ".strata.yaml": "projects: {web: {verb: merge, base: base.cfg, args: [web.yaml]}}\n",
                    "strata-nodes.yaml": "cloud-init: {web: {user-data: [web.yaml], vendor-data: []}}\n"}, "default"),
    "inventory": ({"nodes/web.yml": "classes: [db]\n", "classes/db.yml": f"parameters:\n  password: {WORD}\n  url: 'db://${{password}}@host'\n  user: ann\n",
                   ".strata.yaml": "projects: {inventory: {verb: inventory}}\n"}, "web"),
    "heat": ({"stack.yaml": "heat_template_version: 2018-08-31\nparameters: {root_password: {type: string}, size: {type: string}}\n",
              "environments/one.yaml": f"parameters: {{root_password: {WORD}, size: s}}\n",
              ".strata.yaml": "projects: {heat: {verb: compose, template: stack.yaml, environment-directory: [environments]}}\n"}, "default"),
    "bindings": ({"manifests/site.pp": "", "bindings/default.pp": "bindings default {\n  bind 'db::password' to '" + WORD + "'\n  bind 'db::url' to inject('db::password')\n"
                  f"  bind 'db' to {{ user => 'ann', password => '{WORD}' }}\n  bind 'open' to 1\n  bind alias 'open' as 'same::password'\n"
                  f"  multibind Hash[String], 'vault::all'\n  bind 'a' to '{WORD}' in 'vault::all'\n}}\n",
                  "facts/web.yaml": "{}\n", ".strata.yaml": "projects: {bindings: {verb: inject, confdir: ., nodes: facts}}\n"}, "web"),
    "deckhand": ({"site.yaml": DEPLOYMENT % WORD, ".strata.yaml": "projects: {deckhand: {verb: render, args: [site.yaml]}}\n"}, "default"),
}


class Secrets(SiteTest):
    strata = STRATA

    def write(self, name, files):
        for path, text in files.items():
            place = self.path("made", name, path)
            os.makedirs(os.path.dirname(place), exist_ok=True)
            with open(place, "w", encoding="utf-8") as file:
                file.write(text)
        return self.path("made", name)

    def configured(self, text, *words):
        place = self.path("strata.yaml")
        with open(place, "w", encoding="utf-8") as file:
            file.write(text)
        return Service(STRATA, "--config", place, *words)

    def all_sites(self, *words, more=""):
        lines = [f"  {name}: {{dialect: {name}, path: {self.write(name, files)}, {MARKED}{more}}}" for name, (files, _) in SITES.items()]
        return self.configured("sites:\n" + "\n".join(lines) + "\n", *words)

    def test_seeds_with_such_names_are_secret(self):
        nodes = f"cloud-init:\n  web: {{user-data: [plain.yaml], meta-data: {{password: {WORD}}}, network-config: net.yaml, vendor-data: [web.yaml]}}\n" \
                "  open: {user-data: [plain.yaml], meta-data: {zone: a}, network-config: plain-net.yaml, vendor-data: [plain.yaml]}\n"
        files = {"base.cfg": "{}\n", "plain.yaml": "#cloud-config\nhostname: web\n", "web.yaml": f"#cloud-config\nroot_password: {WORD}\n",
                 "net.yaml": f"version: 2\nwifis: {{w: {{access-points: {{a: {{password: {WORD}}}}}}}}}\n", "plain-net.yaml": "version: 2\n",
                 ".strata.yaml": "projects: {web: {verb: merge, base: base.cfg, args: [plain.yaml]}}\n", "strata-nodes.yaml": nodes}
        folder = self.write("seeds", files)
        token = lambda *words: subprocess.run([STRATA, "token", "create", "--store", f"sqlite:{self.folder}/s.db", *words], check=True,  # noqa: E731
                                              capture_output=True, text=True, timeout=HANGS).stdout.strip()
        readers = {name: {"Authorization": "Bearer " + token(*words)} for name, words in
                   {"node": ("--node", "web"), "admin": ("--role", "admin"), "secret": ("--role", "admin", "--role", "secret-reader")}.items()}
        secrets = ("meta-data", "network-config", "vendor-data")
        for gives in ("false", "true"):
            with self.configured(f"sites:\n  seeds: {{dialect: cloud-init, path: {folder}, {MARKED}, node_secrets: {gives}}}\n", "--auth", "tokens",
                                 "--store", f"sqlite:{self.folder}/s.db") as service:
                for name, headers in readers.items():
                    may = name == "secret" or (name == "node" and gives == "true")
                    for part in secrets:
                        status, sent, text = service.request("GET", f"/cloud-init/web/{part}", headers={**headers, "Accept-Encoding": "gzip"})
                        self.assertEqual(status, 200 if may else 403, (name, part, text))
                        self.assertEqual(WORD in text, may, (name, part))
                        self.assertEqual(sent.get("cache-control"), "no-store" if may else None)
                    self.assertEqual(service.request("GET", "/cloud-init/web/user-data", headers=headers)[0], 200)
                    for part in secrets:
                        self.assertEqual(service.request("GET", f"/cloud-init/open/{part}", headers=headers)[0], 403 if name == "node" else 200)
                audit = self.ask(service, "GET", "/strata/v1/audit?limit=1000", headers=readers["admin"])["audit"]
                shown = [one["target"] for one in audit if one["outcome"] == "secrets in clear text"]
                self.assertEqual(shown, [f"GET /cloud-init/web/{part}" for part in secrets] * (1 if gives == "false" else 3))

    def test_values_with_such_names_are_secret_in_every_dialect(self):
        with self.all_sites(*ALL) as service:
            for name, (_, node) in SITES.items():
                for more in ("", "?blame=1&explain="):
                    answer = self.ask(service, "GET", f"{API}/{name}/nodes/{node}/values{more}")
                    self.assertNotIn(WORD, json.dumps(answer), name)
                    self.assertIn('{"secret": true}', json.dumps(answer), name)
                clear = self.ask(service, "GET", f"{API}/{name}/nodes/{node}/values?secrets=clear")
                self.assertIn(WORD, json.dumps(clear), name)

    def test_what_is_made_of_them_is_secret(self):
        with self.all_sites(*ALL) as service:
            values = self.ask(service, "GET", f"{API}/hiera/nodes/web/values")["value"]
            self.assertEqual(values, {"db": {"user": "bob"}, "db::password": SECRET, "db::url": SECRET, "vault::keys": SECRET, "from_fact": SECRET,
                                      "plain": 1, "more": {"password": SECRET}, "more_url": SECRET})
            for key, value in (("db::password", SECRET), ("more.password", SECRET), ("vault::keys", [SECRET]), ("plain", 1)):
                got = self.ask(service, "GET", f"{API}/hiera/nodes/web/values/{key}")["value"]
                self.assertIn(got, (value, SECRET) if value != 1 else (1,), key)
            merged = self.ask(service, "GET", f"{API}/hiera/nodes/web/values/db?merge=deep")["value"]
            self.assertEqual(merged, {"user": "bob", "password": SECRET})
            self.assertEqual(self.ask(service, "GET", f"{API}/inventory/nodes/web/values")["value"], {"applications": [], "classes": ["db"], "environment": "base",
                             "_reclass_": {"name": {"full": "web", "short": "web"}, "environment": "base"}, "password": SECRET, "url": SECRET, "user": "ann"})
            self.assertEqual(self.ask(service, "GET", f"{API}/bindings/nodes/web/values")["value"],
                             {"db": {"user": "ann", "password": SECRET}, "db::password": SECRET, "db::url": SECRET, "open": 1, "same::password": SECRET, "vault::all": SECRET})
            documents = self.ask(service, "GET", f"{API}/deckhand/nodes/default/values")["value"]
            self.assertEqual(sorted(json.dumps(one["data"]) for one in documents.values()),
                             sorted(json.dumps(one) for one in ({"layerOrder": ["site"]}, {"password": SECRET, "user": "ann"}, {"url": SECRET})))

    def test_no_answer_has_them(self):
        with self.all_sites(*ALL) as service:
            edit = {"changes": [{"path": "data/common.yaml", "text": f"db::password: {WORD}-2\nplain: 2\n"}]}
            place = f"{API}/hiera"
            for method, path, body in (("POST", "/evaluate", {"node": "web", "keys": ["db::password", "db::url", "from_fact"]}), ("GET", "/snapshot", None),
                                       ("GET", "/search?q=hunter&in=keys,values", None), ("POST", "/diff", edit), ("POST", "/impact", edit),
                                       ("POST", "/check", edit),
                                       ("POST", "/evaluate", {"facts": {"cert": "web", "root_password": WORD}, "keys": ["from_fact"]})):
                status, _, text = service.request(method, place + path, json.dumps(body) if body else None, {"Content-Type": "application/json"} if body else {})
                self.assertEqual(status, 200, text)
                self.assertNotIn(WORD, text, path)
            self.assertEqual(self.ask(service, "GET", f"{place}/search?q=hunter&in=values")["places"], [])
            with open(service.log_path, encoding="utf-8") as log:
                self.assertNotIn(WORD, log.read())

    def test_errors_of_types_do_not_show_them(self):
        files, node = SITES["bindings"]
        with Service(STRATA, *ALL) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "bindings", "secret_keys": ["password$"]}, status=201)
            bad = files["bindings/default.pp"].replace(f"to '{WORD}'", f"to '{WORD}'\n  bind Integer, 'bad::password' to '{WORD}'", 1)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {**files, "bindings/default.pp": bad}}, status=201)
            status, _, text = service.request("GET", f"{API}/up/nodes/{node}/values")
            self.assertEqual(status, 422)
            self.assertIn("expected Integer, got String (******)", text)
            self.assertNotIn(WORD, text)

    @staticmethod
    def somebody(role):
        return {"X-Identity-Status": "Confirmed", "X-User-Id": "u", "X-Roles": role, "X-Project-Id": "default"}

    def test_texts_of_files_are_shown_without_secrets(self):
        with self.all_sites("--auth", "headers") as service:
            wish = {"item": "db::password", "value": "x", "for": ["web"]}
            for role in ("reader", "editor", "reader,secret-reader"):
                head = self.somebody(role)
                for name, (files, _) in SITES.items():
                    for path in files:
                        status, sent, text = service.request("GET", f"{API}/{name}/files/{path}", headers=head)
                        self.assertEqual((status, WORD in text), (200, False), (role, name, path, text))
                        self.assertTrue("******" in text or WORD not in files[path], (name, path, text))
                    self.assertEqual(self.ask(service, "GET", f"{API}/{name}/search?q={WORD}", headers=head)["places"], [], name)
                text = service.request("GET", f"{API}/hiera/files/data/common.yaml", headers=head)[2]
                self.assertEqual(text.splitlines()[:3], ["db::password: ******", "db::url: \"db://%{lookup('db::password')}@host\"", "db: {user: ann, password: ******"])
                # Whether a node has a value already says what it has: readers do not ask so.
                answer = self.ask(service, "POST", f"{API}/hiera/set", wish, 403 if role == "reader" else 200, headers=head)
                self.assertTrue(role == "reader" or answer["proposals"])
                self.assertNotIn(WORD, json.dumps(answer), role)
                self.assertTrue(all(one["diff"] for one in answer.get("proposals", [])))
                status, sent, text = service.request("GET", f"{API}/hiera/files/data/common.yaml?secrets=clear", headers=head)
                self.assertEqual((status, WORD in text), (200, True) if "secret" in role else (403, False))
                self.assertEqual(sent.get("cache-control"), "no-store" if "secret" in role else None)

    def test_texts_of_uploads_are_shown_without_secrets_and_taken_with_them(self):
        files, node = SITES["hiera"]
        with Service(STRATA) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["password$", "^vault::"]}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
            self.ask(service, "PATCH", f"{API}/up/tree", {"changes": [{"path": "data/common.yaml", "text": f"db::password: {WORD}-2\nplain: 2\n"}]}, status=200)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/files/data/common.yaml"), "db::password: ******\nplain: 2\n")
            self.assertNotIn(WORD, self.ask(service, "GET", f"{API}/up/files/data/common.yaml?generation=1"))
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::password")["value"], SECRET)

    def test_drafts_in_sites_with_secrets_are_for_those_who_may_write(self):
        draft = {"changes": [{"path": "data/common.yaml", "text": "plain: 2\n"}]}
        with self.all_sites("--auth", "headers") as service:
            for path, body in (("diff", draft), ("impact", draft), ("check", draft), ("set", {**draft, "item": "plain", "value": 3}), ("set", {"item": "db", "path": "/password", "value": "guess"}),
                               ("evaluate", {"node": "web", "keys": ["db::password"], "options": {"type": "Pattern[/^h/]"}}),
                               ("evaluate", {"node": "web", "keys": ["vault::keys"], "options": {"merge": "deep", "knock-out-prefix": "h"}}),
                               ("evaluate", {"node": "web", "keys": ["vault::keys"], "options": {"merge": "deep", "sort-merged-arrays": True}})):
                self.assertEqual(self.ask(service, "POST", f"{API}/hiera/{path}", body, 403, self.somebody("reader"))["code"], "service.forbidden", path)
                for role in ("editor", "reader,secret-reader"):
                    status, _, text = service.request("POST", f"{API}/hiera/{path}", json.dumps(body), {**self.somebody(role), "Content-Type": "application/json"})
                    self.assertEqual((status, WORD in text), (200, False), (path, role, text))
            self.ask(service, "POST", f"{API}/hiera/impact", {"changes": []}, headers=self.somebody("reader"))
            audit = self.ask(service, "GET", "/strata/v1/audit?limit=1000", headers=self.somebody("admin"))["audit"]
            self.assertEqual(len([one for one in audit if one["outcome"] == "a draft"]), 8)
            self.assertEqual(len([one for one in audit if one["outcome"] == "refused"]), 8)
        with self.serve("fleet", more=("--auth", "headers")) as service:
            self.ask(service, "POST", f"{API}/fleet/impact", draft, headers=self.somebody("reader"))

    def test_messages_do_not_show_them(self):
        hiera, _ = SITES["hiera"]
        words = "%{lookup('db::password')}"
        drafts = {"hiera": [("data/common.yaml", hiera["data/common.yaml"].split("lookup_options")[0] + f"k: 1\nlookup_options: {text}\n") for text in (
            f'{{k: {{convert_to: "{words}"}}}}', f'{{k: {{convert_to: ["{words}"]}}}}', f'{{k: {{convert_to: "Enum[{words}]"}}}}',
            f'{{k: {{convert_to: [String, "{words}"]}}}}', f'{{k: {{merge: {{strategy: deep, "{words}": 1}}}}}}', f'{{"^[{words}": {{merge: unique}}}}')],
                  "inventory": [("nodes/web.yml", text) for text in ('classes: [db, "${password}"]\n', 'classes: [db]\nparameters: {x: "${${password}}"}\n',
                                                                     'classes: [db]\nparameters: {a: {}, x: "${a:${password}}"}\n')]}
        with self.all_sites() as service:
            for name, edits in drafts.items():
                for path, text in edits:
                    for question in ("diff", "impact", "check"):
                        status, _, body = service.request("POST", f"{API}/{name}/{question}", json.dumps({"changes": [{"path": path, "text": text}]}),
                                                          {"Content-Type": "application/json"})
                        self.assertEqual((status in (200, 422), WORD in body), (True, False), (text, question, body))
                    # The same saved.
                    files = {**SITES[name][0], path: text}
                    self.write(name, files)
                    self.ask(service, "POST", f"{API}/{name}/refresh")
                    status, _, body = service.request("GET", f"{API}/{name}/nodes/{SITES[name][1]}/values")
                    self.assertEqual((status, WORD in body), (422, False), (text, body))
                    self.write(name, SITES[name][0])
                    self.ask(service, "POST", f"{API}/{name}/refresh")

    def test_templates_for_machines_have_them_in_their_texts(self):
        nodes = "cloud-init:\n  web: {user-data: [a.yaml, j.yaml]}\n  open: {user-data: [a.yaml, k.yaml]}\n"
        head = "## template: jinja\n#cloud-config\n"
        files = {"base.cfg": "{}\n", "a.yaml": "#cloud-config\nlocale: a\n", "j.yaml": f"{head}root_password: {WORD}\nhostname: {{{{ v1.region }}}}\n",
                 "k.yaml": head + "hostname: {{ v1.region }}\n", ".strata.yaml": "projects: {web: {verb: merge, base: base.cfg, args: [a.yaml]}}\n",
                 "strata-nodes.yaml": nodes}
        folder = self.write("templates", files)
        for words, status in (((), 403), (ALL, 200)):
            with self.configured(f"sites:\n  seeds: {{dialect: cloud-init, path: {folder}, {MARKED}}}\n", *words) as service:
                got, _, text = service.request("GET", "/cloud-init/web/user-data")
                self.assertEqual(got, status, text)
                got, _, text = service.request("GET", "/cloud-init/open/user-data")
                self.assertEqual(got, 200, text)
                # What cannot be a part of one cloud-config is not left out without a word.
                got, _, text = service.request("GET", "/cloud-init/open/user-data?merged=1")
                self.assertEqual((got, "k.yaml" in text), (422, True), text)

    def test_tags_change_with_secrets_and_tell_nothing(self):
        files, node = SITES["hiera"]
        with Service(STRATA, *ALL) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["password$"]}, status=201)
            tags = []
            for word in ("one", "two", "one"):
                text = files["data/common.yaml"].replace(WORD, word)
                self.ask(service, "PUT", f"{API}/up/tree", {"files": {**files, "data/common.yaml": text}}, status=201)
                self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::password")
                tag = self.headers["etag"]
                self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::password", status=304, headers={"If-None-Match": tag})
                batch = self.ask(service, "POST", f"{API}/up/evaluate", {"node": node, "keys": ["db::password"]})["results"][0]["etag"]
                tags.append((tag, batch))
            self.assertEqual(tags[0], tags[2])
            self.assertNotEqual(tags[0], tags[1])
            # Nobody who can make the same text elsewhere gets the same tag: it is keyed.
        with Service(STRATA, *ALL) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "secret_keys": ["password$"]}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": {**files, "data/common.yaml": files["data/common.yaml"].replace(WORD, "one")}}, status=201)
            self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::password")
            self.assertNotIn(self.headers["etag"], [tag for tag, _ in tags])

    def test_what_templates_make_of_instance_data_is_secret(self):
        template = ("## template: jinja\n#cloud-config\na: {{ password }}\nb: {{ v1.password | upper }}\nc: [{{ region }}, \"{{ password[0] }}\"]\nn: {{ pin_password + 1 }}\n"
                    "{% if password == 'guess' %}d: 1\n{% endif %}e: {len: {{ password | length }}, same: 5}\n")
        files = {"p.yaml": template, "i.json": json.dumps({"password": WORD, "v1": {"password": WORD, "region": "eu"}, "pin_password": 7}),
                 ".strata.yaml": "projects: {p: {verb: merge, fleet: [{name: w, args: [p.yaml, --instance-data, i.json]}]}}\n"}
        with self.all_sites() as service:
            self.ask(service, "PUT", f"{API}/ci", {"dialect": "cloud-init", "options": {"secret-keys": ["password"]}}, 201)
            self.ask(service, "PUT", f"{API}/ci/tree", {"files": files}, 201)
            value = self.ask(service, "GET", f"{API}/ci/nodes/w/values")["value"]
            self.assertEqual(value, {"a": SECRET, "b": SECRET, "c": ["eu", SECRET], "n": SECRET, "e": {"len": SECRET, "same": 5}})

    def test_tags_of_guesses_are_others(self):
        files = {"hiera.yaml": "version: 5\nhierarchy: [{name: c, path: c.yaml}]\n", "data/c.yaml": f"db::password: {WORD}\n"}
        body = {"files": files, "keys": ["db::password"], "options": {"secret-keys": ["password$"]}}
        with self.all_sites() as service:
            self.ask(service, "GET", f"{API}/hiera/nodes/web/values/db::password")
            tag = self.headers["etag"].strip('"')
            batch = self.ask(service, "POST", f"{API}/hiera/evaluate", {"node": "web", "keys": ["db::password"]})
            self.assertEqual(batch["results"][0]["etag"], tag)
            guesses = {self.ask(service, "POST", "/strata/v1/evaluate/hiera", body)["results"][0]["etag"] for _ in range(2)}
            for name in ("mine", "hiera2"):
                self.ask(service, "PUT", f"{API}/{name}", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml", "secret-keys": ["password$"]}}, 201)
                self.ask(service, "PUT", f"{API}/{name}/tree", {"files": files}, 201)
                value = self.ask(service, "GET", f"{API}/{name}/nodes/default/values/db::password")
                self.assertEqual(value["value"], SECRET)
                guesses.add(self.headers["etag"].strip('"'))
            self.assertEqual(len(guesses | {tag}), 5, guesses)

    def test_clear_text_is_for_those_who_may(self):
        with self.all_sites() as service:
            self.assertEqual(self.ask(service, "GET", f"{API}/hiera/nodes/web/values?secrets=clear", status=403)["code"], "service.forbidden")
            for path in ("/hiera/hiera/web/db::password", "/hiera/hiera/web/from_fact", "/cloud-init/web/user-data", "/cloud-init/web/user-data?merged=1"):
                self.assertEqual(service.request("GET", path)[0], 403, path)
            for path in ("/hiera/hiera/web/plain", "/cloud-init/web/meta-data", "/cloud-init/web/vendor-data"):
                self.assertEqual(service.request("GET", path)[0], 200, path)
        with self.all_sites(*ALL) as service:
            self.assertIn(WORD, service.request("GET", "/cloud-init/web/user-data")[2])

    def test_nodes_read_their_own_if_the_site_says_so(self):
        for allowed in (False, True):
            with open(self.path("tokens"), "w", encoding="utf-8") as file:
                file.write("{}\n")
            with self.all_sites("--auth", f"tokens:{self.path('tokens')}", more=", node_secrets: true" if allowed else "") as service:
                run = subprocess.run([STRATA, "token", "create", "--for-file", "--node", "web", "--id", "web"], capture_output=True, text=True, timeout=HANGS, check=True)
                token, line = run.stdout.strip().splitlines()[:2]
                with open(self.path("tokens"), "w", encoding="utf-8") as file:
                    file.write(line + "\n")
                service.stop()
                service.start()
                head = {"Authorization": f"Bearer {token}"}
                for path in ("/hiera/hiera/web/db::password", "/cloud-init/web/user-data", f"/cloud-init/web/{token}/user-data"):
                    status, _, text = service.request("GET", path, headers={} if token in path else head)
                    self.assertEqual(status, 200 if allowed else 403, text)
                    self.assertEqual(WORD in text, allowed)
                    if not allowed:
                        self.assertIn("secret", text)
                # Another node's are not for it, and it has no other right.
                self.assertEqual(service.request("GET", "/hiera/hiera/other/db::password", headers=head)[0], 403)
                self.assertEqual(service.request("GET", f"{API}/hiera/nodes/web/values?secrets=clear", headers=head)[0], 403)
                with open(service.log_path, encoding="utf-8") as log:
                    self.assertNotIn(token, log.read())

    def test_a_machine_that_says_itself_what_it_is_gets_no_secrets(self):
        with open(self.path("tokens"), "w", encoding="utf-8") as file:
            run = subprocess.run([STRATA, "token", "create", "--for-file", "--node", "new", "--id", "new"], capture_output=True, text=True, timeout=HANGS, check=True)
            token, line = run.stdout.strip().splitlines()[:2]
            file.write(line + "\n")
        with self.all_sites("--auth", f"tokens:{self.path('tokens')}", more=", node_secrets: true") as service:
            head = {"Authorization": f"Bearer {token}"}
            for query in ("var.cert=web", "var.trusted.certname=web"):
                status, _, text = service.request("GET", f"/hiera/hiera/new/db::password?{query}", headers=head)
                self.assertEqual((status, WORD in text), (403, False), text)
                self.assertEqual(service.request("GET", f"/hiera/hiera/new/plain?{query}", headers=head)[2], "1\n")

    def test_the_explorer_shows_readers_no_lines_with_them(self):
        hierarchy = [{"name": "secret", "path": "h/%{facts.root_password}.yaml"}, {"name": "common", "path": "common.yaml"}]
        files = {"hiera.yaml": json.dumps({"version": 5, "hierarchy": hierarchy}),
                 "data/common.yaml": "open: 1\nflow: {x_password: " + WORD + ", y: \"%{nofunc('z')}\"}\n",
                 "nodes.json": json.dumps([{"name": "web", "facts": {"role": "web", "root_password": WORD, "more": {"password": WORD}}},
                                           {"name": "db", "facts": {"role": "db", "root_password": WORD + "2"}}])}
        broken = {**files, "data/common.yaml": f"x_password: {WORD}: bad\n"}
        sites = "".join(f"  {name}: {{dialect: hiera, path: {self.write(name, {**made, '.strata.yaml': 'projects: {h: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}}'})}"
                        f"{marked}}}\n" for name, made, marked in (("errs", files, f", {MARKED}"), ("broken", broken, f", {MARKED}"), ("open", files, "")))
        paths = ("subjects/web/rows", "subjects/web/leaf?item=flow&path=", "matrix?all=1", "facets", "subjects?ids=web", "compare", "files", "findings",
                 "search?q=fact:root_password=" + WORD[:3], "")
        prefix = "/strata/v1/explore/projects"
        for roles, may in ((("reader",), False), (("reader", "secret-reader"), True)):
            with self.configured("sites:\n" + sites, *[word for role in roles for word in ("--anonymous-roles", role)]) as service:
                got = {(site, path): service.request("GET", f"{prefix}/{site}/{path}".rstrip("/"))[2] for site in ("errs", "broken", "open") for path in paths}
                got["all", ""] = service.request("GET", prefix)[2]
                for (site, path), text in got.items():
                    if not may and site != "open":
                        self.assertNotIn(WORD, text, (site, path))
                self.assertIn(WORD if may else '"excerpt": null', got["errs", "subjects/web/rows"])
                self.assertIn(WORD if may else '"excerpt": null', got["broken", "subjects/web/rows"])
                # Nobody finds a fact that is secret, and nothing is hidden where nothing is.
                self.assertNotIn('"web"', got["errs", paths[8]])
                self.assertIn('"root_password"', got["open", "subjects?ids=web"])
                self.assertIn(WORD, got["open", "subjects/web/rows"])
                layers = self.ask(service, "GET", f"{API}/errs/layers?node=web")["layers"]
                self.assertEqual(layers[0], {"file": "******", "present": False})
                self.assertNotIn(self.folder, "".join(got.values()))

    def test_names_made_of_secrets_are_none(self):
        forms = ["{ $facts['root_password'] => 1 }", "{ \"a ${facts['root_password']}\" => 1, 'b' => 2 }", "String.new(1, $facts['root_password'])"]
        for number, form in enumerate(forms):
            place = self.write(f"names{number}", {"manifests/site.pp": "", "bindings/default.pp": f"bindings default {{\n  bind 'motd' to {form}\n  bind 'open' to 1\n}}\n",
                                                  "facts/web.yaml": f"root_password: {WORD}\n", ".strata.yaml": "projects: {b: {verb: inject, confdir: ., nodes: facts}}\n"})
            with self.configured(f"sites:\n  b: {{dialect: bindings, path: {place}, {MARKED}}}\n", *ALL) as service:
                for path in ("nodes/web/values", "nodes/web/values/motd", "snapshot", "nodes/web/keys"):
                    self.assertNotIn(WORD, service.request("GET", f"{API}/b/{path}")[2], (form, path))
                if form.startswith("{"):
                    self.assertEqual(self.ask(service, "GET", f"{API}/b/nodes/web/values")["value"], {"motd": SECRET, "open": 1})
        place = self.write("named", {"manifests/site.pp": "", "bindings/default.pp": "bindings default {\n  bind \"x${facts['root_password']}\" to 1\n}\n",
                                     "facts/web.yaml": f"root_password: {WORD}\n", ".strata.yaml": "projects: {b: {verb: inject, confdir: ., nodes: facts}}\n"})
        with self.configured(f"sites:\n  b: {{dialect: bindings, path: {place}, {MARKED}}}\n", *ALL) as service:
            status, _, text = service.request("GET", f"{API}/b/nodes/web/values")
            self.assertEqual((status, WORD in text, "comes from a secret" in text), (422, False, True), text)

    def test_names_of_new_files_are_no_way_to_them(self):
        hierarchy = [{"name": "secret", "path": "%{facts.db_password}.yaml"}, {"name": "folder", "datadir": "%{facts.db_password}", "path": "a.yaml"},
                     {"name": "mapped", "mapped_paths": ["facts.db_passwords", "name", "m/%{name}.yaml"]}, {"name": "role", "path": "role/%{facts.role}.yaml"}]
        files = {"hiera.yaml": json.dumps({"version": 5, "hierarchy": hierarchy}), f"data/{WORD}2.yaml": "a: 1\n",
                 "nodes.json": json.dumps([{"name": "web", "facts": {"db_password": WORD, "db_passwords": [WORD], "role": "web"}},
                                           {"name": "db", "facts": {"db_password": WORD + "2", "role": "db"}}])}
        with Service(STRATA, "--anonymous-roles", "editor", "--anonymous-roles", "admin") as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"hiera-config": "hiera.yaml", "nodes": "nodes.json", "secret-keys": ["password"]}}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
            wish = {"item": "a", "value": 2, "for": ["web"]}
            found = self.ask(service, "POST", f"{API}/up/set?proposals=9", wish)
            self.assertNotIn(WORD, json.dumps(found))
            self.assertEqual([[edit["file"] for edit in one["edits"]] for one in found["proposals"]], [["data/role/web.yaml"], ["******"], ["******"], ["******"]])
            self.assertIn("+++ b/******\n", found["proposals"][1]["diff"])
            # The explorer saves files by their names: it has none for these.
            found = self.ask(service, "POST", "/strata/v1/explore/projects/up/set", {**wish, "value": "2"})
            self.assertNotIn(WORD, json.dumps(found))
            self.assertEqual([(one["files"], one["diff"] is None) for one in found["proposals"]], [({"data/role/web.yaml": "a: 2\n"}, False), (None, True), (None, True)])
            # Who sees the files knows the names of those that are there.
            found = self.ask(service, "POST", f"{API}/up/set?proposals=9", {**wish, "for": ["db"]})
            self.assertIn([f"data/{WORD}2.yaml"], [[edit["file"] for edit in one["edits"]] for one in found["proposals"]])

    def test_uploads_have_them_in_their_options(self):
        files, node = SITES["hiera"]
        with Service(STRATA, *ALL) as service:
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"secret-keys": ["password$"]}}, status=201)
            self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::url")["value"], SECRET)
            # Documents are shared between states; those without the patterns, and with others, are read anew.
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera"})
            self.assertIn(WORD, self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::url")["value"])
            self.ask(service, "PUT", f"{API}/up", {"dialect": "hiera", "options": {"secret-keys": ["^plain$"]}})
            self.assertEqual(self.ask(service, "GET", f"{API}/up/nodes/{node}/values/plain")["value"], SECRET)
            self.assertIn(WORD, self.ask(service, "GET", f"{API}/up/nodes/{node}/values/db::url")["value"])

    def test_wrong_members_are_refused_with_their_place(self):
        place = self.write("hiera", SITES["hiera"][0])
        for text, wanted in (("secret_keys: ['(']", "secret-keys"), ("secret_keys: 1", "secret-keys"), ("eyaml_keys: {privat: x}", "did you mean"),
                             ("eyaml_keys: {public: x}", "private"), ("eyaml_keys: x", "eyaml-keys")):
            with open(self.path("strata.yaml"), "w", encoding="utf-8") as file:
                file.write(f"sites:\n  s:\n    dialect: hiera\n    path: {place}\n    {text}\n")
            run = subprocess.run([STRATA, "serve", "--check", "--config", self.path("strata.yaml"), "--store", f"sqlite:{self.path('s.db')}"], capture_output=True,
                                 text=True, timeout=HANGS, check=False)
            self.assertEqual(run.returncode, 1, text)
            self.assertIn(wanted, run.stderr)
            self.assertIn("strata.yaml:5:", run.stderr)

    def eyaml_site(self, options):
        hiera = os.path.join(EXAMPLES, "hiera")
        with open(os.path.join(hiera, "environments", "production", "data", "secrets.eyaml"), encoding="utf-8") as file:
            secrets = file.read()
        config = {"version": 5, "hierarchy": [{"name": "x", "lookup_key": "eyaml_lookup_key", "path": "secrets.eyaml", "options": options}]}
        keys = {name: os.path.realpath(os.path.join(hiera, "keys", f"{name}_key.pkcs7.pem")) for name in ("private", "public")}
        return {"hiera.yaml": json.dumps(config), "data/secrets.eyaml": secrets, ".strata.yaml": "projects: {x: {verb: lookup, hiera-config: hiera.yaml}}\n"}, keys

    def test_eyaml_keys_of_the_configuration_open_what_the_files_encrypt(self):
        files, keys = self.eyaml_site({"pkcs7_private_key": "/nowhere/private.pem", "pkcs7_public_key": "/nowhere/public.pem"})
        place = self.write("eyaml", files)
        path = "nodes/default/values/profile::db::password"
        for members in (f"private: {keys['private']}, public: {keys['public']}", f"private: {keys['private']}"):
            with self.configured(f"sites:\n  a: {{dialect: hiera, path: {place}, eyaml_keys: {{{members}}}}}\n  b: {{dialect: hiera, path: {place}}}\n", *ALL) as service:
                self.assertEqual(self.ask(service, "GET", f"{API}/a/{path}")["value"], SECRET)
                self.assertIsInstance(self.ask(service, "GET", f"{API}/a/{path}?secrets=clear")["value"], str)
                self.ask(service, "GET", f"{API}/b/{path}", status=422)  # The keys are those of one site.
                # Clients name no files of this machine: not for a site, and not for a request.
                for body in ({"dialect": "hiera", "eyaml_keys": {"private": keys["private"]}}, {"dialect": "hiera", "options": {"eyaml-keys": {"private": keys["private"]}}}):
                    status, _, text = service.request("PUT", f"{API}/up", json.dumps(body), {"Content-Type": "application/json"})
                    if status < 300:
                        self.ask(service, "PUT", f"{API}/up/tree", {"files": files}, status=201)
                        self.ask(service, "GET", f"{API}/up/{path}?secrets=clear", status=422)
                    else:
                        self.assertIn(status, (400, 422), text)
                body = {"files": files, "options": {"eyaml-keys": {"private": keys["private"]}}, "keys": ["profile::db::password"]}
                self.assertIn(service.request("POST", "/strata/v1/evaluate/hiera", json.dumps(body), {"Content-Type": "application/json"})[0], (400, 422))

    def test_a_missing_key_file_is_told(self):
        files, _ = self.eyaml_site({})
        with self.configured(f"sites:\n  a: {{dialect: hiera, path: {self.write('eyaml', files)}, eyaml_keys: {{private: /nowhere/key.pem}}}}\n") as service:
            answer = self.ask(service, "GET", f"{API}/a/nodes/default/values/profile::db::password", status=422)
            self.assertIn("/nowhere/key.pem", answer["detail"])


if __name__ == "__main__":
    unittest.main()
