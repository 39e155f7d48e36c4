# SPDX-License-Identifier: Apache-2.0
"""The module in a real Puppet over the library: every key of a site has the value that Puppet finds in the plain layout of the same files.

tests/cli/serve_puppet_test.py tests the same function over a service.
"""
import json
import os
import pathlib
import shutil
import sys
import unittest

import yaml

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import testing  # noqa: E402
from testing import ROOT, FolderTest  # noqa: E402

LIBRARY = pathlib.Path(os.environ.get("STRATA_LIBRARY") or ROOT / "build/release/src/c/libstrata.so.1")
PUPPET = shutil.which("puppet", path="/opt/puppetlabs/bin:/usr/bin:/bin")
LIBRARY_IS_MISSING = f"there is no {LIBRARY.name}: cmake --build --preset release --target strata_c"
MARK = "VALUE "
# Prints the value of each key, or that there is none. What is Sensitive says so.
MANIFEST = """
function show($value) { inline_template('<%=
  require "json"
  plain = lambda do |value|
    case value
    when Puppet::Pops::Types::PSensitiveType::Sensitive then {"__sensitive" => plain.call(value.unwrap)}
    when Hash then value.to_h { |key, member| [key.is_a?(String) ? key : "(#{key.class}) #{key}", plain.call(member)] }
    when Array then value.map(&plain)
    when :undef then nil
    else value
    end
  end
  JSON.generate(plain.call(@value)) %>') }
"""
# What the library's source of values needs of Puppet, for tests that have several catalogs in one process.
STUBS = """
module Puppet; module DataBinding; class LookupError < StandardError; end; end; end
module Puppet; module Pops; module Types; module PSensitiveType
  class Sensitive; def initialize(value); @value = value; end; def unwrap; @value; end; end
end; end; end; end
require 'HERE/strata/lib/puppet_x/strata/library.rb'
class Context
  def initialize; @kept = {}; end
  def cache(key, value); @kept[key] = value; end
  def cache_has_key(key); @kept.key?(key); end
  def cached_value(key); @kept[key]; end
  def environment_name; 'production'; end
  def explain; end
end
""".replace("HERE", str(HERE))


def without_marks(value):
    if isinstance(value, dict):
        return without_marks(value["__sensitive"]) if set(value) == {"__sensitive"} else {key: without_marks(member) for key, member in value.items()}
    return [without_marks(item) for item in value] if isinstance(value, list) else value


class PuppetTest(FolderTest):
    """Two layouts of examples/hiera: as it is, and with an outer hiera.yaml that asks strata."""

    def setUp(self):
        super().setUp()
        self.environment["LD_LIBRARY_PATH"] = str(LIBRARY.parent)
        # Keys of eyaml count from the folder where Puppet works.
        (self.folder / "examples").symlink_to(ROOT / "examples")
        self.copy("hiera", "plain")
        self.copy("hiera", "asking")
        environment = self.folder / "asking/environments/production"
        inner = environment / "strata"
        inner.mkdir()
        for name in ("hiera.yaml", "data"):
            (environment / name).rename(inner / name)
        self.write({"environment.conf": "modulepath = ../modules\n"}, inner)
        self.write({".strata.yaml": "projects: {fleet: {verb: lookup, environment-root: strata}}\n"}, environment)
        self.ask_strata()
        shutil.copytree(HERE / "strata", environment / "modules/strata")

    def ask_strata(self, function="lookup_key", **options):
        entry = {"name": "strata", function: f"strata::{function}", "options": {"project": "@fleet", **options}}
        self.write({"asking/environments/production/hiera.yaml": json.dumps({"version": 5, "hierarchy": [entry]})})

    def puppet(self, layout, *words, status=0):
        places = [f"--{name}={self.folder}/puppet/{name}" for name in ("confdir", "vardir", "logdir", "rundir")]
        return self.run_in(".", PUPPET, *words, "--color=false", *places, "--environmentpath", self.folder / layout / "environments", "--codedir",
                           self.folder / layout, status=status)

    def apply(self, layout, node, code, status=0):
        """Compiles and applies code for a node with its facts."""
        facts = yaml.safe_load((ROOT / f"examples/hiera/nodes/{node}.yaml").read_text(encoding="utf-8"))
        self.write({"facts.d/node.json": json.dumps(facts), "site.pp": MANIFEST + code})
        done = self.puppet(layout, "apply", "--certname", facts["clientcert"], "--pluginfactdest", self.folder / "facts.d", "--environment", "production",
                           self.folder / "site.pp", status=status)
        return done.stderr if status else done.stdout

    def values(self, layout, node, keys):
        code = "".join(f"notice('{MARK}{number}', show(lookup('{key}', undef, undef, '(none)')))\n" for number, key in enumerate(keys))
        lines = [line.split(MARK, 1)[1].split(" ", 1) for line in self.apply(layout, node, code).splitlines() if MARK in line]
        self.assertEqual([int(number) for number, _ in lines], list(range(len(keys))))
        return {key: json.loads(text) for key, (_, text) in zip(keys, lines)}


