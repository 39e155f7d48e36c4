// SPDX-License-Identifier: Apache-2.0
#include "plugin_server.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "plugin/wire.hpp"
#include "strata/error.hpp"
#include "strata/text.hpp"

namespace strata::plugin {
namespace {

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(kSocket, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool read_all(std::string& bytes, std::size_t size) {
  bytes.resize(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t got = read(kSocket, bytes.data() + done, size - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    done += static_cast<std::size_t>(got);
  }
  return true;
}

std::string_view word(const std::vector<Value>& message) {
  return message.empty() || !message.front().is_text() ? std::string_view() : message.front().text();
}

std::string valid(std::string text) {
  if (const std::size_t invalid = text::find_invalid_utf8(text); invalid != std::string_view::npos)
    text.resize(invalid);
  return text;
}

}  // namespace

void leave() {
  if (getsid(0) == getpid()) kill(0, SIGKILL);
  std::_Exit(0);
}

void send(std::span<const Value> message) {
  if (!write_all(encode(message))) leave();
}

void Server::serve() {
  while (true) {
    // Values live as long as the outermost call.
    values_.clear();
    arena_.clear();
    std::vector<Value> message;
    if (!receive(message)) return;
    if (word(message) == "call") run(message);
  }
}

bool Server::ask(strata_context& context, std::vector<Value> question, Value& answer) {
  question.insert(question.begin(), arena_.text("ask"));
  send(question);
  while (true) {
    std::vector<Value> message;
    if (!receive(message)) leave();
    if (word(message) == "call") {
      run(message);
      continue;
    }
    answer = message.size() > 1 ? message[1] : Value();
    if (word(message) == "answer") return true;
    context.last_error = answer.is_text() ? std::string(answer.text()) : std::string();
    return false;
  }
}

bool Server::receive(std::vector<Value>& message) {
  std::string bytes;
  if (!read_all(bytes, kHead) || !read_all(bytes, size_of(bytes))) return false;
  message = decode(bytes, arena_, limits_);
  return true;
}

void Server::run(const std::vector<Value>& message) {
  constexpr std::size_t kArguments = 6;
  if (message.size() < kArguments) std::_Exit(1);
  const auto found = registrar_.all.find(fmt::format("{} {}", message[1].text(), message[2].text()));
  strata_context context{.server = this,
                         .environment = std::string(message[4].text()),
                         .binding = message[5],
                         .has_lambda = message[3].as_boolean()};
  std::vector<const strata_value*> arguments;
  for (std::size_t i = kArguments; i < message.size(); ++i) arguments.push_back(keep(message[i]));
  const strata_value* result = nullptr;
  strata_status status = STRATA_FAILED;
  if (found == registrar_.all.end()) {
    context.failure = "it is not registered any more";
  } else {
    const strata_extension_v1& extension = found->second.extension;
    status = extension.call(extension.self, &context, arguments.data(), arguments.size(), &result);
  }
  if (status == STRATA_OK) {
    try {
      return send(std::array{arena_.text("return"), result == nullptr ? Value() : result->value});
    } catch (const Error& error) {
      context.failure = error.what();
    }
  }
  send(std::array{arena_.text("fail"), arena_.text(valid(context.failure)), arena_.text(valid(context.failure_file)),
                  Value::integer(context.failure_line)});
}

}  // namespace strata::plugin
