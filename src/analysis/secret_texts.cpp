#include "analysis/secret_texts.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "edit/target.hpp"
#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/report.hpp"
#include "strata/text.hpp"

namespace strata::analysis {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

edit::Syntax syntax_of(std::string_view path, std::string_view text, Results results) {
  if (path.ends_with(".json")) return edit::Syntax::json;
  if (path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".eyaml")) return edit::Syntax::yaml;
  if (path.ends_with(".conf") && results == Results::keys) return edit::Syntax::hocon;
  const bool is_yaml = results == Results::environment || results == Results::documents || text.starts_with("#cloud-config");
  return is_yaml ? edit::Syntax::yaml : edit::Syntax::other;
}

const text::Profile& profile_of(Results results) {
  switch (results) {
    case Results::keys:
      return text::psych();
    case Results::documents:
      return text::pyyaml_json();
    case Results::environment:
      return text::heat();
    default:
      return text::pyyaml();
  }
}

const Value* member(const Value* of, std::string_view name) { return of != nullptr && of->is_mapping() ? of->find(name) : nullptr; }

bool is_true(const Value* value) {
  if (value == nullptr) return false;
  if (value->kind() == Kind::boolean) return value->as_boolean();
  return !value->is_text() || !(value->text() == "false" || value->text() == "False" || value->text() == "no" || value->text().empty());
}

constexpr std::array<std::string_view, 2> kDeclarations{"parameters", "Parameters"};

bool is_template(const Value& root) {
  return root.is_mapping() && (root.find("heat_template_version") != nullptr || root.find("HeatTemplateFormatVersion") != nullptr ||
                               root.find("AWSTemplateFormatVersion") != nullptr);
}

/// The part of a text that can be a name.
bool is_of_name(char one) {
  return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || one == '_' || one == '-' || one == '.' ||
         one == ':' || static_cast<unsigned char>(one) >= 0x80;
}

/// Calls `use` with each name in a text, and where it is, until that returns true.
template <class Use>
bool any_name(std::string_view text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_of_name(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_name(text[end])) ++end;
    std::size_t last = end;
    while (last > at && text[last - 1] == ':') --last;  // What follows a key.
    if (last > at && use(text.substr(at, last - at), last)) return true;
    at = end;
  }
  return false;
}

/// Whether a document follows the first one.
bool has_more_documents(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool begins = line.starts_with("---");
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (!begins && first != std::string_view::npos && line[first] != '#' && line[first] != '%') break;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (begins) break;
  }
  return text.starts_with("---") || has(text, "\n---");
}

/// Takes the first line off a text.
std::string_view take_line(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

/// Whether the values that are read are all that a text has. Of HOCON, what stands further down replaces and joins what stood before.
bool tells_all(const edit::Form& form) { return form.syntax == edit::Syntax::yaml || form.syntax == edit::Syntax::json; }

/// Whether lines end in other ways than those that people see.
bool has_other_breaks(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    if (text.substr(at + 1, 1) != "\n") return true;
  }
  return has(text, "\u0085") || has(text, "\u2028") || has(text, "\u2029");
}

/// The offset of a column, from 1, in a line.
std::size_t offset_of_column(std::string_view line, std::size_t column) {
  std::size_t known = 0;
  const auto found = std::ranges::find_if(line, [&](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80 && ++known == column; });
  return static_cast<std::size_t>(found - line.begin());
}

}  // namespace

std::string without_values(std::string_view text, std::span<const TextPlace> places) {
  std::map<std::size_t, std::size_t> first;  // The first column of each line.
  for (const TextPlace& one : places) {
    std::size_t& column = first.try_emplace(one.line, one.column).first->second;
    column = std::min(column, one.column);
  }
  const auto indent_of = [](std::string_view line) { return std::min(line.find_first_not_of(" \t-"), line.size()); };
  std::string out;
  std::optional<std::size_t> hidden;  // The indentation of the line whose value goes on.
  for (std::size_t number = 1; !text.empty(); ++number) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    const std::string_view line = take_line(text);
    const bool is_blank = line.find_first_not_of(" \t\r") == std::string_view::npos;
    if (const auto found = first.find(number); found != first.end()) {
      hidden = indent_of(line);
      out.append(line.substr(0, offset_of_column(line, found->second))).append(report::kMask);
    } else if (hidden && !is_blank && indent_of(line) > *hidden) {
      out += report::kMask;
    } else {
      if (!is_blank) hidden.reset();
      out += line;
    }
    if (has_break) out += '\n';
  }
  return out;
}

