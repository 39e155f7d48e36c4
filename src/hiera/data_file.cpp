// SPDX-License-Identifier: Apache-2.0
#include "data_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "affected.hpp"
#include "faults.hpp"
#include "interpolation.hpp"
#include "reference_words.hpp"
#include "release.hpp"
#include "text/repeated_keys.hpp"
#include "value/once_flag.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {
namespace {

bool is_number(const Value& value) {
  return value.kind() == Kind::integer || value.kind() == Kind::big_integer || value.kind() == Kind::floating;
}

/// Gives the values of substitutions that the file does not define.
text::HoconVariables hocon_variables(const Settings& settings) {
  if (!settings.environment_variable) return {};
  return [&settings](std::string_view name) { return settings.environment_variable(std::string(name)); };
}

/// Replaces a root that is not a mapping by an empty one, with a warning. Errors: `hiera.data` from release 8 on,
/// unless the root is null, false or missing.
text::Document without_mapping(Sources& sources, SourceId source, text::Document document, Compat compat,
                               std::vector<Diagnostic>& warnings) {
  const Value& root = document.root;
  const bool is_empty = !root || root.is_null() || (root.kind() == Kind::boolean && !root.as_boolean());
  const bool is_error = is_strict(compat) && !is_empty;
  Error error =
      Error("hiera.data", is_empty   ? "the file has no data, so it counts as empty"
                          : is_error ? "the file is not a YAML mapping at its top level"
                                     : "the file is not a YAML mapping at its top level, so it counts as empty")
          .at(sources, sources.at(source, 0))
          .hint("write 'key: value' lines");
  if (is_error) throw LookupError(error);
  warnings.push_back(error.diagnostic());
  document.root = document.arena->mapping();
  return document;
}

/// The first duplicate key, for a release that refuses them.
Error refused_key(const Sources& sources, const text::Document& document) {
  Diagnostic told = std::move(text::repeated_key_warnings(sources, document, "hiera.repeated-key", {}, 1).front());
  const std::string& name = document.repeated_keys.front().name;
  told.message = name.empty() ? std::string("OpenVox 9 refuses a duplicate key in JSON")
                              : fmt::format("OpenVox 9 refuses the duplicate key '{}' in JSON", name);
  told.hint = "remove one of the two";
  return Error(std::move(told));
}

}  // namespace

// Recursion: bounded by Limits::depth.
Content content_of(const Value& value) noexcept {
  const auto worse = [](Content left, Content right) { return std::max(left, right); };
  switch (value.kind()) {
    case Kind::text:
      return may_interpolate(value.text()) ? Content::interpolates : Content::plain;
    case Kind::sequence: {
      Content out = Content::plain;
      for (const Value& item : value.items()) out = worse(out, content_of(item));
      return out;
    }
    case Kind::mapping: {
      Content out = Content::plain;
      for (const Entry& entry : value.entries()) {
        if (!entry.key.is_text() && !is_number(entry.key)) return Content::invalid;
        out = worse(out, worse(content_of(entry.key), content_of(entry.value)));
      }
      return out;
    }
    case Kind::object:
    case Kind::set:
    case Kind::date:
    case Kind::timestamp:
      return Content::invalid;
    default:
      return Content::plain;
  }
}

struct DataFile::Indexed {
  OnceFlag once;
  FileIndex index;
};

DataFile::DataFile(text::Document document, Value root, std::vector<Diagnostic> warnings, Reader reader, bool is_shared,
                   bool has_foreign_expressions)
    : document_(std::move(document)),
      root_(root),
      warnings_(std::move(warnings)),
      reader_(reader),
      is_shared_(is_shared),
      has_foreign_expressions_(has_foreign_expressions),
      indexed_(std::make_shared<Indexed>()),
      contents_(std::make_unique<std::atomic<Content>[]>(root.size())) {}  // NOLINT(modernize-avoid-c-arrays)

const FileIndex& DataFile::index() const {
  indexed_->once.call([this] { indexed_->index = index_of(*this); });
  return indexed_->index;
}

void DataFile::list(std::vector<std::string_view>& keys) const {
  for (const Entry& entry : root_.entries()) {
    if (entry.key.is_text()) keys.push_back(entry.key.text());
  }
}

Content DataFile::content(const Entry& entry) const noexcept {
  std::atomic<Content>& known = contents_[static_cast<std::size_t>(&entry - root_.entries().data())];
  Content content = known.load(std::memory_order_relaxed);
  if (content == Content::unknown) {
    content = content_of(entry.value);
    known.store(content, std::memory_order_relaxed);
  }
  return content;
}

SharedPaths::SharedPaths()
    : number_([] {
        static std::atomic<std::uint64_t> last = 0;
        return ++last;
      }()) {}

bool SharedPaths::is_shared(const std::string& path, std::uint64_t view) {
  const std::uint64_t hash = seeded_hash(path);
  const std::lock_guard lock(mutex_);
  if (shared_.contains(path)) return true;
  if (questions_.empty()) questions_.resize(kRemembered);
  Question& question = questions_[hash % questions_.size()];
  const bool by_another = question.path == hash && question.view != 0 && question.view != view;
  question = {.path = hash, .view = view};
  if (by_another) shared_.insert(path);
  return by_another;
}

