#include "data_file.hpp"

#include <fmt/format.h>

#include "faults.hpp"
#include "interpolation.hpp"
#include "reference_words.hpp"

namespace strata::hiera {
namespace {

bool is_number(const Value& value) { return value.kind() == Kind::integer || value.kind() == Kind::big_integer || value.kind() == Kind::floating; }

/// What substitutions that lead nowhere in the file are asked of.
text::HoconVariables hocon_variables(const Settings& settings) {
  if (!settings.environment_variable) return {};
  return [&settings](std::string_view name) { return settings.environment_variable(std::string(name)); };
}

/// What a file that holds no mapping counts as.
text::Document without_mapping(Sources& sources, SourceId source, text::Document document, Compat compat, std::optional<Diagnostic>& warning) {
  const bool is_empty = !document.root || (document.root.kind() == Kind::boolean && !document.root.as_boolean());
  Error error = Error("hiera.data", "the file holds no YAML mapping at its top, so it counts as empty")
                    .at(sources, sources.at(source, 0))
                    .hint("write 'key: value' lines");
  if (compat == Compat::puppet8 && !is_empty) throw LookupError(error);
  warning = error.diagnostic();
  document.root = document.arena->mapping();
  return document;
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

DataFile::DataFile(text::Document document, Value root, std::optional<Diagnostic> warning, bool is_shared)
    : document_(std::move(document)),
      root_(root),
      warning_(std::move(warning)),
      is_shared_(is_shared),
      contents_(std::make_unique<std::atomic<Content>[]>(root.size())) {}  // NOLINT(modernize-avoid-c-arrays)

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

FileCache::FileCache(std::shared_ptr<const FileTree> tree, Sources& sources, const Limits& limits, const Settings& settings)
    : tree_(std::move(tree)), sources_(sources), limits_(limits), settings_(settings), asked_(settings.share_files ? 0 : kRemembered) {}

std::shared_ptr<FileCache::Slot> FileCache::slot(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[path];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

std::shared_ptr<FileCache::Slot> FileCache::slot_for(const std::string& path, const Asker& asker) {
  if (settings_.share_files) return slot(path);
  const std::uint64_t hash = std::hash<std::string>()(path);
  const std::lock_guard lock(mutex_);
  if (const auto known = slots_.find(path); known != slots_.end()) return known->second;
  Asked& asked = asked_[hash % asked_.size()];
  const bool by_another = asked.path == hash && asked.asker != 0 && asked.asker != asker.number;
  if (!by_another) {
    asked = {.path = hash, .asker = asker.number};
    return nullptr;
  }
  return slots_[path] = std::make_shared<Slot>();
}

FileKind FileCache::kind(const std::string& path) {
  if (!settings_.share_files) return tree_->kind(path);
  const auto here = slot(path);
  std::call_once(here->looked, [&] { here->kind = tree_->kind(path); });
  return here->kind;
}

bool FileCache::may_exist(const std::string& path) { return !settings_.share_files || kind(path) != FileKind::none; }

std::shared_ptr<const DataFile> FileCache::open(const std::string& path, Reader reader, const Asker& asker) {
  const auto here = slot_for(path, asker);
  if (!here) return read(path, reader, asker.sources, false);
  const std::lock_guard lock(here->reading);
  const auto index = static_cast<std::size_t>(reader);
  if (!here->is_read[index]) {
    here->files[index] = read(path, reader, sources_, true);
    here->is_read[index] = true;
  }
  return here->files[index];
}

std::shared_ptr<const DataFile> FileCache::read(const std::string& path, Reader reader, Sources& sources, bool is_shared) const {
  auto bytes = tree_->read(path);
  if (!bytes) return nullptr;
  const SourceId source = sources.add(path, std::move(*bytes));
  try {
    std::optional<Diagnostic> warning;
    text::Document document;
    switch (reader) {
      case Reader::yaml:
        document = text::read_yaml(sources, source, text::psych(), limits_);
        break;
      case Reader::json:
        document = text::read_json(sources, source, limits_, 0, text::kRubyJson);
        break;
      case Reader::hocon:
        document = text::read_hocon(sources, source, limits_, nullptr, hocon_variables(settings_));
        break;
    }
    if (!document.root.is_mapping()) {
      if (reader != Reader::yaml) {
        throw LookupError(Error("hiera.data", fmt::format("expects a Hash at the top of a data file, got {}", describe(document.root.kind())))
                              .at(sources, sources.at(source, 0)));
      }
      document = without_mapping(sources, source, std::move(document), settings_.compat, warning);
    }
    const Value root = document.root;
    return std::make_shared<DataFile>(std::move(document), root, std::move(warning), is_shared);
  } catch (const LookupError&) {
    throw;
  } catch (const text::YamlError& error) {
    throw LookupError(WordedError(error, in_yaml(error, false)));
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    // To the reference these bytes are no problem of the data, but a fault of its own.
    if (reader == Reader::hocon && text::find_invalid_utf8(sources.text(source)) != std::string_view::npos) throw FaultError(error);
    throw LookupError(error);
  }
}

}  // namespace strata::hiera