std::string shown_by_both(std::string_view text, std::string_view left, std::string_view right) {
  if (left == text || left == right) return std::string(right);
  if (right == text) return std::string(left);
  std::string out;
  while (!text.empty()) {
    const bool has_break = text.find('\n') != std::string_view::npos;
    const std::string_view line = take_line(text);
    const std::string_view first = take_line(left);
    const std::string_view second = take_line(right);
    if (first == line || first == second) {
      out += second;
    } else if (second == line) {
      out += first;
    } else {
      // Each hides something else: behind the first of it nobody can tell.
      const auto same = [line](std::string_view one) { return static_cast<std::size_t>(std::ranges::mismatch(line, one).in1 - line.begin()); };
      out.append(line.substr(0, std::min(same(first), same(second)))).append(report::kMask);
    }
    if (has_break) out += '\n';
  }
  return out;
}

std::set<std::size_t> hidden_lines(std::string_view text, std::string_view shown) {
  std::set<std::size_t> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    if (take_line(text) != take_line(shown)) out.insert(number);
  }
  return out;
}

/// How a text is read.
edit::Form SecretTexts::form_of(std::string_view path, std::string_view text, const edit::Form* form) const {
  if (form != nullptr) {
    return {.syntax = form->syntax, .profile = form->profile == nullptr ? &profile_of(results_) : form->profile, .json = form->json};
  }
  return {.syntax = syntax_of(path, text, results_),
          .profile = &profile_of(results_),
          .json = results_ == Results::keys ? text::kRubyJson : text::kPythonJson};
}

/// Where nodes of a text begin, and which of them are secret.
class SecretTexts::Walk {
 public:
  /// `form`: as the text was read.
  Walk(const SecretTexts& rules, const edit::Reading& reading, const edit::Form& form)
      : rules_(rules), reading_(reading), sources_(*reading.sources), documents_(reading.documents), tells_all_(tells_all(form)) {}

  /// Two members of some mapping have the same name.
  [[nodiscard]] bool has_repeated_keys() const {
    return std::ranges::any_of(documents_, [](const text::Document& one) { return !one.repeated_keys.empty(); });
  }

  /// Whether some key, however it is spelled, names a secret.
  [[nodiscard]] bool names_secrets(const TextKnowledge& known) const {
    return std::ranges::any_of(documents_, [&](const text::Document& one) { return names_secrets(one.root, known); });
  }

  /// The text with masks.
  [[nodiscard]] std::string masked(const TextKnowledge& known) {
    add_places(known.places);
    for (const text::Document& document : documents_) {
      if (!document.root) continue;
      find_declared(document.root);
      if (known.has_names()) find_named(document.root, *known.names);
      find_marked(document.root);
      list(document.root);
      if (document.origin) add_start(document.origin);
    }
    for (const text::Document& document : documents_) {
      find_repeated(document);
      if (document.root && (!tells_all_ || !repeated_.empty())) hide_repeated(document.root);
    }
    std::ranges::sort(starts_);
    const std::string_view text = reading_.text();
    std::string out;
    std::size_t done = 0;
    for (const auto& [begin, last] : secrets_) {
      const auto next = std::ranges::upper_bound(starts_, last);
      const std::size_t end = next == starts_.end() ? text.size() : *next;
      if (end <= done) continue;
      const std::size_t first = std::max(begin, done);  // Of two members of one name, the later value can stand behind other members.
      out.append(text.substr(done, first - done));
      const std::size_t comments = known.shows_comments && last >= first ? end_of_scalar(text.substr(first, end - first), last - first) : SIZE_MAX;
      append_mask(out, text.substr(first, end - first), next == starts_.end(), comments);
      done = end;
    }
    out.append(text.substr(done));
    return out;
  }

 private:
  // Recursion: bounded by Limits::depth, as all below.
  [[nodiscard]] bool names_secrets(const Value& value, const TextKnowledge& known) const {
    if (!value || value.is_secret()) return value.is_secret();
    if (value.is_sequence()) return std::ranges::any_of(value.items(), [&](const Value& item) { return names_secrets(item, known); });
    return value.is_container() && std::ranges::any_of(value.entries(), [&](const Entry& entry) {
             const std::string key = key_text(entry.key);
             return rules_.names_secret(key) || (known.has_names() && known.names->contains(key)) || names_secrets(entry.value, known);
           });
  }

