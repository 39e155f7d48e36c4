// SPDX-License-Identifier: Apache-2.0
#include "service/stacks/body.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "python/data.hpp"
#include "service/core.hpp"
#include "service/stacks/arguments.hpp"
#include "service/stacks/refusals.hpp"
#include "strata/text.hpp"

namespace strata::service::stacks {
namespace {

constexpr std::size_t kLongestStackName = 255;

bool is_letter(char one) noexcept { return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z'); }

bool is_stack_name(std::string_view name) {
  const auto is_fine = [](char one) {
    return is_letter(one) || (one >= '0' && one <= '9') || one == '_' || one == '-' || one == '.';
  };
  return !name.empty() && name.size() <= kLongestStackName && is_letter(name.front()) &&
         std::ranges::all_of(name, is_fine);
}

/// `application/json`, with parameters behind it.
bool is_json(const Headers& headers) {
  constexpr std::string_view kJson = "application/json";
  const std::string_view given = headers.get("Content-Type");
  if (!same_name(given.substr(0, kJson.size()), kJson)) return false;
  return given.size() == kJson.size() || given[kJson.size()] == ';' || given[kJson.size()] == ' ';
}

class BodyReader {
 public:
  BodyReader(const Call& call, Session& session) {
    if (call.request.body.empty() || !is_json(call.request.headers)) {
      // Of others the name or the template is missing.
      if (call.request.method == "PATCH") refuse_request("The body of the request is not a JSON object.");
      return;
    }
    const SourceId source = session.sources().add(kBodyText, call.request.body);
    session.sources().mark_secret(source);
    const text::Document document =
        in_heat([&] { return text::read_json(session.sources(), source, session.limits()); });
    session.keep(document.arena);
    if (!document.root.is_mapping()) refuse_request("The body of the request is not a JSON object.");
    root_ = document.root;
  }

  Sent read(Purpose purpose) {
    Sent out;
    out.settings = settings(purpose);
    if (purpose == Purpose::create) out.name = name();
    out.template_value = template_value(purpose == Purpose::patch);
    out.environment = environment();
    out.parameters = mapping("parameters");
    out.files = mapping("files");
    if (out.files) {
      for (const Entry& file : out.files.entries()) {
        if (!file.value.is_text()) refuse_request(fmt::format("The file '{}' is not a text.", file.key.text()));
      }
    }
    out.environment_files = texts("environment_files");
    if (member("files_container") != nullptr) refuse(400, "NotSupported", "files_container needs an object store");
    if (purpose == Purpose::patch) {
      if (const Value* cleared = flag("clear_parameters"); cleared != nullptr && cleared->is_null())
        refuse_request("'clear_parameters' is not a list of names");
      out.cleared_parameters = texts("clear_parameters");
    }
    return out;
  }

 private:
  /// Null for what is not there, or is null.
  [[nodiscard]] const Value* member(std::string_view name) const {
    const Value* found = root_ ? root_.find(name) : nullptr;
    return found == nullptr || found->is_null() ? nullptr : found;
  }

  /// Null for what is not there. Flags that are null are wrong.
  [[nodiscard]] const Value* flag(std::string_view name) const { return root_ ? root_.find(name) : nullptr; }

  [[nodiscard]] SentSettings settings(Purpose purpose) const {
    SentSettings out;
    if (const Value* minutes = member("timeout_mins")) out.timeout_mins = number_of("timeout_mins", *minutes);
    if (out.timeout_mins == 0 && purpose != Purpose::create) out.timeout_mins.reset();  // It counts as not given.
    if (const Value* tags = member("tags")) {
      if (!tags->is_text()) refuse_request("Invalid tags, not a text of tags between commas.");
      out.tags = tags_of(tags->text());
    }
    if (root_ && root_.find("converge") != nullptr && (purpose == Purpose::create || purpose == Purpose::validate)) {
      refuse_request("converge flag only supported in stack update (or update preview) request.");
    }
    if (const Value* converge = flag("converge")) (void)flag_of("converge", *converge);
    if (const Value* rollback = flag("disable_rollback")) out.disable_rollback = flag_of("disable_rollback", *rollback);
    return out;
  }

  [[nodiscard]] std::string name() const {
    const Value* found = root_ ? root_.find("stack_name") : nullptr;
    if (found == nullptr) refuse_request("No stack name specified");
    if (!found->is_text())
      refuse(400, "StackValidationFailed", fmt::format("Invalid stack name {}, must be a string", python::str(*found)));
    std::string name(found->text());
    if (is_stack_name(name)) return name;
    refuse(400, "StackValidationFailed",
           fmt::format("Invalid stack name {} must contain only alphanumeric or \"_-.\" characters, must start with "
                       "alpha and must be {} characters or "
                       "less.",
                       name, kLongestStackName));
  }

  [[nodiscard]] Value template_value(bool is_optional) const {
    if (member("adopt_stack_data") != nullptr) refuse(400, "NotSupported", "Stack Adopt is not supported.");
    const Value* found = member("template");
    if (found == nullptr && (root_ ? root_.find("template") : nullptr) == nullptr) {
      if (const Value* url = member("template_url")) {
        refuse_request(
            fmt::format("Could not retrieve template: strata fetches nothing, send the template itself instead of '{}'",
                        url->is_text() ? url->text() : std::string_view("template_url")));
      }
    }
    if (found == nullptr) {
      if (is_optional) return {};
      refuse_request("No template specified");
    }
    if (!found->is_text() && !found->is_mapping())
      refuse_request("Template not in valid format: it is neither a mapping nor a text");
    return *found;
  }

  [[nodiscard]] Value environment() const {
    const Value* found = member("environment");
    if (found == nullptr) return {};
    if (!found->is_text() && !found->is_mapping())
      refuse_request("Environment not in valid format: it is neither a mapping nor a text");
    return *found;
  }

  [[nodiscard]] Value mapping(std::string_view name) const {
    const Value* found = name == "parameters" ? flag(name) : member(name);  // Null is wrong there.
    if (found == nullptr) return {};
    if (!found->is_mapping())
      refuse_request(fmt::format("'{}' is not a mapping, but {}", name, describe(found->kind())));
    return *found;
  }

  [[nodiscard]] std::vector<std::string> texts(std::string_view name) const {
    std::vector<std::string> out;
    const Value* found = member(name);
    if (found == nullptr) return out;
    const bool is_list =
        found->is_sequence() && std::ranges::all_of(found->items(), [](const Value& item) { return item.is_text(); });
    if (!is_list) refuse_request(fmt::format("'{}' is not a list of names", name));
    for (const Value& item : found->items()) out.emplace_back(item.text());
    return out;
  }

  Value root_;
};

}  // namespace

Sent read_body(const Call& call, Session& session, Purpose purpose) {
  Sent out = BodyReader(call, session).read(purpose);
  out.is_shipped = call.core.settings().answers_as_shipped;
  return out;
}

}  // namespace strata::service::stacks
