// SPDX-License-Identifier: Apache-2.0
// Cursors of pages: what was made comes back as it was, for its own list; anything else is no cursor, and never a
// crash.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "service/api/cursors.hpp"
#include "service/signer.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace strata::service;
  static const Signer signer("fuzz");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  // Nobody guesses a signature.
  if (api::read_cursor(text, "list", signer)) std::abort();
  // LIST, a zero, NUMBER of eight bytes, NAME.
  const std::size_t end = text.find('\0');
  if (end == std::string_view::npos || text.size() < end + 9) return 0;
  api::Cursor cursor{.list = std::string(text.substr(0, end)), .after = std::string(text.substr(end + 9))};
  std::memcpy(&cursor.snapshot, text.data() + end + 1, sizeof cursor.snapshot);
  const std::string made = api::cursor_text(cursor, signer);
  if (made.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != std::string::npos)
    std::abort();
  const auto read = api::read_cursor(made, cursor.list, signer);
  // Names of files and nodes are far shorter than what is not taken back.
  if (!read && made.size() <= 16'384) std::abort();
  if (read && (read->snapshot != cursor.snapshot || read->after != cursor.after)) std::abort();
  if (api::read_cursor(made, cursor.list + "x", signer)) std::abort();
  std::string changed = made;
  changed[size % changed.size()] = changed[size % changed.size()] == 'A' ? 'B' : 'A';
  const auto other = api::read_cursor(changed, cursor.list, signer);
  // The last digit of base64 may have bits that say nothing.
  if (other && (other->snapshot != cursor.snapshot || other->after != cursor.after)) std::abort();
  return 0;
}
