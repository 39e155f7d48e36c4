#include "explained_failure.hpp"

#include <fmt/format.h>

#include <string_view>

#include "pathname.hpp"

namespace strata::hiera {
namespace {

/// The text without what stands in front of its first `mark`, and without the mark.
std::string_view behind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == std::string_view::npos ? text : text.substr(at + mark.size());
}

std::string_view before(std::string_view text, std::string_view mark) { return text.substr(0, text.find(mark)); }

/// The line of hiera.yaml that the reference names with a fault; 0 where it names none.
unsigned line_of(std::string_view message, const Excerpt& where) {
  const auto shows = [&](std::string_view text) { return where.line.find(text) != std::string::npos; };
  bool is_named = false;
  if (message.starts_with("Hierarchy name '")) {
    // Keys in quotes are overlooked.
    is_named = shows(" name: ");
  } else if (message.starts_with("'hiera3_backend'") || message.starts_with("Use \"data_hash")) {
    is_named = shows(" hiera3_backend:");
  } else if (message.starts_with("'default_hierarchy'")) {
    is_named = shows("default_hierarchy:");
  } else {
    is_named = message.starts_with("Backend '") || message.starts_with("No data provider is registered");
  }
  return is_named ? where.place.line.value_or(0) : 0;
}

/// The message with the place as the reference appends it.
std::string in_config(std::string_view message, const Diagnostic& told) {
  const unsigned line = line_of(message, told.where);
  std::string out(message);
  if (message.ends_with("more than once")) {
    out += '.';
    const unsigned first = told.notes.empty() ? 0 : line_of(message, told.notes.front());
    if (line != 0 && first != 0 && first != line) out += fmt::format(" First defined at (line: {})", first);
  }
  return line == 0 ? fmt::format("{} (file: {})", out, told.where.place.file)
                   : fmt::format("{} (file: {}, line: {})", out, told.where.place.file, line);
}

/// What Ruby calls the class that a forbidden scalar or tag asks for.
std::string forbidden_class(std::string_view message) {
  if (message.starts_with("the tag '")) {
    const std::string_view tag = before(message.substr(9), "'");
    if (tag.starts_with("!ruby/object:")) return std::string(tag.substr(13));
    if (tag == "tag:yaml.org,2002:set") return "Psych::Set";
    if (tag.starts_with("!ruby/") && tag.size() > 6) return static_cast<char>(tag[6] - ('a' - 'A')) + std::string(tag.substr(7));
    return std::string(tag);
  }
  if (message.find("' is a symbol") != std::string_view::npos) return "Symbol";
  // A date, or a time of day behind it.
  return before(message, "' is a date").find(':') == std::string_view::npos ? "Date" : "Time";
}

std::string in_yaml(std::string_view message, const std::string& code, const Diagnostic& told) {
  const Place& place = told.where.place;
  const bool is_config = place.file.ends_with("/hiera.yaml");
  const std::string_view head = is_config ? "" : "Unable to parse ";
  if (code == "yaml.alias") return fmt::format("{}Unknown alias: {}", head, before(behind(message, "'"), "'"));
  if (code == "yaml.forbidden") return fmt::format("{}({}): Tried to load unspecified class: {}", head, place.file, forbidden_class(message));
  if (code == "yaml.encoding") return fmt::format("{}({}): {} at line 1 column 1", head, place.file, before(message, " (byte "));
  const std::size_t colon = message.starts_with("while ") ? message.find(": ") : std::string_view::npos;
  if (colon == std::string_view::npos)
    return fmt::format("{}({}): {} at line {} column {}", head, place.file, message, place.line.value_or(1), place.column.value_or(1));
  // With its context, and that one's place.
  const Place& context = told.notes.empty() ? place : told.notes.front().place;
  return fmt::format("{}({}): {} {} at line {} column {}", head, place.file, message.substr(colon + 2), message.substr(0, colon),
                     context.line.value_or(1), context.column.value_or(1));
}

}  // namespace

std::string explained_failure(const Error& error, const std::string& working_folder) {
  const std::string_view whole = error.what();
  // Lookups on the way have put their names in front.
  constexpr std::string_view kFailed = "' failed: ";
  const std::size_t name = whole.starts_with("Lookup of key '") ? whole.rfind(kFailed) : std::string_view::npos;
  const std::size_t begin = name == std::string_view::npos ? 0 : name + kFailed.size();
  std::string_view message = whole.substr(begin);
  const std::string names(whole.substr(0, begin));
  const std::string& code = error.code();
  if (error.diagnostic().where.place.file.empty()) return std::string(whole);
  Diagnostic told = error.diagnostic();
  told.where.place.file = join_path(working_folder, told.where.place.file);
  if (code == "hiera.config") {
    for (const std::string_view part : {"hierarchy[", "default_hierarchy[", "plan_hierarchy[", "defaults:", "default_hierarchy:"}) {
      if (message.starts_with(part)) message = behind(message, ": ");
    }
    return names + in_config(message, told);
  }
  if (code == "hiera.version") return names + in_config(message, told);
  if (code == "hiera.function") return names + in_config(before(message, " (hierarchy entry '"), told);
  if (code == "hiera.interpolation" && message.starts_with("Interpolation using method syntax")) {
    return names + in_config(before(message, ": '"), told);
  }
  if (code == "yaml.syntax" || code == "yaml.forbidden" || code == "yaml.alias" || code == "yaml.encoding")
    return names + in_yaml(message, code, told);
  return std::string(whole);
}

}  // namespace strata::hiera