namespace {

/// What the reading of a file depends on beside its text.
std::string reading_form(Reader reader, const Settings& settings, const SharedPaths& directory) {
  switch (reader) {
    case Reader::yaml:
      return is_strict(settings.compat) ? "yaml of release 8" : "yaml";
    case Reader::json:
      return settings.compat == Compat::openvox9 ? "json of release 9" : "json";
    case Reader::hocon:
      // Variables belong to the directory that gave them: another one with the same file has its own.
      return settings.environment_variable ? fmt::format("hocon of {}", directory.number()) : "hocon";
  }
  return {};
}

std::shared_ptr<const DataFile> read_data_file(Sources& sources, SourceId source, Reader reader,
                                               const Settings& settings, const Limits& limits, bool is_shared) {
  try {
    std::vector<Diagnostic> warnings;
    text::Document document;
    switch (reader) {
      case Reader::yaml:
        document = text::read_yaml(sources, source, text::psych(), limits);
        break;
      case Reader::json:
        document = text::read_json(sources, source, limits, 0, json_dialect(settings.compat));
        break;
      case Reader::hocon:
        document = text::read_hocon(sources, source, limits, nullptr, hocon_variables(settings));
        break;
    }
    if (settings.compat == Compat::openvox9 && reader == Reader::json && !document.repeated_keys.empty())
      throw LookupError(refused_key(sources, document));
    if (!document.root.is_mapping()) {
      if (reader != Reader::yaml) {
        throw LookupError(Error("hiera.data", fmt::format("expects a Hash at the top of a data file, got {}",
                                                          describe(document.root.kind())))
                              .at(sources, sources.at(source, 0)));
      }
      document = without_mapping(sources, source, std::move(document), settings.compat, warnings);
    }
    constexpr std::size_t kMost = 100;
    std::ranges::move(text::repeated_key_warnings(sources, document, "hiera.repeated-key", {}, kMost),
                      std::back_inserter(warnings));
    const Value root = document.root;
    // HOCON has substitutions of its own with this notation.
    const bool has_foreign = reader != Reader::hocon && sources.text(source).find("${") != std::string_view::npos;
    return std::make_shared<DataFile>(std::move(document), root, std::move(warnings), reader, is_shared, has_foreign);
  } catch (const LookupError&) {
    throw;
  } catch (const text::YamlError& error) {
    throw LookupError(WordedError(error, in_yaml(error, false)));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    // The reference does not report these bytes as a problem of the data: they are a fault of its own.
    if (reader == Reader::hocon && text::find_invalid_utf8(sources.text(source)) != std::string_view::npos)
      throw FaultError(error);
    throw LookupError(error);
  }
}

}  // namespace

bool DataFiles::is_walkable(std::string_view path) const {
  for (std::size_t slash = path.find('/', 1); slash != std::string_view::npos; slash = path.find('/', slash + 1)) {
    const std::string_view next = path.substr(slash + 1, path.find('/', slash + 1) - slash - 1);
    const bool stays_or_rises = next.empty() || next == "." || next == "..";
    if (stays_or_rises && tree().kind(path.substr(0, slash)) != FileKind::folder) return false;
  }
  return true;
}

FileKind DataFiles::kind(const std::string& path) const {
  return is_walkable(path) ? tree().kind(path) : FileKind::none;
}

bool DataFiles::may_exist(const std::string& path) const {
  return settings_.share_files ? kind(path) != FileKind::none : is_walkable(path);
}

std::shared_ptr<const DataFile> DataFiles::parse(const std::string& path, Reader reader) const {
  const FileReader<DataFile> read_file = [&](Sources& texts, SourceId source, const Limits& limits) {
    auto file = read_data_file(texts, source, reader, settings_, limits, true);
    const std::size_t bytes = file->bytes();
    return Reading<DataFile>{.parsed = std::move(file), .bytes = bytes};
  };
  return session_.snapshot().read<DataFile>(path, reading_form(reader, settings_, shared_), session_.limits().stop,
                                            read_file);
}

std::size_t DataFiles::size(const std::string& path) const {
  const auto text = session_.snapshot().text(path, session_.limits().stop);
  return text ? text->texts->text(text->source).size() : 0;
}

std::shared_ptr<const DataFile> DataFiles::open(const std::string& path, Reader reader) const {
  if (settings_.share_files || shared_.is_shared(path, view_)) {
    auto file = parse(path, reader);
    if (file) session_.keep(file);
    return file;
  }
  std::optional<std::string> bytes;
  try {
    bytes = tree().read(path);
  } catch (const Error& error) {
    if (error.code() != "tree.outside") throw;
    session_.diagnostics().warn(error.diagnostic());  // Files of one node are not looked for before they are read.
  }
  if (!bytes) return nullptr;
  auto file = read_data_file(session_.sources(), session_.sources().add(path, std::move(*bytes)), reader, settings_,
                             session_.limits(), false);
  session_.keep(file);
  return file;
}

}  // namespace strata::hiera
