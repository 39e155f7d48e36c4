// SPDX-License-Identifier: Apache-2.0
#include "jinja/jinja.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::jinja {
namespace {

constexpr std::string_view kData = R"({
  "name": "web01", "num": 7, "real": 2.5, "flag": true, "nothing": null, "word": "été",
  "items": [3, 1, 2], "big": 123456789012345678901234567890,
  "users": [{"name": "bob", "age": 30}, {"name": "Ann", "age": 25, "home": "/a"}],
  "conf": {"b": 1, "a-b": [1, "x"], "items": "own"}})";

/// Renders with the variables above, from byte `begin`.
Rendering render_with(std::string_view data, std::string text, const Limits& limits = {}, std::size_t begin = 0) {
  Sources sources;
  const text::Document document = text::read_json(sources, sources.add("data", std::string(data)), limits);
  return render(sources, sources.add("template", std::move(text)), begin, document.root, limits);
}

std::string rendered(std::string text) { return render_with(kData, std::move(text)).text; }

/// `code line:column message` of the error, or what it rendered to.
std::string failure(std::string text, const Limits& limits = {}) {
  try {
    return "rendered: " + render_with(kData, std::move(text), limits).text;
  } catch (const Error& error) {
    const Place& place = error.diagnostic().where.place;
    return error.code() + " " + std::to_string(place.line.value_or(0)) + ":" +
           std::to_string(place.column.value_or(0)) + " " + error.diagnostic().message;
  }
}

TEST(Jinja, WritesValuesAsPythonDoes) {
  EXPECT_EQ(rendered("{{ name }} {{ num }} {{ real }} {{ flag }} {{ nothing }}"), "web01 7 2.5 True None");
  EXPECT_EQ(rendered("{{ [1, 'a', \"it's\", 1.0, none, (1,), {'k': word}] }}"),
            "[1, 'a', \"it's\", 1.0, None, (1,), {'k': 'été'}]");
  EXPECT_EQ(rendered("{{ 1e16 }} {{ 1e-5 }} {{ 0.1 + 0.2 }} {{ 100.0 }} {{ -0.0 }}"),
            "1e+16 1e-05 0.30000000000000004 100.0 -0.0");
  EXPECT_EQ(rendered("{{ '\\x00\\n\\u200b\\\\' | list }}"), "['\\x00', '\\n', '\\u200b', '\\\\']");
  EXPECT_EQ(rendered("{{ big }} {{ big is number }}"), "123456789012345678901234567890 True");
  EXPECT_EQ(rendered("{% set x = [1] %}{% do x.append(x) %}{{ x }}"), "[1, [...]]");
  EXPECT_EQ(rendered("{{ range(3) }} {{ conf.keys() }}"), "range(0, 3) dict_keys(['b', 'a-b', 'items'])");
}

TEST(Jinja, CalculatesAsPythonDoes) {
  EXPECT_EQ(rendered("{{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }} {{ 7 / 2 }} {{ 2 ** 10 }} {{ 2 ** -1 }} {{ -2 ** 2 }}"),
            "3 -4 2 3.5 1024 0.5 4");
  EXPECT_EQ(rendered("{{ 7.5 // 2 }} {{ -7.5 % 2 }} {{ 1 + true }} {{ 'ab' * 2 ~ 3 }} {{ [1] + [2] }} {{ (1,) * 2 }}"),
            "3.0 0.5 2 abab3 [1, 2] (1, 1)");
  EXPECT_EQ(rendered("{{ 1 < 2 < 3 }} {{ 1 < 2 > 3 }} {{ 1 == 1.0 == true }} {{ 'b' > 'a' }} {{ [1, 2] < [1, 3] }} {{ "
                     "2 in items }} {{ 'x' not in 'xyz' }}"),
            "True False True True True True False");
  EXPECT_EQ(rendered("{{ '' or 'x' }} {{ 0 and 1 }} {{ not [] }} {{ 'a' if flag else 'b' }}[{{ 'a' if nothing }}]"),
            "x 0 True a[]");
}

