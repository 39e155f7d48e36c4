// SPDX-License-Identifier: Apache-2.0
#include "data_source.hpp"

#include <fmt/format.h>

#include <optional>

#include "config_failures.hpp"
#include "eyaml_source.hpp"
#include "faults.hpp"
#include "strata/path.hpp"

namespace strata::hiera {
namespace {

/// `yaml_data`, `json_data`, `hocon_data`.
class FileSource : public DataSource {
 public:
  explicit FileSource(std::shared_ptr<const DataFile> file) : file_(std::move(file)) {}

  Answer find(const Key& key, FunctionContext&) override {
    const Entry* entry = file_->find(key.root());
    if (entry == nullptr) return {};
    return {entry->value, file_->content(*entry)};
  }

  void list(std::vector<std::string_view>& keys, FunctionContext&) override { file_->list(keys); }

  [[nodiscard]] bool lists_all() const override { return true; }
  [[nodiscard]] bool lacks(std::string_view root_key) const override { return file_->find(root_key) == nullptr; }
  const DataFile* file() override { return file_.get(); }

 private:
  std::shared_ptr<const DataFile> file_;
};

std::unique_ptr<DataSource> file_source(const FunctionCall& call, const FunctionTools& tools, Reader reader) {
  const auto refuse = [&](std::string message) {
    throw FaultError(Error("hiera.function-options", fmt::format("'{}': {}", call.entry.function, message))
                         .at(tools.files.session().sources(), call.entry.function_at));
  };
  if (call.path.empty())
    refuse(
        "one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be declared in hiera.yaml when using this "
        "data_hash function");
  if (call.options && call.options.size() > 0) {
    refuse(fmt::format("unrecognized option '{}': it takes none", key_text(call.options.entries().front().key)));
  }
  auto file = tools.files.open(call.path, reader);
  return file ? std::make_unique<FileSource>(std::move(file)) : nullptr;
}

}  // namespace

std::optional<Reader> reader_of(std::string_view function) {
  if (function == "yaml_data") return Reader::yaml;
  if (function == "json_data") return Reader::json;
  if (function == "hocon_data") return Reader::hocon;
  return std::nullopt;
}

std::unique_ptr<DataSource> open_source(const FunctionCall& call, const FunctionTools& tools) {
  const std::string& name = call.entry.function;
  if (call.entry.kind == FunctionKind::data_hash) {
    if (const auto reader = reader_of(name)) return file_source(call, tools, *reader);
  }
  if (call.entry.kind == FunctionKind::lookup_key && name == "eyaml_lookup_key") return eyaml_source(call, tools);
  if (tools.loader) {
    if (auto source = tools.loader(call)) return source;
  }
  throw LookupError(unknown_function(tools.files.session().sources(), call.entry), LookupError::Issue::yes);
}

}  // namespace strata::hiera
