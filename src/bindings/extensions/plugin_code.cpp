// SPDX-License-Identifier: Apache-2.0
#include "plugin_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "plugin/wire.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "value/lock_while_running.hpp"

namespace strata::bindings::extensions {
namespace {

using Clock = std::chrono::steady_clock;

/// Waiting is counted in milliseconds: less than two are none.
bool is_over(Clock::duration left) { return left < std::chrono::milliseconds(2); }

std::string text_part(std::span<const Value> parts, std::size_t index) {
  return index < parts.size() && parts[index].is_text() ? std::string(parts[index].text()) : std::string();
}

/// One registration out of the greeting; `plugin.protocol` for what is none.
Registration read_registration(const Value& value) {
  const auto text = [&](std::string_view name) {
    const Value* found = value.is_mapping() ? value.find(name) : nullptr;
    if (found == nullptr || !found->is_text()) throw Error("plugin.protocol", "a registration is invalid");
    return std::string(found->text());
  };
  Registration out{.kind = text("kind"), .name = text("name"), .type = text("type"), .parent = text("parent")};
  const Value* singleton = value.find("singleton");
  out.is_singleton = singleton == nullptr || singleton->kind() != Kind::boolean || singleton->as_boolean();
  if (std::ranges::find(plugin::kKinds, out.kind) == plugin::kKinds.end() || out.name.empty())
    throw Error("plugin.protocol", "a registration is invalid");
  return out;
}

class PluginCode final : public Code {
 public:
  PluginCode(std::shared_ptr<Plugin> plugin, const Sources& sources, const Stop* stop)
      : plugin_(std::move(plugin)), sources_(sources), stop_(stop), registrations_(plugin_->registrations(stop)) {}

  [[nodiscard]] const std::string& file() const override { return plugin_->file(); }
  [[nodiscard]] const std::vector<Registration>& registrations() const override { return registrations_; }

  Value call(const Registration& what, Context& context, std::span<const Value> arguments,
             const Callable* lambda) override {
    const Binding binding = context.binding();
    const Place place = sources_.place(binding.origin);
    Arena& arena = context.arena();
    MappingBuilder told(arena);
    told.insert("name", arena.text(binding.name));
    told.insert("type", arena.text(binding.type));
    told.insert("file", arena.text(place.file));
    told.insert("line", place.line ? Value::integer(*place.line) : Value::null());
    const Value made = plugin_->call(what, context, told.finish(), arguments, lambda, stop_);
    return made ? placed(arena, made, binding.origin) : made;
  }

 private:
  /// All nodes with the place of the binding. Recursion: bounded by Limits::depth.
  static Value placed(Arena& arena, const Value& value, Origin origin) {
    if (value.is_sequence()) {
      SequenceBuilder out(arena, value.size());
      for (const Value& item : value.items()) out.append(placed(arena, item, origin));
      return out.finish().with_origin(origin).with_secret(value.is_secret());
    }
    if (!value.is_mapping()) return value.with_origin(origin);
    MappingBuilder out(arena, KeyEquality::exact, value.size());
    for (const Entry& entry : value.entries())
      out.insert(entry.key.with_origin(origin), placed(arena, entry.value, origin));
    return out.finish().with_origin(origin).with_secret(value.is_secret());
  }