TEST(Jinja, SubscriptsAndSlices) {
  EXPECT_EQ(rendered("{{ items[-1] }} {{ items.0 }} {{ items[1:] }} {{ items[::-1] }} {{ word[0] }} {{ word[1:] }} {{ "
                     "'abcdef'[4:1:-2] }}"),
            "2 3 [1, 2] [2, 1, 3] é té ec");
  EXPECT_EQ(rendered("{{ conf.b }} {{ conf['a-b'][1] }} {{ conf['items'] }} {{ conf.items() | list | length }}"),
            "1 x own 3");
  EXPECT_EQ(rendered("{{ conf.get('z', 'd') }} {{ conf.z is defined }} {{ users[0].name }}"), "d False bob");
}

TEST(Jinja, MarksWhatIsUndefined) {
  const Rendering rendering =
      render_with(kData, "{{ b }}{{ a }} {{ b }} {{ conf.x }} {{ [] | first }}{% if c | string == '' %}{% endif %}\n");
  EXPECT_EQ(rendering.text,
            "CI_MISSING_JINJA_VAR/bCI_MISSING_JINJA_VAR/a CI_MISSING_JINJA_VAR/b CI_MISSING_JINJA_VAR/x "
            "CI_MISSING_JINJA_VAR/None\n");
  EXPECT_EQ(rendering.missing, (std::vector<std::string>{"b", "a", "x", "None"}));
  EXPECT_EQ(rendered("{{ x | default('d') }} {{ x | length }} {{ x is defined }} {{ x == y }} {% for i in x %}{% else "
                     "%}none{% endfor %}"),
            "d 0 False True none");
}

TEST(Jinja, Branches) {
  EXPECT_EQ(rendered("{% if num > 9 %}a{% elif num > 5 %}b{% else %}c{% endif %}"), "b");
  EXPECT_EQ(rendered("{% if x %}{{ 1 | nofilter }}{% endif %}ok"), "ok");
}

TEST(Jinja, Loops) {
  EXPECT_EQ(rendered("{% for i in items %}{{ loop.index }}/{{ loop.length }}:{{ i }}{{ ',' if not loop.last else '.' "
                     "}}{% endfor %}"),
            "1/3:3,2/3:1,3/3:2.");
  EXPECT_EQ(rendered("{% for k, v in conf | dictsort %}{{ k }}={{ v }};{% endfor %}"), "a-b=[1, 'x'];b=1;items=own;");
  EXPECT_EQ(rendered("{% for i in items if i > 1 %}{{ loop.cycle('a', 'b') }}{{ loop.revindex }}{{ loop.previtem }}{{ "
                     "loop.nextitem is defined }} {% endfor %}"),
            "a2CI_MISSING_JINJA_VAR/NoneTrue b13False ");
  EXPECT_EQ(rendered("{% set x = 1 %}{% for i in items %}{% set x = i %}{% endfor %}{{ x }}"), "1");
  EXPECT_EQ(
      rendered(
          "{% for i in [1, [2, [3]]] recursive %}{{ loop(i) if i is iterable else i }}/{{ loop.depth }} {% endfor %}"),
      "1/1 2/2 3/3 /2 /1 ");
  EXPECT_EQ(
      rendered("{% set q = [1] %}{% for i in q %}{% if i < 4 %}{% do q.append(i + 1) %}{% endif %}{% endfor %}{{ q }}"),
      "[1, 2, 3, 4]");
}

TEST(Jinja, Assigns) {
  EXPECT_EQ(rendered("{% set a, b = 1, 2 %}{{ a + b }}{% set c %}x{{ a }}{% endset %}{{ c }}{% set d | upper %}y{% "
                     "endset %}{{ d }}"),
            "3x1Y");
  EXPECT_EQ(
      rendered("{% set ns = namespace(n=0) %}{% for i in items %}{% set ns.n = ns.n + i %}{% endfor %}{{ ns.n }}"),
      "6");
  EXPECT_EQ(rendered("{% with a = 1, b = num %}{{ a }}{{ b }}{% endwith %}{{ a }}"), "17CI_MISSING_JINJA_VAR/a");
  EXPECT_EQ(rendered("{% set d = {'a': 1} %}{% do d.update(b=2) %}{{ d }}{% filter upper %}x{% endfilter %}"),
            "{'a': 1, 'b': 2}X");
}

