// SPDX-License-Identifier: Apache-2.0
// C functions whose decimal point depends on the locale.
#pragma once

#include <clocale>
#include <new>

namespace strata {

/// Gives this thread the C locale while it exists, whatever the program has set: for formats that only printf supports.
class PlainLocale {
 public:
  PlainLocale() : before_(uselocale(plain())) {}
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;
  ~PlainLocale() { uselocale(before_); }

 private:
  static locale_t plain() {
    static const locale_t locale = newlocale(LC_ALL_MASK, "C", nullptr);
    if (locale == nullptr) throw std::bad_alloc();
    return locale;
  }

  locale_t before_;
};

}  // namespace strata