  void add_places(std::span<const TextPlace> places) {
    std::map<std::size_t, std::vector<std::size_t>> columns;  // By line.
    for (const TextPlace& one : places) columns[one.line].push_back(one.column);
    const std::string_view text = reading_.text();
    std::size_t begin = 0;
    std::size_t number = 1;
    for (const auto& [line, of_line] : columns) {
      for (; number < line && begin < text.size(); ++number) begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
      for (const std::size_t column : of_line) {
        const std::size_t at = begin + offset_of_column(text.substr(begin, text.find('\n', begin) - begin), column);
        secrets_.try_emplace(at, at);
        given_.insert(at);
      }
    }
  }

  /// Members of the root.
  void find_named(const Value& root, const std::set<std::string, std::less<>>& names) {
    if (!root.is_mapping()) return;
    for (const Entry& entry : root.entries()) {
      if (names.contains(key_text(entry.key))) hide(entry.value);
    }
  }

  void add_start(Origin origin) {
    if (const auto at = own_offset(origin)) starts_.push_back(*at);
  }

  /// No value: it is from nowhere, or stands somewhere else.
  [[nodiscard]] std::optional<std::size_t> own_offset(Origin origin) const {
    const std::size_t size = reading_.text().size();
    const std::size_t base = sources_.at(reading_.source, 0).location;
    if (!origin || origin.through_alias() || origin.location < base || origin.location > base + size) return std::nullopt;
    return origin.location - base;
  }

  /// The same, through an alias, too.
  [[nodiscard]] std::optional<std::size_t> offset(Origin origin) const {
    if (!origin || !origin.through_alias()) return own_offset(origin);
    const auto position = sources_.position(origin);
    if (!position || position->source != reading_.source) return std::nullopt;
    const std::string_view text = reading_.text();
    std::size_t at = 0;
    for (std::uint32_t line = 0; line < position->line; ++line) {
      at = text.find('\n', at);
      if (at == std::string_view::npos) return std::nullopt;
      ++at;
    }
    // Columns are UTF-16 code units.
    for (std::uint32_t column = 0; column < position->column && at < text.size();) {
      const auto byte = static_cast<unsigned char>(text[at]);
      const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
      column += length == 4 ? 2 : 1;
      at += length;
    }
    return std::min(at, text.size());
  }

  void find_last(const Value& value, std::size_t& last) const {
    const auto count = [&](Origin origin) {
      if (const auto at = own_offset(origin)) last = std::max(last, *at);
    };
    count(value.origin());
    if (value.is_sequence()) {
      for (const Value& item : value.items()) find_last(item, last);
    } else if (value.is_container()) {
      for (const Entry& entry : value.entries()) {
        count(entry.key.origin());
        find_last(entry.value, last);
      }
    }
  }

  void hide(const Value& value) {
    // A null that is not written is where its key is.
    if (!value || value.is_null()) return;
    if (const auto first = offset(value.origin())) hide_from(*first, value);
  }

  /// From a place, with all of a value.
  void hide_from(std::size_t first, const Value& value) {
    std::size_t last = first;
    find_last(value, last);
    std::size_t& known = secrets_.try_emplace(first, first).first->second;
    known = std::max(known, last);
  }

  void find_repeated(const text::Document& document) {
    constexpr std::size_t kMostTold = 1000;
    repeated_.clear();
    for (const Origin origin : document.repeated_keys) {
      if (const auto at = own_offset(origin)) repeated_.push_back(*at);
    }
    std::ranges::sort(repeated_);
    tells_repeated_ = document.repeated_keys.size() < kMostTold;
  }

  /// Whether the value of an earlier member of the same name can stand between a key and its value.
  [[nodiscard]] bool is_repeated(std::size_t key, std::size_t value) const {
    if (!tells_all_) return reading_.text().substr(key, value - key).find_first_of(",\n") != std::string_view::npos;
    const auto next = std::ranges::upper_bound(repeated_, key);
    return !tells_repeated_ || (next != repeated_.end() && *next < value);
  }

