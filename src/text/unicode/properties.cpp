// SPDX-License-Identifier: Apache-2.0
#include "text/unicode/properties.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "strata/text.hpp"

namespace strata::text::unicode {
namespace {

struct Range {
  char32_t first, last;
};

// utf8proc 2.8 knows Unicode 15 and no ages: what came after the versions of the references. Between the ends of a
// range are also code points that no version assigns. A newer utf8proc needs another list;
// UnicodeProperties.AreTheReferences fails until it is there.
constexpr std::array<Range, 55> kNewIn14{{
    {0x61D, 0x61D},     {0x870, 0x89F},     {0x8B5, 0x8B5},     {0x8C8, 0x8D2},     {0xC3C, 0xC3C},
    {0xC5D, 0xC5D},     {0xCDD, 0xCDD},     {0x170D, 0x170D},   {0x1715, 0x171F},   {0x180F, 0x180F},
    {0x1AC1, 0x1ACE},   {0x1B4C, 0x1B4C},   {0x1B7D, 0x1B7E},   {0x1DFA, 0x1DFA},   {0x20C0, 0x20C0},
    {0x2C2F, 0x2C2F},   {0x2C5F, 0x2C5F},   {0x2E53, 0x2E5D},   {0x9FFD, 0x9FFF},   {0xA7C0, 0xA7C1},
    {0xA7D0, 0xA7F4},   {0xFBC2, 0xFBC2},   {0xFD40, 0xFD4F},   {0xFDCF, 0xFDCF},   {0xFDFE, 0xFDFF},
    {0x10570, 0x105BC}, {0x10780, 0x107BA}, {0x10F70, 0x10F89}, {0x11070, 0x11075}, {0x110C2, 0x110C2},
    {0x116B9, 0x116B9}, {0x11740, 0x11746}, {0x11AB0, 0x11ABF}, {0x12F90, 0x12FF2}, {0x16A70, 0x16AC9},
    {0x1AFF0, 0x1AFFE}, {0x1B11F, 0x1B122}, {0x1CF00, 0x1CFC3}, {0x1D1E9, 0x1D1EA}, {0x1DF00, 0x1DF1E},
    {0x1E290, 0x1E2AE}, {0x1E7E0, 0x1E7FE}, {0x1F6DD, 0x1F6DF}, {0x1F7F0, 0x1F7F0}, {0x1F979, 0x1F979},
    {0x1F9CC, 0x1F9CC}, {0x1FA7B, 0x1FA7C}, {0x1FAA9, 0x1FAAC}, {0x1FAB7, 0x1FABA}, {0x1FAC3, 0x1FAC5},
    {0x1FAD7, 0x1FAD9}, {0x1FAE0, 0x1FAE7}, {0x1FAF0, 0x1FAF6}, {0x2A6DE, 0x2A6DF}, {0x2B735, 0x2B738},
}};
constexpr std::array<Range, 27> kNewIn15{{
    {0xCF3, 0xCF3},     {0xECE, 0xECE},     {0x10EFD, 0x10EFF}, {0x1123F, 0x11241}, {0x11B00, 0x11B09},
    {0x11F00, 0x11F59}, {0x1342F, 0x1342F}, {0x13439, 0x13455}, {0x1B132, 0x1B132}, {0x1B155, 0x1B155},
    {0x1D2C0, 0x1D2D3}, {0x1DF25, 0x1DF2A}, {0x1E030, 0x1E08F}, {0x1E4D0, 0x1E4F9}, {0x1F6DC, 0x1F6DC},
    {0x1F774, 0x1F77F}, {0x1F7D9, 0x1F7D9}, {0x1FA75, 0x1FA77}, {0x1FA87, 0x1FA88}, {0x1FAAD, 0x1FAAF},
    {0x1FABB, 0x1FABF}, {0x1FACE, 0x1FACF}, {0x1FADA, 0x1FADB}, {0x1FAE8, 0x1FAE8}, {0x1FAF7, 0x1FAF8},
    {0x2B739, 0x2B739}, {0x31350, 0x323AF},
}};

bool contains(std::span<const Range> ranges, char32_t point) noexcept {
  const auto at = std::ranges::lower_bound(ranges, point, {}, &Range::last);
  return at != ranges.end() && at->first <= point;
}

bool came_later(char32_t point, Version version) noexcept {
  if (point < kNewIn14.front().first) return false;
  return contains(kNewIn15, point) || (version == Version::v13 && contains(kNewIn14, point));
}

utf8proc_int32_t utf8proc_point(char32_t point) noexcept { return static_cast<utf8proc_int32_t>(point); }

constexpr char32_t kLast = 0x10FFFF;

/// A mapping of utf8proc, where both sides of it were there.
char32_t mapped(char32_t point, Version version, utf8proc_int32_t (*map)(utf8proc_int32_t)) noexcept {
  if (point > kLast) return point;
  const auto other = static_cast<char32_t>(map(utf8proc_point(point)));
  return other == point || came_later(point, version) || came_later(other, version) ? point : other;
}

constexpr char32_t kSharpS = 0xDF;
constexpr char32_t kIotaBelow = 0x345;  ///< Of Greek letters; its upper case follows them.
constexpr char32_t kCapitalIota = 0x399;

char32_t simple_upper(char32_t point, Version version) noexcept { return mapped(point, version, utf8proc_toupper); }

/// What a letter whose upper case is several code points is made of. utf8proc has the simple cases alone, but the
/// special ones follow from what the letters decompose to.
struct Parts {
  std::array<utf8proc_int32_t, 8> points{};
  std::size_t count = 0;  ///< 0: it is no such letter.
  bool has_iota = false;  ///< It has an iota below, which is left out.

