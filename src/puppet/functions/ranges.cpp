// SPDX-License-Identifier: Apache-2.0
// range, which core Puppet does not have. Rule: puppetlabs-stdlib.
#include <array>

#include "puppet/characters.hpp"
#include "puppet/functions/arguments.hpp"
#include "ruby/text.hpp"
#include "strata/builder.hpp"

namespace strata::puppet {
namespace {

/// A bound that is a whole number, or a text of one.
std::optional<std::int64_t> number_bound(const FunctionCall& call, Evaluator& evaluator, std::size_t index) {
  const Value& value = call.arguments[index];
  if (value.kind() == Kind::integer) return value.as_integer();
  if (!is_string(value)) throw wrong_argument(call, evaluator, index, "an Integer or a String");
  const std::string_view text = value.text();
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits) return std::nullopt;
  const Value number = evaluator.arena().integer(text);
  if (number.kind() != Kind::integer) throw wrong_argument(call, evaluator, index, "an Integer of 64 bits");
  return number.as_integer();
}

void check_range_size(const FunctionCall& call, const Evaluator& evaluator, std::uint64_t count) {
  const std::size_t most = evaluator.context().limits.result;
  if (count > most)
    throw failed(call, evaluator, "limit.result", "the range would have more than " + std::to_string(most) + " items")
        .hint("--limit result=NUMBER");
}

Value integers_in_steps(const FunctionCall& call, Evaluator& evaluator, std::int64_t from, std::int64_t to,
                        std::size_t step) {
  SequenceBuilder out(evaluator.arena());
  if (to < from) return out.finish();
  const std::uint64_t distance = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  const std::uint64_t count = distance / step + 1;
  check_range_size(call, evaluator, count);
  evaluator.charge(count);
  for (std::uint64_t i = 0; i < count; ++i)
    out.append(Value::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + i * step)));
  return out.finish();
}

/// The text after this one, as Ruby counts: `az` → `ba`, `Zz` → `AAa`, `a9` → `b0`. Letters and digits of ASCII only.
std::string successor(std::string text) {
  for (std::size_t i = text.size(); i-- > 0;) {
    char& c = text[i];
    if (c != 'z' && c != 'Z' && c != '9') {
      ++c;
      return text;
    }
    const char first = c == 'z' ? 'a' : c == 'Z' ? 'A' : '0';
    c = first;
    if (i == 0) text.insert(text.begin(), first == '0' ? '1' : first);
  }
  return text;
}

Value texts(const FunctionCall& call, Evaluator& evaluator, std::size_t step) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string_view text = text_argument(call, evaluator, i);
    const bool plain =
        !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return is_digit(c) || is_letter(c); });
    if (!plain) throw wrong_argument(call, evaluator, i, "an Integer, or a String of letters and digits");
  }
  std::string text(call.arguments[0].text());
  const std::string_view last = call.arguments[1].text();
  SequenceBuilder out(evaluator.arena());
  if (text.size() > last.size() || (text.size() == last.size() && text > last)) return out.finish();
  for (std::size_t i = 0; text.size() <= last.size(); ++i, text = successor(std::move(text))) {
    evaluator.charge(4 + text.size() / 64);
    if (i % step == 0) out.append(new_text(call, evaluator, text));
    if (text == last) break;
  }
  return out.finish();
}

Value range(const FunctionCall& call, Evaluator& evaluator) {
  const std::size_t step = call.arguments.size() > 2 ? count_argument(call, evaluator, 2) : 1;
  const std::optional<std::int64_t> from = number_bound(call, evaluator, 0);
  const std::optional<std::int64_t> to = number_bound(call, evaluator, 1);
  if (from && to) return integers_in_steps(call, evaluator, *from, *to, step);
  return texts(call, evaluator, step);
}

constexpr std::array<BuiltinEntry, 1> kRangeFunctions = {{{"range", range, 2, 3, BlockRule::none}}};

}  // namespace

std::span<const BuiltinEntry> range_functions() noexcept { return kRangeFunctions; }

}  // namespace strata::puppet