@unittest.skipUnless(PUPPET, "Puppet is not installed: script/bootstrap --integrations")
@unittest.skipUnless(LIBRARY.exists(), LIBRARY_IS_MISSING)
class Library(PuppetTest):
    nodes = ("db01", "web04", "build01")

    def keys(self):
        found = json.loads(self.strata(".", "lookup", "--codedir", "plain", "--nodes", "plain/nodes", "--all", "--output", "json"))
        return sorted({key for values in found.values() for key in values}) + ["no::such", "accounts::users.alice.groups.0"]

    def test_every_key_is_as_in_the_plain_layout(self):
        keys = self.keys()
        self.assertGreater(len(keys), 15)
        for node in self.nodes:
            with self.subTest(node):
                plain = self.values("plain", node, keys)
                asked = self.values("asking", node, keys)
                # What was decrypted is Sensitive, too.
                self.assertEqual(without_marks(asked), without_marks(plain))
                self.assertEqual(asked["profile::backup::password"], plain["profile::backup::password"])
                self.assertEqual(set(asked["profile::db::password"]), {"__sensitive"})
                self.assertEqual(plain["no::such"], "(none)")
                # Merged over levels, and over the environment and a module.
                self.assertGreater(len(plain["accounts::users"]), 2)
                self.assertGreater(len(plain["ntp::servers"]), 2)
        self.ask_strata(sensitive=False)
        asked = self.values("asking", "db01", keys)
        self.assertEqual(asked["profile::db::password"], self.values("plain", "db01", ["profile::db::password"])["profile::db::password"])

    def test_all_keys_at_once(self):
        keys = self.keys()
        self.write({"asking/environments/production/strata/data/roles/db.yaml": "literal: \"%{literal('%')}{role} and %{role}\"\n"})
        self.write({"plain/environments/production/data/roles/db.yaml": "literal: \"%{literal('%')}{role} and %{role}\"\n"})
        self.ask_strata("data_hash")
        asked = self.values("asking", "db01", [*keys, "literal"])
        self.assertEqual(without_marks(asked), without_marks(self.values("plain", "db01", [*keys, "literal"])))
        self.assertEqual(asked["literal"], "%{role} and db")

    def test_keys_that_are_no_texts(self):
        text = "odd: {1: one, '3': three, list: [{4: [5]}]}\n\"dotted.key\": found\n"
        self.write({"asking/environments/production/strata/data/sites/fra.yaml": text, "plain/environments/production/data/sites/fra.yaml": text})
        keys = ["odd", "'dotted.key'", "odd.list.0"]
        code = "".join(f'notice("{MARK}{number}", show(lookup("{key}")))\n' for number, key in enumerate(keys))
        plain, asked = ([line.split(MARK)[1] for line in self.apply(layout, "web04", code).splitlines() if MARK in line] for layout in ("plain", "asking"))
        self.assertEqual(asked, plain)
        self.assertEqual(len(plain), 3)
        self.assertIn("(Integer) 1", plain[0])

    def test_keys_with_quotes_and_values_without_json(self):
        text = ("\"it's\": apostrophe\n'say \"x\"': quotation\n\"a.b'c\": both\ninf: {a: [.inf, -.inf], 1: one, '1': text, n: ~, b: true, t: words}\n"
                "zero: \"x\\0y\"\ninfzero: {a: .inf, b: \"x\\0y\", \"k\\0\": 1}\nbytes: !!binary /w==\ninfbytes: [.inf, !!binary /w==]\n"
                "some: {a: [!!binary gACA, words, {b: !!binary aGVsbG8=, c: !binary gA==}], none: !!binary ''}\n")
        self.write({"asking/environments/production/strata/data/sites/fra.yaml": text, "plain/environments/production/data/sites/fra.yaml": text})
        # Texts have their encoding beside them; for Ruby, those of ASCII are equal in all of them.
        show = """function flat($value) { inline_template('<%=
  flat = lambda do |value|
    case value
    when Hash then value.map { |key, member| [flat.call(key), flat.call(member)] }
    when Array then value.map(&flat)
    when String then value.ascii_only? ? value : "#{value.encoding} #{value.inspect}"
    else value
    end
  end
  flat.call(@value).inspect %>') }\n"""
        keys = ['"\\"it\'s\\""', "'\\'say \"x\"\\''", '"\\"a.b\'c\\""', "'inf'", "'zero'", "'infzero'", "'bytes'", "'infbytes'", "'some'"]
        code = show + "".join(f"notice('{MARK}{number}', flat(lookup({key}, undef, undef, 'none')))\n" for number, key in enumerate(keys))

        def told(layout):
            return [line.split(MARK)[1] for line in self.apply(layout, "web04", code).splitlines() if MARK in line]

        plain = told("plain")
        self.assertEqual(told("asking"), plain)
        self.assertEqual(len(plain), len(keys))
        self.assertIn("Infinity", plain[3])
        for number in (4, 5):
            self.assertIn(r"x\u0000y", plain[number])
        for number in (6, 7):
            self.assertIn(r"\\xFF", plain[number])
        self.ask_strata("data_hash")
        self.assertEqual(told("asking"), plain)

    def test_facts_that_do_not_name_the_node(self):
        self.write({"role.json": '{"role": "db"}'})
        plain, asked = (self.puppet(layout, "lookup", "--node", "vm", "--facts", self.folder / "role.json", "--environment", "production",
                                    "--render-as", "json", "accounts::users").stdout for layout in ("plain", "asking"))
        self.assertEqual(json.loads(asked), json.loads(plain))

    def test_parameters_of_classes(self):
        code = "class ntp(Array $servers, Hash $config = {}) { notice('%s0', show([$servers, $config])) }\ninclude ntp\n" % MARK
        plain, asked = ([line.split(MARK)[1] for line in self.apply(layout, "db01", code).splitlines() if MARK in line] for layout in ("plain", "asking"))
        self.assertEqual(asked, plain)
        self.assertEqual(len(plain), 1)

    def test_more_facts(self):
        self.write({"asking/environments/production/strata/hiera.yaml": "version: 5\nhierarchy: [{name: x, path: \"%{team}.yaml\"}]\n",
                    "asking/environments/production/strata/data/red.yaml": "color: red\n"})
        self.ask_strata(variables={"team": "red"})
        self.assertEqual(self.values("asking", "db01", ["color"]), {"color": "red"})
        self.ask_strata()
        self.assertEqual(self.values("asking", "db01", ["color"]), {"color": "(none)"})

    def test_what_is_no_node(self):
        """Other dialects: a machine's cloud-config as data of Puppet."""
        self.write({"machines/.strata.yaml": "projects: {m: {verb: merge, fleet: [{name: web, args: [a.yaml]}]}}\n",
                    "machines/a.yaml": "#cloud-config\ntimezone: Etc/UTC\n"})
        self.ask_strata(project="@m", folder=str(self.folder / "machines"), subject="web")
        self.assertEqual(self.values("asking", "db01", ["timezone", "other"]), {"timezone": "Etc/UTC", "other": "(none)"})

    def test_explanations(self):
        done = self.puppet("asking", "lookup", "--explain", "--node", "db01.ams.example.com", "--facts", ROOT / "examples/hiera/nodes/db01.yaml",
                           "--environment", "production", "accounts::users")
        self.assertRegex(done.stdout, r"strata: /alice/groups/1\n(?:  .*\n)*?  won .*/strata/data/roles/db\.yaml:\d+ ")
        self.assertRegex(done.stdout, r"  removed .*/strata/data/common\.yaml:\d+ ")

    def test_what_is_broken_is_told(self):
        self.write({"asking/environments/production/strata/data/common.yaml": "a: [\n"})
        told = self.apply("asking", "db01", "notice(lookup('site_name', undef, undef, 'the default'))\n", status=1)
        self.assertIn("strata/data/common.yaml:2:1: error:", told)
        # A circle.
        self.write({"asking/environments/production/strata/data/common.yaml": "a: 1\n",
                    "asking/environments/production/strata/hiera.yaml": "version: 5\nhierarchy: [{name: x, lookup_key: 'strata::lookup_key'}]\n"})
        self.assertIn("hiera.function", self.apply("asking", "db01", "notice(lookup('a'))\n", status=1))
        self.ask_strata(project="@flet")
        self.assertIn("did you mean 'fleet'", self.apply("asking", "db01", "notice(lookup('a'))\n", status=1))
        self.ask_strata(library="libno-such.so.1")
        self.assertIn("cannot be loaded", self.apply("asking", "db01", "notice(lookup('a'))\n", status=1))
        self.ask_strata(projekt="x")
        self.assertIn("unknown options projekt", self.apply("asking", "db01", "notice(lookup('a'))\n", status=1))


