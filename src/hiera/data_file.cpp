#include "data_file.hpp"

#include <fmt/format.h>

#include "interpolation.hpp"

namespace strata::hiera {
namespace {

bool is_number(const Value& value) { return value.kind() == Kind::integer || value.kind() == Kind::big_integer || value.kind() == Kind::floating; }

/// What substitutions that lead nowhere in the file are asked of.
text::HoconVariables hocon_variables(const Settings& settings) {
  if (!settings.environment_variable) return {};
  return [&settings](std::string_view name) { return settings.environment_variable(std::string(name)); };
}

/// What a file that holds no mapping counts as.
text::Document without_mapping(Sources& sources, SourceId source, text::Document document, std::string_view kind, Compat compat,
                               std::optional<Diagnostic>& warning) {
  const bool is_empty = !document.root || (document.root.kind() == Kind::boolean && !document.root.as_boolean());
  Error error = Error("hiera.data", fmt::format("the file holds no {} mapping at its top, so it counts as empty", kind))
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

DataFile::DataFile(text::Document document, Value root, std::optional<Diagnostic> warning)
    : document_(std::move(document)),
      root_(root),
      warning_(std::move(warning)),
      contents_(std::make_unique<std::atomic<Content>[]>(root.size())) {}  // NOLINT(modernize-avoid-c-arrays)

Content DataFile::content(const Value* value) const noexcept {
  const auto bytes = reinterpret_cast<const char*>(value) - reinterpret_cast<const char*>(&root_.entries().front().value);
  std::atomic<Content>& known = contents_[static_cast<std::size_t>(bytes) / sizeof(Entry)];
  Content content = known.load(std::memory_order_relaxed);
  if (content == Content::unknown) {
    content = content_of(*value);
    known.store(content, std::memory_order_relaxed);
  }
  return content;
}

FileCache::FileCache(std::shared_ptr<const FileTree> tree, Sources& sources, const Limits& limits, const Settings& settings)
    : tree_(std::move(tree)), sources_(sources), limits_(limits), settings_(settings) {}

std::shared_ptr<FileCache::Slot> FileCache::slot(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Slot>& slot = slots_[path];
  if (!slot) slot = std::make_shared<Slot>();
  return slot;
}

FileKind FileCache::kind(const std::string& path) {
  const auto here = slot(path);
  std::call_once(here->looked, [&] { here->kind = tree_->kind(path); });
  return here->kind;
}

std::shared_ptr<const DataFile> FileCache::open(const std::string& path, Reader reader) {
  const auto here = slot(path);
  const std::lock_guard lock(here->reading);
  auto& file = here->files[static_cast<std::size_t>(reader)];
  if (!file) file = read(path, reader);
  return file;
}

std::shared_ptr<const DataFile> FileCache::read(const std::string& path, Reader reader) const {
  auto bytes = tree_->read(path);
  if (!bytes) return nullptr;
  const SourceId source = sources_.add(path, std::move(*bytes));
  try {
    std::optional<Diagnostic> warning;
    text::Document document;
    switch (reader) {
      case Reader::yaml:
        document = text::read_yaml(sources_, source, text::psych(), limits_);
        break;
      case Reader::json:
        document = text::read_json(sources_, source, limits_, 0, text::kRubyJson);
        break;
      case Reader::hocon:
        document = text::read_hocon(sources_, source, limits_, nullptr, hocon_variables(settings_));
        break;
    }
    if (!document.root.is_mapping()) {
      if (reader != Reader::yaml) {
        throw LookupError(Error("hiera.data", fmt::format("expects a Hash at the top of a data file, got {}", describe(document.root.kind())))
                              .at(sources_, sources_.at(source, 0)));
      }
      document = without_mapping(sources_, source, std::move(document), "YAML", settings_.compat, warning);
    }
    const Value root = document.root;
    return std::make_shared<DataFile>(std::move(document), root, std::move(warning));
  } catch (const LookupError&) {
    throw;
  } catch (const Error& error) {
    throw LookupError(error);
  }
}

}  // namespace strata::hiera
