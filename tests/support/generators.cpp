// SPDX-License-Identifier: Apache-2.0
#include "support/generators.hpp"

#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "strata/builder.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::testing {
namespace {

/// A value before it has an arena: plain data, which RapidCheck can copy and shrink.
struct Plan {
  Kind kind = Kind::null;
  std::int64_t integer = 0;
  double floating = 0;
  std::string text;
  std::vector<Plan> keys;
  std::vector<Plan> members;
};

Plan plan_text(Kind kind, std::string text) {
  Plan plan;
  plan.kind = kind;
  plan.text = std::move(text);
  return plan;
}

Plan plan_integer(std::int64_t number) {
  Plan plan;
  plan.kind = Kind::integer;
  plan.integer = number;
  return plan;
}

Plan plan_floating(double number) {
  Plan plan;
  plan.kind = Kind::floating;
  plan.floating = number;
  return plan;
}

rc::Gen<std::string> any_code_points() {
  const auto range = [](std::uint32_t first, std::uint32_t end) { return rc::gen::inRange<std::uint32_t>(first, end); };
  const auto point = rc::gen::weightedOneOf<std::uint32_t>({{10, range(0x20, 0x7F)},
                                                            {2, range(0x01, 0x20)},
                                                            {2, range(0x7F, 0x800)},
                                                            {2, range(0x800, 0xD800)},
                                                            {1, range(0xE000, 0xFFFE)},
                                                            {1, range(0x10000, 0x110000)}});
  return rc::gen::map(rc::gen::container<std::vector<std::uint32_t>>(point),
                      [](const std::vector<std::uint32_t>& points) {
                        std::string text;
                        for (const std::uint32_t each : points) text::append_utf8(text, each);
                        return text;
                      });
}

rc::Gen<Plan> date_plan() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(1, 10'000), rc::gen::inRange(1, 13), rc::gen::inRange(1, 29)),
                      [](const std::tuple<int, int, int>& day) {
                        Plan plan;
                        plan.kind = Kind::date;
                        plan.integer = std::get<0>(day) * 10'000LL + std::get<1>(day) * 100LL + std::get<2>(day);
                        return plan;
                      });
}

rc::Gen<Plan> scalar_plan(const SampleOptions& options) {
  using Weighted = std::pair<std::size_t, rc::Gen<Plan>>;
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<Weighted> choices;
  choices.emplace_back(1, rc::gen::just(Plan{}));
  choices.emplace_back(2, rc::gen::map(rc::gen::arbitrary<bool>(), [](bool truth) {
                         Plan plan;
                         plan.kind = Kind::boolean;
                         plan.integer = truth ? 1 : 0;
                         return plan;
                       }));
  choices.emplace_back(3, rc::gen::map(rc::gen::inRange<std::int64_t>(-3, 4), plan_integer));
  choices.emplace_back(1, rc::gen::map(rc::gen::arbitrary<std::int64_t>(), plan_integer));
  choices.emplace_back(
      1, rc::gen::map(rc::gen::element<std::int64_t>(INT64_MAX, INT64_MIN, 1LL << 53, (1LL << 53) + 1), plan_integer));
  choices.emplace_back(
      1, rc::gen::map(rc::gen::element<std::string>("9223372036854775808", "-9223372036854775809",
                                                    "18446744073709551616", "123456789012345678901234567890"),
                      [](std::string digits) { return plan_text(Kind::big_integer, std::move(digits)); }));
  choices.emplace_back(2, rc::gen::map(rc::gen::element(0.0, 1.0, -1.0, 0.1, 1e16, 1e-5, 1.5e300, 123456789.125, 5e-324,
                                                        9223372036854775808.0),
                                       plan_floating));
  choices.emplace_back(1, rc::gen::map(rc::gen::arbitrary<double>(), plan_floating));
  choices.emplace_back(
      8, rc::gen::map(any_text(), [](std::string text) { return plan_text(Kind::text, std::move(text)); }));
  if (!options.finite && !options.json_only) {
    choices.emplace_back(
        1,
        rc::gen::map(rc::gen::element(kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()), plan_floating));
  }
  if (!options.json_only) {
    choices.emplace_back(1, rc::gen::map(rc::gen::arbitrary<std::string>(),
                                         [](std::string bytes) { return plan_text(Kind::binary, std::move(bytes)); }));
    choices.emplace_back(1, date_plan());
  }
  std::size_t total = 0;
  for (const Weighted& choice : choices) total += choice.first;
  return rc::gen::mapcat(rc::gen::inRange<std::size_t>(0, total), [choices](std::size_t ticket) {
    for (const Weighted& choice : choices) {
      if (ticket < choice.first) return choice.second;
      ticket -= choice.first;
    }
    return rc::gen::just(Plan{});
  });
}

rc::Gen<Plan> key_plan(const SampleOptions& options) {
  const rc::Gen<Plan> text =
      rc::gen::map(any_text(), [](std::string key) { return plan_text(Kind::text, std::move(key)); });
  if (options.json_only || options.text_keys_only) return text;
  return rc::gen::weightedOneOf<Plan>({{3, text}, {1, scalar_plan(options)}});
}

rc::Gen<Plan> value_plan(const SampleOptions& options, int depth);

rc::Gen<Plan> sequence_plan(const SampleOptions& options, int depth) {
  return rc::gen::exec([=] {
    Plan plan;
    plan.kind = Kind::sequence;
    const auto size = *rc::gen::inRange<std::size_t>(0, options.width + 1);
    for (std::size_t i = 0; i < size; ++i) plan.members.push_back(*value_plan(options, depth - 1));
    return plan;
  });
}