  std::shared_ptr<Plugin> plugin_;
  const Sources& sources_;
  const Stop* stop_;
  std::vector<Registration> registrations_;
};

}  // namespace

Plugin::Plugin(std::string file, PluginStarter& starter, const Limits& limits, std::shared_ptr<Turn> turn,
               std::chrono::milliseconds patience)
    : file_(std::move(file)), starter_(starter), limits_(limits), patience_(patience), turn_(std::move(turn)) {}

std::unique_lock<Turn> Plugin::take_turn(const Stop* stop) {
  check_stop(stop);
  return strata::detail::lock_while_running(*turn_, stop);
}

std::vector<Registration> Plugin::registrations(const Stop* stop) {
  const auto turn = take_turn(stop);
  if (connection_ == nullptr) {
    if (calls_ == 0) left_ = patience_;
    try {
      start(stop);
    } catch (const Error& error) {
      if (error.ends_request()) (void)end_process();
      throw;
    }
  }
  return registrations_;
}

void Plugin::start(const Stop* stop) {
  connection_ = starter_.start(file_);
  ++process_;
  saw_secret_ = false;
  Arena arena;
  const std::vector<Value> greeting = receive(arena, stop);
  const std::string word = text_part(greeting, 0);
  if (word == "refuse") {
    connection_.reset();
    throw Error("extension.failed", fmt::format("the plugin {} cannot be used: {}", file_, text_part(greeting, 1)));
  }
  const bool is_greeting =
      word == "hello" && greeting.size() == 3 && greeting[1].kind() == Kind::integer && greeting[2].is_sequence();
  if (!is_greeting || greeting[1].as_integer() != plugin::kVersion) give_up("it does not speak the protocol");
  try {
    std::vector<Registration> all;
    for (const Value& item : greeting[2].items()) all.push_back(read_registration(item));
    registrations_ = std::move(all);
  } catch (const Error& error) {
    give_up(error.what());
  }
}

std::string Plugin::end_process() {
  std::string end = connection_ == nullptr ? std::string() : connection_->end();
  connection_.reset();
  return end;
}

void Plugin::give_up(const std::string& why) {
  const std::string end = end_process();
  throw Error("extension.process", end.empty() || end == "running"
                                       ? fmt::format("the plugin {} was ended: {}", file_, why)
                                       : fmt::format("the process of the plugin {} is gone: {}", file_, end));
}

std::string Plugin::packed(std::span<const Value> parts) {
  std::string message = plugin::encode(parts);
  for (const Value& part : parts) saw_secret_ = saw_secret_ || plugin::has_secret(part);
  return message;
}

void Plugin::send(const std::string& message, const Stop* stop) {
  const auto before = Clock::now();
  const bool sent = connection_->send(message, before + left_, stop);
  left_ -= Clock::now() - before;
  if (!sent) give_up(is_over(left_) ? "it takes too long" : "it does not read its input");
}

std::vector<Value> Plugin::receive(Arena& arena, const Stop* stop) {
  const auto before = Clock::now();
  const auto take = [&](std::size_t size) {
    auto bytes = connection_->receive(size, before + left_, stop);
    if (bytes) return std::move(*bytes);
    left_ -= Clock::now() - before;
    give_up(is_over(left_)
                ? fmt::format("it does not answer within {} seconds", std::chrono::duration<double>(patience_).count())
                : "it does not answer");
  };
  const auto read = [&](const auto& work) {
    try {
      return work();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      give_up(fmt::format("its answer is invalid: {}", error.what()));
    }
  };
  const std::string head = take(plugin::kHead);
  const std::string bytes = take(read([&] { return plugin::size_of(head); }));
  left_ -= Clock::now() - before;
  return read([&] { return plugin::decode(bytes, arena, limits_, saw_secret_); });
}

Value Plugin::call(const Registration& what, Context& context, const Value& binding, std::span<const Value> arguments,
                   const Callable* lambda, const Stop* stop) {
  const auto turn = take_turn(stop);
  struct Calling {
    explicit Calling(std::size_t& all) : count(all) { ++count; }
    ~Calling() { --count; }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;
    std::size_t& count;
  };
  if (calls_ == 0) {
    left_ = patience_;
    asked_ = 0;
  }
  const Calling calling(calls_);
  try {
    if (connection_ == nullptr) start(stop);
    return converse(what, context, binding, arguments, lambda, stop);
  } catch (const Error& error) {
    // It is in the middle of the call.
    if (error.ends_request()) (void)end_process();
    throw;
  }
}

Value Plugin::converse(const Registration& what, Context& context, const Value& binding,
                       std::span<const Value> arguments, const Callable* lambda, const Stop* stop) {
  const std::uint64_t process = process_;
  Arena& arena = context.arena();
  std::vector<Value> message{arena.text("call"),
                             arena.text(what.kind),
                             arena.text(what.name),
                             Value::boolean(lambda != nullptr),
                             arena.text(context.environment()),
                             binding};
  message.insert(message.end(), arguments.begin(), arguments.end());
  send(packed(message), stop);
  std::optional<Error> refused;  ///< What the last question that failed met.
  while (true) {
    const std::vector<Value> parts = receive(arena, stop);
    const std::string word = text_part(parts, 0);
    if (word == "return") return parts.size() > 1 ? parts[1] : Value();
    if (word == "fail") {
      if (refused && text_part(parts, 1) == refused->what()) throw Error(*refused);
      Error error("extension.failed",
                  text_part(parts, 1).empty() ? "it failed without a message" : text_part(parts, 1));
      const std::string file = text_part(parts, 2);
      if (file.empty()) throw Error(error);
      Diagnostic told = error.diagnostic();
      told.where.place.file = file;
      if (parts.size() > 3 && parts[3].kind() == Kind::integer && parts[3].as_integer() > 0) {
        told.where.place.line = static_cast<std::uint32_t>(parts[3].as_integer());
      }
      throw Error(std::move(told));
    }
    if (word != "ask") give_up("its answer is invalid: a message begins with an unknown word");
    if (++asked_ > limits_.steps) give_up(fmt::format("it asks more than {} questions", limits_.steps));
    std::string reply;
    try {
      reply = packed(std::array{arena.text("answer"), answer(std::span(parts).subspan(1), context, lambda)});
    } catch (const Error& error) {
      if (error.ends_request() || connection_ == nullptr || process_ != process) throw;
      refused = error;
      reply = packed(std::array{arena.text("error"), arena.text(error.what())});
    }
    if (connection_ == nullptr || process_ != process)
      throw Error("extension.process", fmt::format("the process of the plugin {} is gone", file_));
    send(reply, stop);
  }
}

Value Plugin::answer(std::span<const Value> question, Context& context, const Callable* lambda) {
  const std::string what = text_part(question, 0);
  if (what == "inject") return unwrapped(context.inject(text_part(question, 1), text_part(question, 2)));
  if (what == "facts") return context.facts();
  if (what == "warn") {
    context.warn(text_part(question, 1));
    return {};
  }
  if (what == "lambda" && lambda != nullptr) {
    std::vector<Value> given(question.begin() + 1, question.end());
    for (Value& value : given) value = value ? value : Value::null();
    return unwrapped((*lambda)(given));
  }
  throw Error("extension.failed", fmt::format("there is no question '{}' here", what));
}

std::shared_ptr<Code> open_plugin(std::shared_ptr<Plugin> plugin, const Sources& sources, const Stop* stop) {
  return std::make_shared<PluginCode>(std::move(plugin), sources, stop);
}

}  // namespace strata::bindings::extensions
