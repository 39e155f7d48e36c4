// SPDX-License-Identifier: Apache-2.0
#include "json_patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <vector>

#include "python/data.hpp"
#include "strata/path.hpp"
#include "strata/stop.hpp"
#include "value/extent.hpp"
#include "value/fields.hpp"

namespace strata::cloudinit {
namespace {

using merge::Traced;
using Steps = std::vector<Path::Step>;

/// One patch at work.
class Patcher {
 public:
  Patcher(merge::Accumulator& accumulator, merge::Slot layer, Session& session, Arena& arena)
      : accumulator_(accumulator),
        layer_(layer),
        sources_(session.sources()),
        diagnostics_(session.diagnostics()),
        arena_(arena),
        limits_(session.limits()) {}

  void apply(const Value& operation) {
    if (!operation.is_mapping())
      fail("patch.operation", fmt::format("a patch operation is a mapping, not {}", describe(operation.kind())),
           operation);
    operation_ = operation;
    const std::string_view op = text_member("op");
    const Value path_text = member("path");
    const std::vector<std::string> path = pointer(path_text);
    if (op == "add") {
      add(path, path_text, {member("value"), layer_});
    } else if (op == "replace") {
      replace(path, path_text);
    } else if (op == "remove") {
      remove(path, path_text);
    } else if (op == "test") {
      test(path, path_text);
    } else if (op == "copy") {
      const Value from = member("from");
      add(path, path_text, read(pointer(from), from));
    } else if (op == "move") {
      move(path, path_text);
    } else {
      fail("patch.operation", fmt::format("there is no patch operation '{}'", op), member("op"),
           "the operations are add, remove, replace, move, copy and test");
    }
  }

 private:
  [[noreturn]] void fail(std::string_view code, std::string message, const Value& at, std::string hint = {}) const {
    throw Error(code, std::move(message)).at(sources_, at.origin()).hint(std::move(hint));
  }

  [[nodiscard]] Value member(std::string_view name) const {
    const Value* value = operation_.find(name);
    if (value == nullptr)
      fail("patch.operation", fmt::format("a patch operation lacks its member '{}'", name), operation_);
    return *value;
  }

  [[nodiscard]] std::string_view text_member(std::string_view name) const {
    const Value value = member(name);
    if (!value.is_text())
      fail("patch.operation", wrong_kind(fmt::format("'{}' of a patch operation", name), "text", value), value);
    return value.text();
  }

  [[nodiscard]] std::vector<std::string> pointer(const Value& text) const {
    if (!text.is_text()) fail("patch.operation", wrong_kind("a path", "text", text), text);
    try {
      return parse_pointer(text.text());
    } catch (const Error& error) {
      fail("patch.path", error.what(), text);
    }
  }

  /// The position that a token names in a sequence: a number, or the end for `-`.
  std::size_t index(const std::string& token, const Value& sequence, const Value& at) {
    if (token == "-") return sequence.size();
    std::size_t number = 0;
    const auto [end, status] = std::from_chars(token.data(), token.data() + token.size(), number);
    if (token.empty() || status != std::errc{} || end != token.data() + token.size()) {
      fail("patch.path", fmt::format("'{}' is not an index of a sequence", token), at);
    }
    if (token.size() > 1 && token.front() == '0') {
      // RFC 6901 forbids it; the reference's library takes it.
      diagnostics_.warn({.code = "patch.leading-zero",
                         .message = fmt::format("the index '{}' has a leading zero, which RFC 6901 forbids", token),
                         .where = {.place = sources_.place(at.origin()), .line = {}, .message = {}},
                         .notes = {},
                         .hint = "write it without"});
    }
    return number;
  }

  /// Turns tokens into steps through what is there. The last token is turned as well, but need not be there.
  Steps resolve(const std::vector<std::string>& tokens, const Value& at) {
    Steps steps;
    Value here = accumulator_.current().value;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const bool last = i + 1 == tokens.size();
      const std::string& token = tokens[i];
      if (here.is_sequence()) {
        const std::size_t position = index(token, here, at);
        steps.emplace_back(position);
        if (last) break;
        if (position >= here.size()) fail("patch.path", fmt::format("there is no item {} to go through", token), at);
        here = here.items()[position];
      } else if (here.is_mapping()) {
        const Value key = arena_.key(token);
        steps.emplace_back(key);
        if (last) break;
        const Value* next = here.find(key);
        if (next == nullptr) fail("patch.path", fmt::format("there is no member '{}' to go through", token), at);
        here = *next;
      } else {
        fail("patch.path", fmt::format("the path goes through {}", describe(here.kind())), at);
      }
    }
    return steps;
  }