  [[nodiscard]] std::span<const utf8proc_int32_t> view() const noexcept { return std::span(points).first(count); }
};

Parts decomposed(char32_t point, int options) noexcept {
  Parts out;
  int bound = 0;
  const auto room = static_cast<utf8proc_ssize_t>(out.points.size());
  const utf8proc_ssize_t count = utf8proc_decompose_char(utf8proc_point(point), out.points.data(), room,
                                                         static_cast<utf8proc_option_t>(options), &bound);
  if (count > 0 && count <= room) out.count = static_cast<std::size_t>(count);
  return out;
}

Parts special_parts(char32_t point, Version version) noexcept {
  const Category found = point < 0x80 ? Category::Cn : category(point, version);
  if (found != Category::Ll && found != Category::Lt) return {};
  Parts parts = decomposed(point, UTF8PROC_DECOMPOSE);
  const auto end = parts.points.begin() + static_cast<std::ptrdiff_t>(parts.count);
  if (const auto kept = std::remove(parts.points.begin(), end, static_cast<utf8proc_int32_t>(kIotaBelow));
      kept != end) {
    constexpr auto kCompose = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    const utf8proc_ssize_t count = utf8proc_normalize_utf32(parts.points.data(), kept - parts.points.begin(), kCompose);
    parts.count = static_cast<std::size_t>(std::max<utf8proc_ssize_t>(count, 0));
    parts.has_iota = true;
    return parts;
  }
  if (simple_upper(point, version) != point) return {};
  parts = decomposed(point, UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT);
  return parts.count > 1 ? parts : Parts();
}

}  // namespace

Category category(char32_t point, Version version) noexcept {
  if (point > kLast || came_later(point, version)) return Category::Cn;
  return static_cast<Category>(utf8proc_category(utf8proc_point(point)));
}

bool is_uppercase(char32_t point, Version version) noexcept {
  return point <= kLast && utf8proc_isupper(utf8proc_point(point)) != 0 && !came_later(point, version);
}

bool is_lowercase(char32_t point, Version version) noexcept {
  // Modifier letters that became lower case in Unicode 15.
  constexpr std::array<char32_t, 5> kLaterLower{0x10FC, 0xA7F2, 0xA7F3, 0xA7F4, 0xAB69};
  return point <= kLast && utf8proc_islower(utf8proc_point(point)) != 0 &&
         std::ranges::find(kLaterLower, point) == kLaterLower.end() && !came_later(point, version);
}

char32_t simple_lower(char32_t point, Version version) noexcept { return mapped(point, version, utf8proc_tolower); }

void append_upper(std::string& out, char32_t point, Version version) {
  if (point == kSharpS) {
    out += "SS";
  } else if (const Parts parts = special_parts(point, version); parts.count == 0) {
    append_utf8(out, simple_upper(point, version));
  } else if (parts.has_iota) {
    for (const utf8proc_int32_t one : parts.view()) append_upper(out, static_cast<char32_t>(one), version);
    append_utf8(out, kCapitalIota);
  } else {
    for (const utf8proc_int32_t one : parts.view()) append_utf8(out, simple_upper(static_cast<char32_t>(one), version));
  }
}

void append_title(std::string& out, char32_t point, Version version) {
  const char32_t simple = mapped(point, version, utf8proc_totitle);
  if (point == kSharpS) {
    out += "Ss";
  } else if (const Parts parts = simple == point ? special_parts(point, version) : Parts();
             parts.count == 0 || category(point, version) == Category::Lt) {
    append_utf8(out, simple);
  } else {
    bool is_done = false;
    for (const utf8proc_int32_t part : parts.view()) {
      const auto one = static_cast<char32_t>(part);
      std::string other;
      if (!is_done) append_title(other, one, version);
      std::string same;
      append_utf8(same, one);
      out += is_done ? same : other;
      is_done = is_done || other != same;
    }
    if (parts.has_iota) append_utf8(out, kIotaBelow);
  }
}

void append_case_folded(std::string& out, char32_t point, Version version) {
  std::array<utf8proc_int32_t, 4> folded{};
  int bound = 0;
  utf8proc_ssize_t count = 0;
  if (category(point, version) != Category::Cn)
    count = utf8proc_decompose_char(utf8proc_point(point), folded.data(), folded.size(), UTF8PROC_CASEFOLD, &bound);
  if (count <= 0 || count > static_cast<utf8proc_ssize_t>(folded.size())) return append_utf8(out, point);
  for (const utf8proc_int32_t one : std::span(folded).first(static_cast<std::size_t>(count)))
    append_utf8(out, static_cast<char32_t>(one));
}

std::optional<unsigned> decimal_digit(char32_t point, Version version) noexcept {
  constexpr unsigned kDigits = 10;
  if (point < 0x80) return point >= '0' && point <= '9' ? std::optional<unsigned>(point - '0') : std::nullopt;
  if (category(point, version) != Category::Nd) return std::nullopt;
  // The digits of a script are ten in a row from its zero; rows may follow each other (the five of U+1D7CE).
  unsigned before = 0;
  while (category(point - before - 1, version) == Category::Nd) ++before;
  return before % kDigits;
}

}  // namespace strata::text::unicode
