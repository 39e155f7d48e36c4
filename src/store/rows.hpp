// SPDX-License-Identifier: Apache-2.0
// What a statement returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace strata::store {

/// Bytes of a row, to tell them from a text.
struct OwnBytes {
  std::string content;
  friend bool operator==(const OwnBytes&, const OwnBytes&) = default;
};
using Cell = std::variant<std::monostate, std::int64_t, std::string, OwnBytes>;

/// One row. It must not outlive its Rows. A value of another type is the error `store.damaged`.
class Row {
 public:
  explicit Row(const Cell* cells) noexcept : cells_(cells) {}

  [[nodiscard]] bool is_null(std::size_t column) const noexcept {
    return std::holds_alternative<std::monostate>(cells_[column]);
  }
  [[nodiscard]] std::int64_t integer(std::size_t column) const;
  [[nodiscard]] bool flag(std::size_t column) const { return integer(column) != 0; }
  [[nodiscard]] const std::string& text(std::size_t column) const;
  [[nodiscard]] const std::string& bytes(std::size_t column) const;
  // No value for NULL.
  [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::size_t column) const;
  [[nodiscard]] std::optional<std::string> maybe_text(std::size_t column) const;
  [[nodiscard]] std::optional<std::string> maybe_bytes(std::size_t column) const;
  [[nodiscard]] const Cell& cell(std::size_t column) const noexcept { return cells_[column]; }

 private:
  const Cell* cells_;
};

/// The rows of a statement, and how many rows it changed.
class Rows {
 public:
  Rows() = default;
  explicit Rows(std::vector<std::string> names) : names_(std::move(names)) {}

  [[nodiscard]] std::size_t size() const noexcept { return names_.empty() ? 0 : cells_.size() / names_.size(); }
  [[nodiscard]] bool empty() const noexcept { return cells_.empty(); }
  [[nodiscard]] Row operator[](std::size_t row) const noexcept { return Row(cells_.data() + row * names_.size()); }
  [[nodiscard]] Row front() const noexcept { return (*this)[0]; }
  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  /// How many rows were inserted, updated or deleted.
  [[nodiscard]] std::int64_t changed() const noexcept { return changed_; }

  /// Adds the next value: rows one after the other, from left to right.
  void append(Cell cell) { cells_.push_back(std::move(cell)); }
  void set_changed(std::int64_t changed) noexcept { changed_ = changed; }

  class Iterator {
   public:
    Iterator(const Rows& rows, std::size_t at) noexcept : rows_(&rows), at_(at) {}
    Row operator*() const noexcept { return (*rows_)[at_]; }
    Iterator& operator++() noexcept {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const noexcept { return at_ != other.at_; }

   private:
    const Rows* rows_;
    std::size_t at_;
  };
  [[nodiscard]] Iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] Iterator end() const noexcept { return {*this, size()}; }

 private:
  std::vector<std::string> names_;
  std::vector<Cell> cells_;
  std::int64_t changed_ = 0;
};

}  // namespace strata::store