  [[nodiscard]] Traced read(const std::vector<std::string>& tokens, const Value& at) {
    if (tokens.empty()) fail("patch.path", "the whole document cannot be moved or copied", at);
    const auto found = accumulator_.at(resolve(tokens, at));
    if (!found) fail("patch.path", "there is nothing at this path", at);
    return *found;
  }

  void add(const std::vector<std::string>& tokens, const Value& at, const Traced& value) {
    std::size_t nodes = limits_.result;
    if (!fits(value.value, limits_.depth - std::min(limits_.depth, tokens.size()), nodes)) {
      fail("limit.result", "the patch would make the document too large or too deep", at,
           "raise --limit result=NODES or --limit depth=LEVELS");
    }
    total_ += limits_.result - nodes;
    if (total_ > limits_.result)
      fail("limit.result", fmt::format("the patch adds more than {} nodes", limits_.result), at);
    const Steps steps = resolve(tokens, at);
    if (steps.empty()) {
      if (!accumulator_.current().value.is_mapping())
        fail("patch.path", "only a mapping can be replaced as a whole", at);
      accumulator_.put({}, value);
    } else if (const auto* position = std::get_if<std::size_t>(&steps.back())) {
      const auto sequence = accumulator_.at(std::span(steps).first(steps.size() - 1));
      if (*position > sequence->value.size())
        fail("patch.path", fmt::format("cannot insert at {} beyond the end", *position), at);
      accumulator_.insert(steps, value);
    } else {
      accumulator_.put(steps, value);
    }
  }

  void replace(const std::vector<std::string>& tokens, const Value& at) {
    const Traced value{member("value"), layer_};
    if (!tokens.empty() && tokens.back() == "-") fail("patch.path", "'-' does not name an item to replace", at);
    const Steps steps = resolve(tokens, at);
    if (!steps.empty() && !accumulator_.at(steps)) fail("patch.path", "there is nothing at this path to replace", at);
    accumulator_.put(steps, value);
  }

  void remove(const std::vector<std::string>& tokens, const Value& at) {
    if (tokens.empty()) fail("patch.path", "the whole document cannot be removed", at);
    const Steps steps = resolve(tokens, at);
    if (!accumulator_.at(steps)) fail("patch.path", "there is nothing at this path to remove", at);
    const Traced by{Value(), layer_};
    accumulator_.erase(steps, &by);
  }

  void test(const std::vector<std::string>& tokens, const Value& at) {
    const auto found = accumulator_.at(resolve(tokens, at));
    if (!found) fail("patch.test", "there is nothing at this path to test", at);
    const Value wanted = member("value");
    if (!python::equal(found->value, wanted))
      fail("patch.test", "the value at this path differs from the value in the test", wanted);
  }

  void move(const std::vector<std::string>& tokens, const Value& at) {
    const Value from_text = member("from");
    const std::vector<std::string> from = pointer(from_text);
    const Traced value = read(from, from_text);
    if (tokens == from) return;
    const bool into_itself = tokens.size() >= from.size() && std::equal(from.begin(), from.end(), tokens.begin());
    if (into_itself) fail("patch.path", "a value cannot be moved into itself", at);
    remove(from, from_text);
    // What moves takes its history along, and does not count as removed twice.
    add(tokens, at, value);
  }

  merge::Accumulator& accumulator_;
  merge::Slot layer_;
  const Sources& sources_;
  Diagnostics& diagnostics_;
  Arena& arena_;
  const Limits& limits_;
  Value operation_;
  std::size_t total_ = 0;
};

}  // namespace

void apply_patch(merge::Accumulator& accumulator, const Value& patch, merge::Slot layer, Session& session,
                 Arena& arena) {
  // The reference walks whatever it is given: what has no members asks for nothing.
  if ((patch.is_mapping() && patch.size() == 0) || (patch.is_text() && patch.text().empty())) return;
  if (!patch.is_sequence()) {
    throw Error("patch.operation", fmt::format("a patch is a sequence of operations, not {}", describe(patch.kind())))
        .at(session.sources(), patch.origin());
  }
  accumulator.checkpoint();
  const Traced before = accumulator.current();
  try {
    Patcher patcher(accumulator, layer, session, arena);
    for (const Value& operation : patch.items()) {
      session.stop().check();  // A copy may be as large as the document.
      patcher.apply(operation);
    }
  } catch (...) {
    accumulator.start(before);
    throw;
  }
}

}  // namespace strata::cloudinit
