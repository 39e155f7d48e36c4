// SPDX-License-Identifier: Apache-2.0
// The JSON texts that functions of the C interface take. What is wrong with one is an Error `call.…`.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "strata/file_tree.hpp"
#include "strata/origin.hpp"
#include "strata/question.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"
#include "value/fields.hpp"

namespace strata::c {

/// A JSON text that is a mapping.
class JsonObject {
 public:
  /// `what` names it in messages, `code` is that of errors. An empty text is an empty mapping.
  JsonObject(std::string_view what, std::string code, std::string_view text);
  JsonObject(const JsonObject&) = delete;
  JsonObject& operator=(const JsonObject&) = delete;

  [[nodiscard]] const Fields& fields() const noexcept { return *fields_; }
  [[nodiscard]] const Value& value() const noexcept { return value_; }
  /// A list of texts; a text is a list of one.
  [[nodiscard]] std::vector<std::string> words(std::string_view name) const;
  /// A mapping of paths to texts or null.
  [[nodiscard]] Edits edits(std::string_view name) const;
  [[nodiscard]] static Edits edits_of(const Value& mapping, std::string_view what, const std::string& code);

 private:
  std::string what_;
  Sources sources_;
  text::Document document_;
  Value value_;
  std::unique_ptr<Arena> empty_;
  FieldErrors errors_;
  std::optional<Fields> fields_;
};

/// What strata_project_open is told.
struct ProjectOptions {
  std::string folder = {};                        ///< Where paths count from. Empty: the working directory.
  std::string project = {};                       ///< The name of a project. Empty: `entry` or `words`.
  std::vector<std::string> more = {};             ///< Words that follow those of the project.
  std::string entry = {};                         ///< A project as in `.strata.yaml`, as JSON.
  std::vector<std::string> words = {};            ///< A verb with its words.
  std::optional<std::chrono::seconds> time = {};  ///< The most that a call may take.
  unsigned threads = 0;                           ///< 0: one a core.
  std::size_t kept = std::size_t{64} << 20U;      ///< Bytes of results that are kept.
  std::string plugin_host = {};                   ///< The program that runs plugins. Empty: there are no plugins.
};
/// `more`: further members that are known and left alone.
[[nodiscard]] ProjectOptions read_project_options(const JsonObject& options,
                                                  std::span<const std::string_view> more = {});

/// What strata_project_get is asked.
struct Query {
  analysis::KeyQuery keys = {};
  bool has_history = false;
  bool is_cleartext = false;
  std::shared_ptr<const Arena> memory = {};  ///< Of the values.
};
[[nodiscard]] Query read_query(std::string_view text);

/// The list of nodes of a subject that is given as JSON. No value: it is a name.
[[nodiscard]] std::optional<std::string> read_node(std::string_view subject);

}  // namespace strata::c