TEST(Jinja, Macros) {
  EXPECT_EQ(rendered("{% macro m(a, b='B') %}[{{ a }}{{ b }}{{ varargs }}{{ kwargs }}]{% endmacro %}{{ m(1) }}{{ m(1, "
                     "2, 3, k=4) }}"),
            "[1B(){}][12(3,){'k': 4}]");
  EXPECT_EQ(rendered("{% macro m() %}<{{ caller(1) }}>{% endmacro %}{% call(x) m() %}{{ x }}!{% endcall %}"), "<1!>");
  EXPECT_EQ(rendered("{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}"), "3210");
}

TEST(Jinja, ControlsWhiteSpace) {
  EXPECT_EQ(rendered("a\n{% if true %}\nb\n{% endif %}\nc\n"), "a\nb\nc\n");
  EXPECT_EQ(rendered("a \n {%- if true +%}\n b {%- endif %}\nc"), "a\n bc");
  EXPECT_EQ(rendered("a {{- 1 -}} b{# note #}\n c{#- x -#} d"), "a1b cd");
  EXPECT_EQ(rendered("{% raw %}{{ x }}{% endraw %}\n{%- raw -%} {% y %} {%- endraw -%} z"), "{{ x }}{% y %}z");
  EXPECT_EQ(rendered("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(rendered("a\n\n"), "a\n\n");
  EXPECT_EQ(rendered(""), "");
}

TEST(Jinja, FiltersTexts) {
  EXPECT_EQ(rendered("{{ word | upper }} {{ 'foo bAR-baz' | title }} {{ 'aBC' | capitalize }} {{ ' x ' | trim }} {{ "
                     "'x' | center(5) }}|"),
            "ÉTÉ Foo Bar-Baz Abc x   x  |");
  EXPECT_EQ(rendered("{{ 'a\\nb\\n\\nc' | indent(2, true) }}"), "  a\n  b\n\n  c");
  EXPECT_EQ(rendered("{{ 'the quick brown fox' | truncate(9) }} {{ 'the quick brown fox' | wordwrap(9) }} {{ 'a b_c' | "
                     "wordcount }}"),
            "the... the quick\nbrown fox 2");
  EXPECT_EQ(rendered("{{ '<a> & b' | e }} {{ '<i>x</i>  y &amp;' | striptags }} {{ 'a b/c?' | urlencode }} {{ {'a': 1, "
                     "'b': 'x y'} | urlencode }}"),
            "&lt;a&gt; &amp; b x y & a%20b/c%3F a=1&b=x+y");
  EXPECT_EQ(rendered("{{ '%s-%03d' | format('a', 7) }} {{ '{:>4}|{!r}'.format(1, 'x') }} {{ '%.2f' % 2.675 }}"),
            "a-007    1|'x' 2.67");
  EXPECT_EQ(rendered("{{ 'aXbX' | replace('X', '-', 1) }} {{ 1234567 | filesizeformat }} {{ {'c': 'x'} | xmlattr }}"),
            "a-bX 1.2 MB  c=\"x\"");
}

TEST(Jinja, FiltersSequences) {
  EXPECT_EQ(rendered("{{ items | sort }} {{ items | max }} {{ items | sum }} {{ items | join('-') }} {{ items | last "
                     "}} {{ items | reverse | list }}"),
            "[1, 2, 3] 3 6 3-1-2 2 [2, 1, 3]");
  EXPECT_EQ(rendered("{{ users | map(attribute='home', default='-') | list }} {{ ['a'] | map('upper') | first }} {{ "
                     "users | sort(attribute='name') | "
                     "map(attribute='name') | join }}"),
            "['-', '/a'] A Annbob");
  EXPECT_EQ(rendered("{{ items | select('odd') | list }} {{ items | reject('gt', 1) | list }} {{ users | "
                     "selectattr('home', 'defined') | list | length }}"),
            "[3, 1] [1] 1");
  EXPECT_EQ(
      rendered("{{ items | batch(2, 0) | list }} {{ items | slice(2) | list }} {{ ['a', 'A', 'b'] | unique | list }}"),
      "[[3, 1], [2, 0]] [[3, 1], [2]] ['a', 'b']");
  EXPECT_EQ(rendered("{% for g in users | groupby('age') %}{{ g.grouper }}:{{ g.list[0].name }} {% endfor %}"),
            "25:Ann 30:bob ");
}

TEST(Jinja, FiltersValues) {
  EXPECT_EQ(rendered("{{ '42.7' | int }} {{ 'x' | int(5) }} {{ '0x1f' | int(base=16) }} {{ '1.5' | float }} {{ 2.5 | "
                     "round }} {{ 2.25 | round(1, "
                     "'ceil') }} {{ -3 | abs }}"),
            "42 5 31 1.5 2.0 2.3 3");
  EXPECT_EQ(rendered("{{ {'b': [1, none, 1.5], 'a': \"<'&é\"} | tojson }}"),
            "{\"a\": \"\\u003c\\u0027\\u0026\\u00e9\", \"b\": [1, null, 1.5]}");
  EXPECT_EQ(rendered("{{ [1, {}] | tojson(2) }}"), "[\n  1,\n  {}\n]");
}

TEST(Jinja, Tests) {
  EXPECT_EQ(rendered("{{ 4 is even }} {{ 9 is divisibleby 3 }} {{ 'a' is in 'abc' }} {{ none is none }} {{ 1 is sameas "
                     "true }} {{ name is string }} "
                     "{{ conf is mapping }}"),
            "True True True True False True True");
  EXPECT_EQ(rendered("{{ 'x' is not upper }} {{ 1.5 is float }} {{ true is integer }} {{ 'map' is filter }} {{ 'odd' "
                     "is test }} {{ 3 is gt 2 }}"),
            "True True False True True True");
}

TEST(Jinja, SegmentsLeadBack) {
  Sources sources;
  const SourceId source =
      sources.add("t", "## template: jinja\r\na: {{ num }}\r\nb: x{% for i in [1, 2] %}-{{ i }}{% endfor %}\r\n");
  const text::Document document = text::read_json(sources, sources.add("data", std::string(kData)), {});
  const Rendering rendering = render(sources, source, 20, document.root, {});
  EXPECT_EQ(rendering.text, "a: 7\nb: x-1-2\n");
  const SourceId derived = sources.add_derived(source, "", rendering.text, rendering.segments);
  const auto place = [&](std::size_t at) { return sources.place(sources.at(derived, at)).to_string(); };
  EXPECT_EQ(place(0), "t:2:1");
  EXPECT_EQ(place(3), "t:2:4");  // what the expression wrote
  EXPECT_EQ(place(5), "t:3:1");  // after a CR LF
  EXPECT_EQ(place(8), "t:3:4");
  EXPECT_EQ(place(9), "t:3:26");  // the text of the loop, each time
  EXPECT_EQ(place(11), "t:3:26");
  EXPECT_EQ(place(12), "t:3:27");
}

TEST(Jinja, FailsAtAPlace) {
  EXPECT_EQ(failure("a\n{{ un-known }}"), "jinja.undefined 2:6 'un' is undefined");
  EXPECT_EQ(failure("{{ x.y }}"), "jinja.undefined 1:5 'x' is undefined");
  EXPECT_EQ(failure("\n é {{ 1 / 0 }}"), "jinja.runtime 2:9 division by zero");
  EXPECT_EQ(failure("{{ 1 + 'a' }}"), "jinja.runtime 1:6 '+' does not work on values of types int and str");
  EXPECT_EQ(failure("{{ name.__class__ }}"), "jinja.runtime 1:8 access to the attribute '__class__' is refused");
  EXPECT_EQ(failure("{{ name['__class__'] }}"), "jinja.runtime 1:8 access to the attribute '__class__' is refused");
  EXPECT_EQ(failure("{% if %}"), "jinja.syntax 1:7 expected an expression, found '%}'");
  EXPECT_EQ(failure("x {{ a"), "jinja.syntax 1:7 expected '}}', found the end of the template");
  EXPECT_EQ(failure("{% for x in items %}"), "jinja.syntax 1:21 the template ends where 'endfor' was expected");
  EXPECT_EQ(failure("{{ 1 | nope }}"), "jinja.syntax 1:8 there is no filter named 'nope'");
  EXPECT_EQ(failure("{% include 'x' %}"),
            "jinja.unsupported 1:4 the statement 'include' is not supported in templates");
  EXPECT_EQ(failure("{{ 'x' | urlize }}"), "jinja.unsupported 1:10 the filter 'urlize' is not supported in templates");
  EXPECT_EQ(failure("{# x"), "jinja.syntax 1:1 the comment is not closed");
  EXPECT_EQ(failure("{{ 9223372036854775807 + 1 }}"), "jinja.runtime 1:24 the result does not fit in 64 bits");
}

TEST(Jinja, StaysWithinLimits) {
  Limits limits;
  limits.steps = 10'000;
  const auto begins = [&](std::string text, std::string_view expected) {
    EXPECT_EQ(failure(text, limits).substr(0, expected.size()), expected) << text.substr(0, 100);
  };
  begins("{% for i in range(99999) %}{% endfor %}", "limit.steps");
  begins("{% set q = [1] %}{% for i in q %}{% do q.append(1) %}{% endfor %}", "limit.steps");
  begins("{{ range(1000000000) }}", "jinja.runtime");
  begins("{{ range(-9223372036854775807, 9223372036854775807) }}", "jinja.runtime");
  begins("{{ 'x' * 100000000 }}", "limit.result");
  begins("{{ [1] * 1000000000 }}", "limit.result");
  begins("{{ 2 ** 9999999999 }}", "jinja.runtime");
  begins("{{ '%999999999d' % 1 }}", "limit.result");
  begins("{{ 'a'.ljust(999999999) }}", "limit.result");
  begins("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "jinja.runtime");
  begins("{{ " + std::string(100'000, '(') + "1" + std::string(100'000, ')') + " }}", "jinja.syntax");
  begins("{{ " + std::string(100'000, '[') + " }}", "jinja.syntax");
  begins("{{ " + std::string(100'000, '-') + "1 }}", "jinja.syntax");
  std::string choices;
  for (int index = 0; index < 20'000; ++index) choices += "1 if 1 else ";
  begins("{{ " + choices + "1 }}", "jinja.syntax");
  std::string sum = "1";
  for (int index = 0; index < 20'000; ++index) sum += "+1";
  begins("{{ " + sum + " }}", "jinja.syntax");
  std::string blocks;
  for (int index = 0; index < 10'000; ++index) blocks += "{% if 1 %}";
  begins(blocks, "jinja.syntax");
  begins("{% set ns = namespace(v=[]) %}{% for i in range(900) %}{% set ns.v = [ns.v] %}{% endfor %}{{ ns.v }}",
         "jinja.runtime");
}

TEST(Jinja, InstanceVariables) {
  Sources sources;
  const auto variables = [&](std::string data) {
    const text::Document document = text::read_json(sources, sources.add("data", std::move(data)), {});
    const Value value = instance_variables(*document.arena, document.root);
    return text::write_json(value);
  };
  EXPECT_EQ(variables(R"({"b":1,"a-b":{"c.d":[{"x-y":1}]}})"), variables(R"({"a-b":{"c.d":[{"x-y":1}]},"b":1})"));
  const std::string_view data =
      R"({"zone": "own", "v1": {"zone": "one", "region": "r1", "x": 1}, "v2": {"x": 2}, "region": "own", "ds": {"k-v": "aGk="}, "base64-encoded-keys": ["ds/k_v"]})";
  const auto with = [&](std::string text) {
    const text::Document document = text::read_json(sources, sources.add("data", std::string(data)), {});
    const Value value = instance_variables(*document.arena, document.root);
    return render(sources, sources.add("t", std::move(text)), 0, value, {}).text;
  };
  EXPECT_EQ(with("{{ zone }} {{ region }} {{ x }} {{ v1.x }}"), "own r1 2 1");
  EXPECT_EQ(with("{{ ds.k_v }} {{ ds['k-v'] }} {{ base64_encoded_keys }}"), "aGk= aGk= ['ds/k_v']");
  EXPECT_EQ(instance_variables(*std::make_unique<Arena>(), Value::null()).size(), 0u);
}

}  // namespace
}  // namespace strata::jinja