@unittest.skipUnless(shutil.which("ruby"), "Ruby is not installed: script/bootstrap --integrations")
@unittest.skipUnless(LIBRARY.exists(), LIBRARY_IS_MISSING)
class Catalogs(FolderTest):
    """Several catalogs in one process, as in a server."""

    def ruby(self, code):
        self.write({"ask.rb": f"""{STUBS}
LIBRARY = '{LIBRARY}'
def node(folder, context = Context.new)
  scope = {{'facts' => {{}}, 'trusted' => {{'certname' => 'a'}}}}
  PuppetX::Strata::Library.node({{'project' => '@fleet', 'folder' => folder, 'library' => LIBRARY}}, context, scope)
end
# Prints what is freed, too.
module Counted
  @freed = 0
  class << self; attr_accessor :freed; end
  def call(name, *arguments)
    Counted.freed += 1 if name == :strata_project_free
    super
  end
end
PuppetX::Strata::Library::Functions.prepend(Counted)
{code}"""})
        return self.run_in(".", "ruby", "-W", "ask.rb").stdout.splitlines()

    def environment_of(self, name):
        self.write({f"{name}/.strata.yaml": "projects: {fleet: {verb: lookup, environment-root: strata}}\n",
                    f"{name}/strata/hiera.yaml": "version: 5\nhierarchy: [{name: x, path: x.yaml}]\n",
                    f"{name}/strata/data/x.yaml": "k1: old\nk2: old\n"})

    def test_a_catalog_has_one_state_of_the_files(self):
        self.environment_of("one")
        told = self.ruby(f"""
def told(node) = ['k1', 'k2'].flat_map {{ |key| node.find(key) }}
first = node('{self.folder}/one')
puts first.find('k1')
File.write('{self.folder}/one/strata/data/x.yaml', "k1: newer\nk2: newer\n")
second = node('{self.folder}/one')
puts told(second).join(' '), told(first).join(' ')
File.write('{self.folder}/one/strata/data/x.yaml', "k1: the newest\nk2: the newest\n")
third = node('{self.folder}/one')
puts told(third).join(' '), told(second).join(' '), told(first).join(' ')
""")
        self.assertEqual(told, ["old", "newer newer", "old old", "the newest the newest", "newer newer", "old old"])

    def test_facts_without_json(self):
        self.environment_of("one")
        self.write({"one/strata/data/x.yaml": "told: '%{facts.number} %{facts.bytes} %{facts.list.0}'\n"})
        told = self.ruby(f"""
facts = {{'number' => Float::NAN, 'bytes' => "a\\xFF".b, 'list' => [-Float::INFINITY], "odd\\xFF" => 1}}
scope = {{'facts' => facts, 'trusted' => {{'certname' => 'a'}}}}
options = {{'project' => '@fleet', 'folder' => '{self.folder}/one', 'library' => LIBRARY}}
puts PuppetX::Strata::Library.node(options, Context.new, scope).find('told')
""")
        self.assertEqual(told, ["NaN a\ufffd -Infinity"])

    def test_environments_that_are_gone_are_given_up(self):
        names = [f"environment{number}" for number in range(50)]
        for name in names:
            self.environment_of(name)
        told = self.ruby(f"""
names = %w[{' '.join(names)}]
names.each {{ |name| raise name unless node("{self.folder}/#{{name}}").find('k1') == ['old'] }}
GC.start
puts PuppetX::Strata::Library.instance_variable_get(:@projects).size
# Each catalog had a state of its own.
puts Counted.freed
""")
        self.assertEqual(told[0], "32")
        self.assertGreater(int(told[1]), 25)