  /// No result has such an earlier value: it is secret where the later one is.
  void hide_repeated(const Value& value) {
    if (value.origin().through_alias()) return;
    if (value.is_sequence()) {
      for (const Value& item : value.items()) hide_repeated(item);
    }
    if (!value.is_mapping()) return;
    for (const Entry& entry : value.entries()) {
      hide_repeated(entry.value);
      const auto key = own_offset(entry.key.origin());
      const auto begin = own_offset(entry.value.origin());
      if (!key || !begin || *begin <= *key || !is_repeated(*key, *begin)) continue;
      std::size_t last = *begin;
      find_last(entry.value, last);
      const auto secret = secrets_.lower_bound(*begin);
      if (secret != secrets_.end() && secret->first <= last) hide_from(*key, entry.value);
    }
  }

  /// What readers marked by its name.
  void find_marked(const Value& value) {
    if (value.is_secret()) return hide(value);
    if (value.is_sequence()) {
      for (const Value& item : value.items()) find_marked(item);
    } else if (value.is_container()) {
      for (const Entry& entry : value.entries()) find_marked(entry.value);
    }
  }

  /// What is declared to be secret.
  void find_declared(const Value& root) {
    if (!root.is_mapping()) return;
    if (rules_.results_ == Results::documents) {
      const Value* metadata = root.find("metadata");
      const Value* policy = member(metadata, "storagePolicy");
      if (policy != nullptr && policy->is_text() && policy->text() == "encrypted" && root.find("data") != nullptr) hide(*root.find("data"));
    } else if (rules_.results_ == Results::keys) {
      for (const Entry& entry : root.entries()) {
        if (entry.key.is_text() && rules_.names_secret(entry.key.text())) hide(entry.value);
      }
    } else if (rules_.results_ == Results::environment && !rules_.names_.empty()) {
      const bool declares = is_template(root);
      for (const std::string_view section : {"parameters", "Parameters", "parameter_defaults"}) {
        const Value* all = root.find(section);
        if (all == nullptr || !all->is_mapping()) continue;
        for (const Entry& entry : all->entries()) {
          if (!entry.key.is_text() || !rules_.names_.contains(entry.key.text())) continue;
          if (!declares) {
            hide(entry.value);
            continue;
          }
          for (const std::string_view given : {"default", "Default"}) {
            if (const Value* value = member(&entry.value, given)) hide(*value);
          }
        }
      }
      find_nested(root);
    }
  }

  /// Texts in texts, as those of a state: what they say of parameters is not looked through.
  void find_nested(const Value& value) {
    if (value.is_text()) {
      const auto is_named = [this](std::string_view name, std::size_t /*end*/) { return rules_.names_.contains(name); };
      if (has(value.text(), "parameter") && any_name(value.text(), is_named)) hide(value);
    } else if (value.is_sequence()) {
      for (const Value& item : value.items()) find_nested(item);
    } else if (value.is_container()) {
      for (const Entry& entry : value.entries()) find_nested(entry.value);
    }
  }

  void list(const Value& value) {
    if (value.origin().through_alias()) return;
    add_start(value.origin());
    if (value.is_sequence()) {
      for (const Value& item : value.items()) list(item);
    } else if (value.is_container()) {
      for (const Entry& entry : value.entries()) {
        add_start(entry.key.origin());
        if (const auto key = given_.empty() ? std::nullopt : own_offset(entry.key.origin()); key && given_.contains(*key))
          hide_from(*key, entry.value);
        list(entry.value);
      }
    }
  }