rc::Gen<Plan> mapping_plan(const SampleOptions& options, int depth) {
  return rc::gen::exec([=] {
    Plan plan;
    plan.kind = Kind::mapping;
    const auto size = *rc::gen::inRange<std::size_t>(0, options.width + 1);
    for (std::size_t i = 0; i < size; ++i) {
      plan.keys.push_back(*key_plan(options));
      plan.members.push_back(*value_plan(options, depth - 1));
    }
    return plan;
  });
}

rc::Gen<Plan> value_plan(const SampleOptions& options, int depth) {
  if (depth <= 0) return scalar_plan(options);
  return rc::gen::weightedOneOf<Plan>({{4, scalar_plan(options)},
                                       {2, rc::gen::lazy([=] { return sequence_plan(options, depth); })},
                                       {3, rc::gen::lazy([=] { return mapping_plan(options, depth); })}});
}

Value build(Arena& arena, const Plan& plan, KeyEquality equality) {
  switch (plan.kind) {
    case Kind::boolean:
      return Value::boolean(plan.integer != 0);
    case Kind::integer:
      return Value::integer(plan.integer);
    case Kind::big_integer:
      return arena.integer(plan.text);
    case Kind::floating:
      return Value::floating(plan.floating);
    case Kind::text:
      return arena.text(plan.text);
    case Kind::binary:
      return arena.binary(plan.text);
    case Kind::date:
      return Arena::date({.year = static_cast<std::int32_t>(plan.integer / 10'000),
                          .month = static_cast<std::uint8_t>(plan.integer / 100 % 100),
                          .day = static_cast<std::uint8_t>(plan.integer % 100)});
    case Kind::sequence: {
      SequenceBuilder result(arena);
      for (const Plan& member : plan.members) result.append(build(arena, member, equality));
      return result.finish();
    }
    case Kind::mapping: {
      MappingBuilder result(arena, equality);
      for (std::size_t i = 0; i < plan.members.size(); ++i) {
        result.insert(build(arena, plan.keys[i], equality), build(arena, plan.members[i], equality));
      }
      return result.finish();
    }
    default:
      return Value::null();
  }
}

rc::Gen<Sample> build_all(rc::Gen<Plan> plans, const SampleOptions& options) {
  return rc::gen::map(std::move(plans), [options](const Plan& plan) {
    Sample sample;
    sample.arena = options.arena != nullptr ? options.arena : std::make_shared<Arena>();
    sample.value = build(*sample.arena, plan, options.equality);
    return sample;
  });
}

void append_quoted(std::string& out, std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F && c != '"' && c != '\\') {
      out += c;
    } else {
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  out += '"';
}

}  // namespace

rc::Gen<std::string> any_text() {
  return rc::gen::weightedOneOf<std::string>(
      {{8, rc::gen::element<std::string>("a", "b", "c", "d", "key", "name", "list", "ntp")},
       {3,
        rc::gen::element<std::string>("", " ", "true", "no", "null", "~", "1", "-1", "1.0", "1e3", "0x1f", "010",
                                      "1:30", ".inf", ".nan", "2001-12-14", "<<", "=", "a: b", "- x", "#c", "? q", "[",
                                      "{}", "!t", "&a", "*a", "|", "%d", "@", "`", "'", "\"", "\\", "---", "...")},
       {2, rc::gen::element<std::string>("two\nlines", "ends\n", "ends twice\n\n", "\nbegins", " indented\n  more",
                                         "trailing \nblank", "tab\there", "cr\r\nlf", "\xC2\x85", "\xE2\x80\xA8",
                                         "\xEF\xBB\xBF"
                                         "bom",
                                         "\xC3\xA4", "\xF0\x9F\x98\x80", "a/b~c", "bell\x07")},
       {2, any_code_points()}});
}

rc::Gen<Sample> any_scalar(SampleOptions options) { return build_all(scalar_plan(options), options); }
rc::Gen<Sample> any_value(SampleOptions options) { return build_all(value_plan(options, options.depth), options); }
rc::Gen<Sample> any_mapping(SampleOptions options) { return build_all(mapping_plan(options, options.depth), options); }

std::string show(const Value& value) {
  std::string out;
  switch (value.kind()) {
    case Kind::absent:
      return "!absent";
    case Kind::text:
      append_quoted(out, value.text());
      return out;
    case Kind::binary:
      append_quoted(out, value.text());
      return "!binary " + out;
    case Kind::date:
      return "!date " + scalar_text(value);
    case Kind::timestamp:
      return "!timestamp " + scalar_text(value);
    case Kind::object:
      return "!object " + scalar_text(value);
    case Kind::sequence:
      for (const Value& item : value.items()) out += (out.empty() ? "" : ", ") + show(item);
      return "[" + out + "]";
    case Kind::mapping:
    case Kind::set:
      for (const Entry& entry : value.entries())
        out += (out.empty() ? "" : ", ") + show(entry.key) + ": " + show(entry.value);
      return (value.kind() == Kind::set ? "!set {" : "{") + out + "}";
    default:
      return scalar_text(value);
  }
}

std::ostream& operator<<(std::ostream& out, const Sample& sample) { return out << show(sample.value); }

}  // namespace strata::testing

namespace strata {
void PrintTo(const Value& value, std::ostream* out) { *out << testing::show(value); }
}  // namespace strata
