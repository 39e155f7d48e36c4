// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "bindings/composition/constants.hpp"
#include "bindings/composition/prepared.hpp"
#include "puppet/types/type.hpp"
#include "strata/near_names.hpp"

namespace strata::bindings {

using puppet::as;
using puppet::Node;
using puppet::TypeKind;

const Option* find_option(const Statement& statement, std::string_view name) noexcept {
  const auto found = std::find_if(statement.options.begin(), statement.options.end(),
                                  [name](const Option& option) { return option.name == name; });
  return found == statement.options.end() ? nullptr : &*found;
}

namespace {

/// What the options of one statement may be.
class OptionChecker {
 public:
  OptionChecker(const Sources& sources, const Statement& statement, const Type* declared)
      : sources_(sources),
        statement_(statement),
        declared_(declared),
        is_hash_(declared != nullptr && declared->kind() == TypeKind::hash),
        form_(form_of(statement.producer)) {}

  void check() {
    for (std::size_t i = 0; i < statement_.options.size(); ++i) {
      const Option& option = statement_.options[i];
      for (const Option& earlier : statement_.options.first(i)) {
        if (earlier.name == option.name) {
          throw Error("bindings.option", fmt::format("the option '{}' is given twice", option.name))
              .at(sources_, option.origin)
              .note(sources_, earlier.origin, "first here");
        }
      }
      if (!is_known(option.name)) unknown(option);
      check_form(option);
    }
    if (const Option* combinator = find_option(statement_, "combinator")) {
      for (const std::string_view other : {"conflict_resolution", "uniq", "flatten"}) {
        if (find_option(statement_, other) != nullptr)
          wrong(*combinator, fmt::format("'combinator' and '{}' cannot both be given", other));
      }
    }
  }

 private:
  [[nodiscard]] bool is_multibind() const noexcept { return statement_.form == Form::multibind; }
  [[nodiscard]] bool is_of_resources() const noexcept {
    return form_ == ProducerForm::query || form_ == ProducerForm::reference ||
           (statement_.form == Form::parameters && form_ == ProducerForm::type);
  }

  [[nodiscard]] bool is_known(std::string_view name) const {
    if (name == "singleton" || name == "transformer") return true;
    if (name == "map") return statement_.form == Form::parameters;
    if (name == "producer_args") return form_ == ProducerForm::named;
    if (name == "select_result") return is_of_resources();
    if (!is_multibind()) return false;
    return name == "combinator" || name == "uniq" || name == "flatten" || (name == "conflict_resolution" && is_hash_);
  }

  [[noreturn]] void wrong(const Option& option, std::string message) const {
    throw Error("bindings.option", std::move(message)).at(sources_, option.origin);
  }

  [[noreturn]] void unknown(const Option& option) const {
    constexpr std::array<std::string_view, 8> kAll{"combinator",    "conflict_resolution", "uniq",      "flatten",
                                                   "producer_args", "select_result",       "singleton", "transformer"};
    Error error("bindings.option", fmt::format("'{}' has no option '{}'", form_name(statement_), option.name));
    const std::string_view near = nearest_name(kAll, option.name);
    if (!near.empty() && near != option.name)
      throw std::move(error).at(sources_, option.origin).hint(fmt::format("did you mean '{}'?", near));
    throw std::move(error).at(sources_, option.origin);
  }

  void lambda(const Option& option, std::size_t parameters) const {
    const auto& lambda = as<puppet::Lambda>(*option.value);
    std::size_t least = 0;
    bool rest = false;
    for (const puppet::LambdaParameter& parameter : lambda.parameters) {
      rest = rest || parameter.takes_rest;
      if (parameter.default_value == nullptr && !parameter.takes_rest) ++least;
    }
    if (least <= parameters && (rest || parameters <= lambda.parameters.size())) return;
    wrong(option, fmt::format("the lambda of '{}' must have {} parameter{}, not {}", option.name, parameters,
                              parameters == 1 ? "" : "s", lambda.parameters.size()));
  }

  void check_form(const Option& option) const {
    const bool is_lambda = option.value->node == Node::lambda;
    if (option.name == "transformer" || option.name == "select_result") {
      if (!is_lambda) wrong(option, fmt::format("the option '{}' needs a lambda", option.name));
      return lambda(option, 1);
    }
    if (option.name == "combinator") {
      if (is_lambda) return lambda(option, is_hash_ ? 3 : 2);
      if (!has_form_of_type(*option.value)) wrong(option, "the option 'combinator' needs a lambda or a Type[…]");
      return;
    }
    if (is_lambda) wrong(option, fmt::format("the option '{}' takes no lambda", option.name));
    const Value* value = scalar_constant(*option.value);
    if (value == nullptr) return;
    if (option.name == "conflict_resolution") return resolution(option, *value);
    if (option.name == "singleton" || option.name == "uniq") {
      if (value->kind() != Kind::boolean)
        wrong(option, fmt::format("the option '{}' must be true or false", option.name));
    } else if (option.name == "flatten") {
      const bool number = value->kind() == Kind::integer && value->as_integer() >= -1;
      if (value->kind() != Kind::boolean && !number)
        wrong(option, "the option 'flatten' must be true, false or a number of levels");
    }
    if ((option.name == "uniq" || option.name == "flatten") && is_hash_) {
      const Option* how = find_option(statement_, "conflict_resolution");
      const Value* word = how == nullptr ? nullptr : scalar_constant(*how->value);
      const bool appends = how != nullptr && (word == nullptr || (word->is_text() && word->text() == "append"));
      if (!appends)
        wrong(option, fmt::format("the option '{}' of a Hash needs conflict_resolution => 'append'", option.name));
    }
  }

  void resolution(const Option& option, const Value& value) const {
    constexpr std::array<std::string_view, 5> kWords{"error", "priority", "ignore", "append", "merge"};
    if (value.is_text() && std::find(kWords.begin(), kWords.end(), value.text()) != kWords.end()) {
      if (value.text() != "append") return;
      const Type& item = *declared_->as<puppet::HashType>().value;
      const bool fits = item.kind() == TypeKind::alias || item.kind() == TypeKind::any ||
                        item.kind() == TypeKind::array || item.kind() == TypeKind::collection;
      if (!fits)
        wrong(option, "conflict_resolution => 'append' makes Arrays, so the values of the Hash must be Data or Arrays");
      return;
    }
    throw Error("bindings.option",
                fmt::format("unknown conflict_resolution '{}'", value.is_text() ? value.text() : "…"))
        .at(sources_, option.origin)
        .hint("error, priority, ignore, append or merge");
  }

  const Sources& sources_;
  const Statement& statement_;
  const Type* declared_;
  bool is_hash_;
  ProducerForm form_;
};

}  // namespace

void check_options(const Sources& sources, const Statement& statement, const Type* declared) {
  OptionChecker(sources, statement, declared).check();
}

}  // namespace strata::bindings
