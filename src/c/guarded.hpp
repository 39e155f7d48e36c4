// SPDX-License-Identifier: Apache-2.0
// From exceptions to what C knows.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "strata/error.hpp"
#include "strata/strata.h"
#include "strata/value.hpp"

/// An error as C sees it. Its texts are made when it is made, all but the long ones.
struct strata_error {
  std::vector<strata::Diagnostic> all;
  std::string json;
  std::string formatted;
  strata_status status = STRATA_FAILED;
};

namespace strata::c {

inline std::string_view view(strata_text text) noexcept {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}
/// Of a text that is followed by a zero.
inline strata_text text_of(std::string_view text) noexcept { return {text.data(), text.size()}; }
inline constexpr strata_text kNoText{nullptr, 0};

/// What a status says of an error.
[[nodiscard]] strata_status status_of(const Error& error) noexcept;
/// The handle of an error; null where there is no memory for it.
[[nodiscard]] strata_error* make_error(const std::exception_ptr& thrown, strata_status status) noexcept;
/// A diagnostic as data.
[[nodiscard]] Value diagnostic_data(Arena& arena, const Diagnostic& diagnostic, std::string_view severity = {});
/// Throws the error of a call that is wrong.
[[noreturn]] void misuse(std::string_view code, std::string message, std::string hint = {});
/// A callback wants the call to end.
struct Stopped {};

/// Runs the work of a function, and says what became of it. `error` receives why it failed; may be null.
template <class Work>
strata_status guarded(strata_error** error, const Work& work) noexcept {
  if (error != nullptr) *error = nullptr;
  strata_status status = STRATA_BUG;
  try {
    work();
    return STRATA_OK;
  } catch (const Error& thrown) {
    status = status_of(thrown);
    if (error != nullptr) *error = make_error(std::current_exception(), status);
  } catch (const Stopped&) {
    status = STRATA_CANCELLED;
    if (error != nullptr)
      *error = make_error(std::make_exception_ptr(Error("session.cancelled", "a callback ended the call")), status);
  } catch (const std::bad_alloc&) {
    status = STRATA_NO_MEMORY;
    if (error != nullptr) *error = make_error(std::current_exception(), status);
  } catch (...) {
    if (error != nullptr) *error = make_error(std::current_exception(), status);
  }
  return status;
}

/// The same for functions that have no status: `otherwise` where they fail.
template <class Result, class Work>
Result shielded(Result otherwise, const Work& work) noexcept {
  try {
    return work();
  } catch (...) {
    return otherwise;
  }
}

}  // namespace strata::c
