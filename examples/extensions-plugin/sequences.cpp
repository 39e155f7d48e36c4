// A plugin for strata: numbers that count up, and a function that calls a lambda.
#include "strata/plugin.hpp"

namespace {

using strata::plugin::Context;
using strata::plugin::Failure;
using strata::plugin::Value;

/// `count` numbers from `inject(Integer, 'first number')` on.
struct Numbers : strata::plugin::Producer {
  Value produce(Context& context, Value arguments) override {
    const Value count = arguments["count"];
    if (count.kind() != STRATA_INTEGER || count.as_integer() < 0)
      throw Failure("'count' must be a number that is not below 0");
    const std::int64_t first = context.inject("Integer", "first number").as_integer();
    std::vector<Value> numbers;
    for (std::int64_t i = 0; i < count.as_integer(); ++i) numbers.push_back(context.integer(first + i));
    return context.sequence(numbers);
  }
};

/// `sequences::each_pair($list) |$left, $right| { … }`: the lambda's results for neighbours.
struct EachPair : strata::plugin::Function {
  Value call(Context& context, const std::vector<Value>& arguments) override {
    if (arguments.size() != 1 || !arguments[0].is_sequence())
      throw Failure("it takes a list, and a lambda of two parameters");
    std::vector<Value> results;
    for (std::size_t i = 1; i < arguments[0].size(); ++i)
      results.push_back(context.call_lambda({arguments[0].at(i - 1), arguments[0].at(i)}));
    return context.sequence(results);
  }
};

}  // namespace

STRATA_PLUGIN(plugin) {
  plugin.add_producer("Numbers", std::make_unique<Numbers>(), "Array[Integer]");
  plugin.add_function("sequences::each_pair", std::make_unique<EachPair>());
}
