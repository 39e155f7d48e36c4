// SPDX-License-Identifier: Apache-2.0
#include "workspace/configuration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "value/fields.hpp"

namespace strata::workspace {
namespace {

bool is_number(const Value& value) {
  return value.kind() == Kind::integer || value.kind() == Kind::big_integer || value.kind() == Kind::floating;
}

/// What the projects of one file share.
struct SharedContext {
  std::string folder;
  std::shared_ptr<Sources> sources;
  std::shared_ptr<const void> memory;
};

class Reader {
 public:
  Reader(const SharedContext& shared, const Entry& entry)
      : errors_{.code = "workspace.value",
                .key_code = "workspace.key",
                .sources = shared.sources.get(),
                .place = entry.key.origin()},
        owner_(fmt::format("the project '{}'", entry.key.text())),
        fields_(entry.value, owner_, errors_) {
    out_.name = entry.key.text();
    out_.folder = shared.folder;
    out_.entry = entry.value;
    out_.at = entry.key.origin();
    out_.sources = shared.sources;
    out_.memory = shared.memory;
  }

  Project read() && {
    if (out_.name.empty()) fields_.fail("a project needs a name", out_.entry);
    out_.verb = fields_.needed_word("verb").text();
    if (const Value* args = fields_.list("args", "a list of words")) {
      for (const Value& word : args->items()) out_.args.push_back(word_of("args", word));
    }
    if (const Value* fleet = fields_.find("fleet")) read_fleet(*fleet);
    for (const Entry& entry : out_.entry.entries()) {
      if (!entry.key.is_text()) fields_.only({});  // Says so.
      if (std::ranges::find(kOwnKeys, entry.key.text()) == kOwnKeys.end() && !entry.value.is_null()) {
        out_.settings.push_back(setting(std::string(entry.key.text()), entry.value));
      }
    }
    return std::move(out_);
  }

 private:
  std::string word_of(std::string_view key, const Value& word) const {
    if (is_number(word)) return scalar_text(word);
    if (!word.is_text()) fields_.refuse_item(key, "a list of words", word);
    return checked(key, word);
  }

  /// A word of a command line cannot hold a byte zero.
  std::string checked(std::string_view key, const Value& word) const {
    if (word.text().find('\0') != std::string_view::npos) fields_.refuse_value(key, "a text without a byte zero", word);
    return std::string(word.text());
  }

  void read_fleet(const Value& fleet) {
    if (fleet.is_sequence()) {
      out_.members = read_members(fleet, *out_.sources, fleet.origin(), "workspace.value");
    } else if (fleet.is_text() && !fleet.text().empty()) {
      out_.fleet_file = checked("fleet", fleet);
    } else {
      fields_.refuse_kind("fleet", "a file or a list of {name, args}", fleet);
    }
  }

  Setting setting(std::string name, const Value& value) const {
    Setting out{.name = std::move(name), .at = value.origin()};
    if (value.kind() == Kind::boolean) {
      out.kind = Setting::Kind::flag;
      out.is_on = value.as_boolean();
    } else if (value.is_text()) {
      out.values.push_back(checked(out.name, value));
    } else if (is_number(value)) {
      out.values.push_back(scalar_text(value));
    } else if (value.is_sequence()) {
      out.kind = Setting::Kind::list;
      for (const Value& item : value.items()) out.values.push_back(word_of(out.name, item));
    } else {
      fields_.refuse_kind(out.name, "true, false, a text, a number or a list of texts", value);
    }
    return out;
  }

  FieldErrors errors_;
  std::string owner_;
  Fields fields_;
  Project out_;
};

}  // namespace

std::vector<Member> read_members(const Value& list, const Sources& sources, Origin otherwise, const std::string& code) {
  const auto refuse = [&](const Value& at, const std::string& message) {
    return Error(code, message)
        .at(sources, at ? at.origin() : otherwise)
        .hint("a fleet is a list of {name: TEXT, args: [WORD…]}: each is the question with these words at its end");
  };
  if (!list || !list.is_sequence()) throw refuse(list, "the fleet must be a list of subjects");
  std::vector<Member> out;
  std::unordered_set<std::string> names;
  for (const Value& item : list.items()) {
    if (!item.is_mapping()) throw refuse(item, "a subject of the fleet must be a mapping with name and args");
    Member member;
    for (const Entry& entry : item.entries()) {
      const std::string key = entry.key.is_text() ? std::string(entry.key.text()) : std::string();
      if (key == "name") {
        if (!entry.value.is_text()) throw refuse(entry.value, "the name of a subject must be text");
        member.name = entry.value.text();
      } else if (key == "args") {
        if (!entry.value.is_sequence()) throw refuse(entry.value, "'args' must be a list of words");
        for (const Value& word : entry.value.items()) {
          if (!word.is_text()) throw refuse(word, "'args' must be a list of words; this item is not text");
          member.words.emplace_back(word.text());
        }
      } else {
        throw refuse(entry.key, "a subject of the fleet has only the members name and args");
      }
    }
    if (member.name.empty()) throw refuse(item, "a subject of the fleet needs a name");
    if (!names.insert(member.name).second)
      throw refuse(item, fmt::format("the name '{}' is in the fleet twice", member.name));
    out.push_back(std::move(member));
  }
  return out;
}

std::vector<Project> read_configuration(std::string text, const std::string& path, const Search& search) {
  const auto sources = std::make_shared<Sources>(search.working_folder);
  const SourceId source = sources->add(path, std::move(text));
  const text::Document document = text::read_yaml(*sources, source, text::core12(), search.limits);
  const Value root = document.root ? document.root : Value::null();
  const FieldErrors errors{
      .code = "workspace.value",
      .key_code = "workspace.key",
      .sources = sources.get(),
      .place = sources->at(source, 0),
      .hint = "it has the key projects: a mapping from names to {verb, args, fleet, options of the verb…}"};
  const Fields fields(root, kFileName, errors);
  constexpr std::array<std::string_view, 1> kKeys{"projects"};
  fields.only(kKeys);
  const Value* projects = fields.mapping("projects", "a mapping from names to projects");
  if (projects == nullptr) fields.fail(fmt::format("{} has no 'projects'", kFileName), root);
  const SharedContext shared{.folder = path.substr(0, std::max<std::size_t>(path.rfind('/'), 1)),
                             .sources = sources,
                             .memory = document.arena};
  std::vector<Project> out;
  for (const Entry& entry : projects->entries()) out.push_back(Reader(shared, entry).read());
  return out;
}

}  // namespace strata::workspace