@unittest.skipUnless(os.environ.get("STRATA_JRUBY"), "asked for by script/integrations --puppetserver")
class JRuby(PuppetTest):
    def test_the_ruby_of_the_server_loads_the_library(self):
        self.assertTrue(shutil.which("jruby"), "JRuby is not installed: script/bootstrap --jruby")
        self.write({"ask.rb": f"""
{STUBS}
facts = {{'role' => 'db', 'site' => 'ams', 'tier' => 'production', 'os' => {{'family' => 'Debian'}}, 'services' => ['postgresql']}}
scope = {{'facts' => facts, 'trusted' => {{'certname' => 'db01.ams.example.com', 'hostname' => 'db01'}}}}
options = {{'project' => '@fleet', 'folder' => '{self.folder}/asking/environments/production', 'library' => '{LIBRARY}', 'sensitive' => false}}
# Several threads share a project, as in a server.
values = 4.times.map do
  Thread.new {{ 25.times.map {{ PuppetX::Strata::Library.node(options, Context.new, scope).find('accounts::users') }}.uniq }}
end.map(&:value).uniq
raise values.inspect unless values.size == 1 && values.first.size == 1
puts JSON.generate(values.first.first.first)
begin
  PuppetX::Strata::Library.node(options.merge('project' => '@flet'), Context.new, scope)
rescue Puppet::DataBinding::LookupError => e
  puts e.message
end
"""})
        done = self.run_in(".", "jruby", "ask.rb")
        first, *rest = done.stdout.splitlines()
        wanted = json.loads(self.strata(".", "lookup", "--codedir", "plain", "--facts", "plain/nodes/db01.yaml", "--output", "json", "accounts::users"))
        self.assertEqual(json.loads(first), wanted)
        self.assertIn("did you mean 'fleet'", "\n".join(rest))


@unittest.skipUnless(PUPPET, "Puppet is not installed: script/bootstrap --integrations")
@unittest.skipUnless(LIBRARY.exists(), LIBRARY_IS_MISSING)
class Readme(testing.PageTest):
    page = HERE / "README.md"

    def prepare(self):
        self.environment["LD_LIBRARY_PATH"] = str(LIBRARY.parent)


if __name__ == "__main__":
    unittest.main()
