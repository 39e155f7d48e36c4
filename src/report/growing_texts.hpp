// SPDX-License-Identifier: Apache-2.0
// Texts of a source map that grow while a result is written, and are read once it stands.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/output_buffer.hpp"

namespace strata::report {

constexpr std::size_t kPiece = std::size_t{1} << 16U;  ///< Bytes that are handed on together.

/// A text that grows and is then read from its beginning: nothing of it is copied meanwhile.
class Pieces {
 public:
  /// Room for some bytes, which stand together. Write there, then call `advance`.
  [[nodiscard]] char* reserve(std::size_t size) {
    if (static_cast<std::size_t>(end_ - next_) < size) grow(size);
    return next_;
  }
  void advance(char* next) noexcept { next_ = next; }
  void add(char c) {
    *reserve(1) = c;
    ++next_;
  }

  template <class Use>
  void each(const Use& use) const {
    for (const Piece& piece : pieces_) {
      const char* const end = &piece == &pieces_.back() ? next_ : piece.end;
      use(std::string_view(piece.bytes.get(), static_cast<std::size_t>(end - piece.bytes.get())));
    }
  }

 private:
  struct Piece {
    std::unique_ptr<char[]> bytes;  // NOLINT(modernize-avoid-c-arrays): they are not cleared first
    const char* end = nullptr;      ///< Of what is written; of the last one `next_` is.
  };
  void grow(std::size_t size) {
    const std::size_t capacity = std::max(kPiece, size);
    if (!pieces_.empty()) pieces_.back().end = next_;
    next_ = pieces_.emplace_back(Piece{.bytes = std::make_unique_for_overwrite<char[]>(capacity)})
                .bytes.get();  // NOLINT(modernize-avoid-c-arrays)
    end_ = next_ + capacity;
  }

  std::vector<Piece> pieces_;
  char* next_ = nullptr;
  const char* end_ = nullptr;
};

/// Texts of which each mostly begins as the one before it: only the rest is kept.
class Names {
 public:
  /// `shared`: how many bytes the text is known to share with the one before it.
  void add(std::string_view text, std::size_t shared) {
    const std::string_view rest = text.substr(shared);
    char* to = pieces_.reserve(2 * kLongestSize + rest.size());
    to = put_size(put_size(to, shared), rest.size());
    std::memcpy(to, rest.data(), rest.size());
    pieces_.advance(to + rest.size());
  }
  /// Each text; it is gone after the call.
  template <class Use>
  void each(const Use& use) const {
    std::string text;
    each_part([&](std::size_t shared, std::string_view rest) {
      text.resize(shared);
      text += rest;
      use(std::string_view(text));
    });
  }
  /// All texts with `end` behind each, in pieces.
  template <class Use>
  void together(std::string_view end, const Use& use) const {
    std::string last;  // Of the piece before.
    std::string piece;
    text::OutputBuffer out(piece);
    std::size_t begin = 0;
    std::size_t size = 0;
    each_part([&](std::size_t shared, std::string_view rest) {
      char* to = out.reserve(shared + rest.size() + end.size());
      const std::string_view before = last.empty() ? out.view().substr(begin, size) : last;
      begin = out.size();
      size = shared + rest.size();
      to = std::copy_n(before.data(), shared, to);
      to = std::copy_n(rest.data(), rest.size(), to);
      out.advance(std::copy_n(end.data(), end.size(), to));
      last.clear();
      if (out.size() < kPiece) return;
      last = out.view().substr(begin, size);
      use(out.view());
      out.clear();
    });
    use(out.view());
  }

 private:
  static constexpr std::size_t kLongestSize = 10;  ///< Seven bits a byte.

  template <class Use>
  void each_part(const Use& use) const {
    pieces_.each([&](std::string_view piece) {
      for (const char* at = piece.data(); at != piece.data() + piece.size();) {
        const std::size_t shared = take_size(at);
        const std::size_t size = take_size(at);
        use(shared, std::string_view(at, size));
        at += size;
      }
    });
  }
  static char* put_size(char* to, std::size_t size) noexcept {
    for (; size >= 0x80; size >>= 7U) *to++ = static_cast<char>(size | 0x80U);
    *to++ = static_cast<char>(size);
    return to;
  }
  static std::size_t take_size(const char*& at) noexcept {
    std::size_t size = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at++);
      size |= static_cast<std::size_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return size;
    }
  }

  Pieces pieces_;
};

}  // namespace strata::report