  /// Where a scalar ends that begins at `at`, as far as comments show it: no line with a comment goes on with it. In doubt, nowhere.
  static std::size_t end_of_scalar(std::string_view text, std::size_t at) {
    const char first = at < text.size() ? text[at] : '|';
    if (first == '|' || first == '>' || text.substr(at).starts_with(R"(""")")) return SIZE_MAX;
    if (first != '"' && first != '\'') return at;
    for (++at; at < text.size() && (text[at] != first || (first == '\'' && text.substr(at + 1).starts_with('\''))); ++at) {
      if (text[at] == first || (first == '"' && text[at] == '\\')) ++at;
    }
    return at;
  }

  /// A mask in place of a node and of what follows up to the next one; what leads to that stays where it cannot be a part of the secret. So do the
  /// comments behind `comments`.
  static void append_mask(std::string& out, std::string_view hidden, bool is_last, std::size_t comments) {
    out += report::kMask;
    std::size_t at = hidden.find('\n');
    if (at == std::string_view::npos) {
      if (!is_last) out += has(hidden, ",") ? ", " : " ";
      return;
    }
    while (at != std::string_view::npos) {
      const std::size_t begin = at + 1;
      at = hidden.find('\n', begin);
      std::string_view line = hidden.substr(begin, at == std::string_view::npos ? at : at - begin);
      out += '\n';
      const bool leads = at == std::string_view::npos && line.find_first_not_of(" \t-?") == std::string_view::npos;
      if (line.ends_with('\r')) line.remove_suffix(1);
      const std::size_t content = line.find_first_not_of(" \t");
      const bool is_comment = begin > comments && content != std::string_view::npos && line[content] == '#';
      if (leads || is_comment || content == std::string_view::npos || line == "---" || line == "...") {
        out.append(line);
      } else {
        out += report::kMask;
      }
    }
  }

  const SecretTexts& rules_;
  const edit::Reading& reading_;
  const Sources& sources_;
  const std::vector<text::Document>& documents_;
  bool tells_all_;
  std::vector<std::size_t> starts_;
  std::vector<std::size_t> repeated_;           ///< Where keys stand that their mappings have already; of one document.
  bool tells_repeated_ = true;                  ///< These are all.
  std::set<std::size_t> given_;                 ///< The places that somebody else knows to be secret.
  std::map<std::size_t, std::size_t> secrets_;  ///< Where they begin, and where the last node in them does.
};

SecretTexts::SecretTexts(const FileTree& tree, std::span<const std::string> paths, Results results, Limits limits)
    : results_(results), limits_(std::move(limits)), may_have_some_(limits_.secret_keys != nullptr) {
  for (const std::string& path : paths) {
    if (const std::optional<std::string> text = tree.read(path)) learn(path, *text, nullptr);
  }
}

SecretTexts::SecretTexts(std::span<const Text> texts, Results results, Limits limits)
    : results_(results), limits_(std::move(limits)), may_have_some_(limits_.secret_keys != nullptr) {
  for (const Text& one : texts) learn(one.path, one.reading->text(), one.reading);
}

void SecretTexts::learn(std::string_view path, std::string_view text, const edit::Reading* read) {
  constexpr std::array<std::string_view, 5> kMarks{"Sensitive", "ENC[", "hidden", "NoEcho", "encrypted"};
  const bool speaks = std::ranges::any_of(kMarks, [text](std::string_view mark) { return has(text, mark); });
  if (!speaks) return;
  may_have_some_ = true;
  const bool has_options = results_ == Results::keys && has(text, "lookup_options") && has(text, "Sensitive");
  const bool declares = results_ == Results::environment && (has(text, "hidden") || has(text, "NoEcho"));
  if (!has_options && !declares) return;
  try {
    std::optional<edit::Reading> own;
    if (read == nullptr) {
      const edit::Form form = form_of(path, text, nullptr);
      if (form.syntax == edit::Syntax::other) return;
      read = &own.emplace(path, text, form, limits_);
    }
    for (const text::Document& document : read->documents) {
      const Value* root = document.root && document.root.is_mapping() ? &document.root : nullptr;
      if (const Value* options = has_options ? member(root, "lookup_options") : nullptr; options != nullptr && options->is_mapping()) {
        for (const Entry& entry : options->entries()) {
          const Value* wanted = member(&entry.value, "convert_to");
          if (wanted == nullptr || !entry.key.is_text() || !has(text::write_json(*wanted, {.indent = -1}), "Sensitive")) continue;
          if (entry.key.text().starts_with('^')) {
            patterns_of_keys_.emplace_back(entry.key.text());
          } else {
            names_.emplace(entry.key.text());
          }
        }
      }
      if (!declares) continue;
      for (const std::string_view section : kDeclarations) {
        const Value* all = member(root, section);
        if (all == nullptr || !all->is_mapping()) continue;
        for (const Entry& entry : all->entries()) {
          const bool is_hidden = is_true(member(&entry.value, "hidden")) || is_true(member(&entry.value, "NoEcho"));
          if (is_hidden && entry.key.is_text()) names_.emplace(entry.key.text());
        }
      }
    }
    if (!patterns_of_keys_.empty()) patterns_ = std::make_unique<const SecretKeys>(patterns_of_keys_);
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    constexpr std::array<std::string_view, 7> kData{".yaml", ".yml", ".eyaml", ".json", ".conf", ".template", ".env"};
    is_unknown_ = is_unknown_ || std::ranges::any_of(kData, [path](std::string_view end) { return path.ends_with(end); });
  }
}

bool SecretTexts::names_secret(std::string_view token) const {
  return names_.contains(token) || (patterns_ != nullptr && patterns_->has(token)) ||
         (limits_.secret_keys != nullptr && limits_.secret_keys->has(token));
}

bool SecretTexts::speaks_of_secrets(std::string_view text, const TextKnowledge& known) const {
  return any_name(
      text, [&](std::string_view name, std::size_t /*end*/) { return names_secret(name) || (known.has_names() && known.names->contains(name)); });
}

/// Members in comments, in texts and in what a reader passes over: what follows such a name in its line.
std::string SecretTexts::without_named_lines(std::string_view text) const {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    std::size_t cut = std::string_view::npos;
    (void)any_name(line, [&](std::string_view name, std::size_t at) {
      if (at < line.size() && (line[at] == '"' || line[at] == '\'')) ++at;
      at = std::min(line.find_first_not_of(" \t", at), line.size());
      if (at == line.size() || (line[at] != ':' && line[at] != '=') || !limits_.secret_keys->has(name)) return false;
      at = line.find_first_not_of(" \t:=>", at);
      if (at == std::string_view::npos || line.substr(at).starts_with(report::kMask)) return false;
      cut = at;
      return true;
    });
    out.append(line.substr(0, cut));
    if (cut != std::string_view::npos) out += report::kMask;
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// What the files say, with the places and names of `known`.
std::string SecretTexts::shown_alone(std::string_view path, std::string_view text, const TextKnowledge& known) const {
  const std::string all(report::kMask);
  if (is_unknown_) return all + '\n';
  if (path.ends_with(".pp") && has(text, "Sensitive")) return all + '\n';
  const bool has_keys = limits_.secret_keys != nullptr;
  const bool has_documents = results_ == Results::documents && has(text, "encrypted");
  const bool has_rules = has_keys || has_documents || !names_.empty() || patterns_ != nullptr || known.has_names();
  if (!has_rules && known.places.empty()) return std::string(text);
  // Archives and packed texts.
  if (text::find_invalid_utf8(text) != std::string_view::npos || (has_keys && has(text, "base64") && has(text, "Content-Transfer-Encoding")))
    return all + '\n';
  // Places are counted by the lines of a reader, and shown are those of people.
  if (!known.places.empty() && has_other_breaks(text)) return all + '\n';
  const edit::Form form = form_of(path, text, known.form);
  if (form.syntax == edit::Syntax::other) return speaks_of_secrets(text, known) ? all + '\n' : without_values(text, known.places);
  try {
    std::optional<edit::Reading> own;
    Walk walk(*this, known.reading == nullptr ? own.emplace(path, text, form, limits_) : *known.reading, form);
    if (!tells_all(form)) {
      const bool is_hidden = has_rules && (speaks_of_secrets(text, known) || walk.names_secrets(known));
      return is_hidden ? all + '\n' : shown_by_both(text, without_values(text, known.places), walk.masked(known));
    }
    // Of two members with one name, and of further documents, readers keep only one.
    const bool is_cut = results_ == Results::keys && form.syntax == edit::Syntax::yaml && has_more_documents(text);
    if ((walk.has_repeated_keys() || is_cut) && (has_documents || speaks_of_secrets(text, known))) return all + '\n';
    const std::string out = walk.masked(known);
    return has_keys ? without_named_lines(out) : out;
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    const bool is_hidden = has_documents || (has_rules && form.syntax == edit::Syntax::hocon) || speaks_of_secrets(text, known);
    return is_hidden ? all + '\n' : without_values(text, known.places);
  }
}

std::string SecretTexts::shown(std::string_view path, std::string_view text, const TextKnowledge& known) const {
  std::string out = shown_alone(path, text, known);
  return known.shown ? shown_by_both(text, out, *known.shown) : out;
}

std::optional<std::string> SecretTexts::shown_unread(std::string_view path, std::string_view text, const TextKnowledge& known) const {
  const bool has_documents = results_ == Results::documents;
  if (limits_.secret_keys != nullptr || has_documents || known.has_names()) {
    const edit::Form form = form_of(path, text, known.form);
    if (has_documents || !tells_all(form)) return std::nullopt;
    try {
      const edit::Reading reading(path, text, form, limits_);
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      return std::nullopt;
    }
  }
  return shown(path, text, known);
}

}  // namespace strata::analysis
