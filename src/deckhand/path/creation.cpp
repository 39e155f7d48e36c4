// SPDX-License-Identifier: Apache-2.0
#include "deckhand/path/creation.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "strata/error.hpp"

namespace strata::deckhand::detail {
namespace {

using merge::Traced;

/// One piece of a path's text.
struct Piece {
  std::string_view key;
  std::optional<std::size_t> index;
};

class Creation {
 public:
  Creation(merge::Accumulator& data, const PathExpression& path, const Traced& value, Rendering& rendering) noexcept
      : data_(data), path_(path), origin_(value.value.origin()), value_(value), rendering_(rendering) {}

  void run() {
    std::string_view rest = path_.text();
    // What is before the first dot is the root.
    rest.remove_prefix(std::min(rest.find('.'), rest.size()));
    while (!rest.empty()) {
      rest.remove_prefix(1);
      const std::string_view text = rest.substr(0, rest.find('.'));
      rest.remove_prefix(text.size());
      enter(piece(text));
      if (steps_.size() > rendering_.session.limits().depth)
        throw Error("limit.depth", fmt::format("the path '{}' leads deeper than {} levels", path_.text(),
                                               rendering_.session.limits().depth))
            .hint("raise --limit depth=LEVELS");
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error("deckhand.path-write", fmt::format("the path '{}' cannot be created: {}", path_.text(), reason));
  }

  static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

  /// Whether a piece holds an index somewhere: then it has to be `name[index]`.
  static bool has_index(std::string_view text) noexcept {
    for (std::size_t open = text.find('['); open != std::string_view::npos; open = text.find('[', open + 1)) {
      std::size_t behind = open + 1;
      while (behind < text.size() && is_digit(text[behind])) ++behind;
      if (behind > open + 1 && behind < text.size() && text[behind] == ']') return true;
    }
    return false;
  }

  [[nodiscard]] Piece piece(std::string_view text) const {
    if (!has_index(text)) {
      const bool is_quoted =
          text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
      return {.key = is_quoted ? text.substr(1, text.size() - 2) : text, .index = {}};
    }
    const std::size_t open = text.find('[');
    const std::string_view digits = text.substr(open + 1, text.size() - open - 2);
    std::size_t index = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (end != digits.data() + digits.size() || digits.empty())
      fail(fmt::format("'{}' cannot be created, only a key or a key with one index", text));
    if (status != std::errc{} || index >= rendering_.session.limits().result)
      throw Error("limit.result", fmt::format("the path '{}' makes a list of more than {} items", path_.text(),
                                              rendering_.session.limits().result))
          .hint("raise --limit result=NODES");
    return {.key = text.substr(0, open), .index = index};
  }

  void enter(const Piece& piece) {
    const Traced here = *data_.at(steps_);
    if (!here.value.is_mapping())
      fail(fmt::format("{} is in the way of the key '{}'", describe(here.value.kind()), piece.key));
    const Value* there = here.value.find(piece.key);
    const Value found = there == nullptr ? Value() : *there;
    steps_.emplace_back(rendering_.arena.key(piece.key).with_origin(origin_));
    if (!found) put(piece.index ? rendering_.arena.sequence() : rendering_.arena.mapping());
    if (!piece.index) return;
    const std::size_t size = pad(found, *piece.index);
    steps_.emplace_back(std::min(*piece.index, size));
  }

  void put(const Value& container) {
    before_write();
    data_.put(steps_, {container.with_origin(origin_), merge::Slot(merge::kNoLayer)});
  }

  void before_write() {
    if (data_.shares()) rendering_.sharing.before_write(data_.current().value, steps_, {}, path_.text());
  }

  /// Adds empty mappings until there is an item `index`.
  std::size_t pad(const Value& list, std::size_t index) {
    if (list && !list.is_sequence())
      fail(fmt::format("{} is in the way of the index {}", describe(list.kind()), index));
    const std::size_t size = list ? list.size() : 0;
    const std::size_t missing = index < size ? 0 : index + 1 - size;
    rendering_.nodes += missing;
    if (rendering_.nodes > rendering_.session.limits().result)
      throw Error("limit.result", fmt::format("the path '{}' makes lists too long, more than {} nodes in all",
                                              path_.text(), rendering_.session.limits().result))
          .hint("raise --limit result=NODES");
    const Value filler = rendering_.arena.mapping().with_origin(origin_);
    const Traced item = rendering_.session.recorder().derive(filler, {{value_}});
    for (std::size_t at = size; at <= index && missing > 0; ++at) {
      rendering_.stop.tick();
      steps_.emplace_back(at);
      before_write();
      data_.insert(steps_, item);
      steps_.pop_back();
    }
    return index;
  }

  merge::Accumulator& data_;
  const PathExpression& path_;
  Origin origin_;
  const Traced& value_;
  Rendering& rendering_;
  std::vector<Path::Step> steps_;
};

}  // namespace

void create(merge::Accumulator& data, const PathExpression& path, const merge::Traced& value, Rendering& rendering) {
  Creation(data, path, value, rendering).run();
}

}  // namespace strata::deckhand::detail
