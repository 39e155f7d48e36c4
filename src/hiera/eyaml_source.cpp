// SPDX-License-Identifier: Apache-2.0
#include "eyaml_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "eyaml/blocks.hpp"
#include "faults.hpp"
#include "pathname.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {

/// The options that name a key: a file, an environment variable with the PEM text, and one with its base64.
struct KeyOptions {
  std::string_view file;
  std::string_view variable;
  std::string_view base64_variable;
};

namespace {

constexpr KeyOptions kPrivateKey{"pkcs7_private_key", "pkcs7_private_key_env_var", "pkcs7_b64_private_key_env_var"};
constexpr KeyOptions kPublicKey{"pkcs7_public_key", "pkcs7_public_key_env_var", "pkcs7_b64_public_key_env_var"};

std::string text_of(const Value& options, std::string_view name) {
  const Value* value = options ? options.find(name) : nullptr;
  return value != nullptr && value->is_text() ? std::string(value->text()) : std::string();
}

}  // namespace

/// A PEM text and where it is from. Nothing of the text stays in memory.
struct KeyRing::Named {
  Named(std::string pem, std::string from) : text(std::move(pem)), name(std::move(from)) {}
  Named(Named&& other) noexcept = default;
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  Named& operator=(Named&&) = delete;
  ~Named() { eyaml::wipe(text); }
  std::string text;
  std::string name;
};

/// Options of an entry, and the folder of its hierarchy.
struct KeyRing::Place {
  const Value& options;
  const std::string& folder;
};

std::string KeyRing::identity(const Value& options, const std::string& folder) {
  std::string out = folder + '\n';
  for (const KeyOptions& names : {kPrivateKey, kPublicKey}) {
    for (const std::string_view name : {names.file, names.variable, names.base64_variable})
      out += text_of(options, name) + '\n';
  }
  return out;
}

std::optional<std::string> KeyRing::text_at(const std::string& file, const std::string& folder,
                                            std::string& remark) const {
  if (!settings_.read_key) throw Error("eyaml.key", fmt::format("the key file '{}' cannot be read here", file));
  const std::string path = mapped_path(settings_.maps, join_path(settings_.working_folder, file));
  auto text = settings_.read_key(path);
  if (text || folder.empty()) return text;
  const std::string other = mapped_path(settings_.maps, join_path(folder, file));
  if (other == path) return std::nullopt;
  text = settings_.read_key(other);
  if (text) remark = fmt::format(R"(The key file "{}" is "{}", as the working directory has none)", file, other);
  return text;
}

/// The key in an environment variable, which comes before the file. Errors: `eyaml.key` from release 8 on if the
/// variable is not set. Rule: hiera-eyaml 5.0.1, load_ANY_key_pem.
std::optional<KeyRing::Named> KeyRing::from_environment(const Value& options, const KeyOptions& names) const {
  const bool is_release5 = is_strict(settings_.compat);
  std::string variable = text_of(options, names.variable);
  const bool is_base64 = variable.empty() && is_release5;
  if (is_base64) variable = text_of(options, names.base64_variable);
  if (variable.empty() || !settings_.environment_variable) return std::nullopt;
  auto text = settings_.environment_variable(variable);
  if (!text) {
    if (!is_release5) return std::nullopt;
    throw Error("eyaml.key", fmt::format("the environment variable '{}' is not set", variable))
        .hint(fmt::format("set it to the key, or remove '{}'", is_base64 ? names.base64_variable : names.variable));
  }
  // An empty one counts, as in Ruby.
  if (!is_base64) return Named{std::move(*text), variable};
  Named decoded{eyaml::decode_payload(*text), variable};
  eyaml::wipe(*text);
  return decoded;
}

std::optional<KeyRing::Named> KeyRing::find(const Place& place, const KeyOptions& names,
                                            std::vector<std::string>& remarks) const {
  if (!settings_.private_key.empty()) {
    const std::string& name = names.file == kPrivateKey.file ? settings_.private_key : settings_.public_key;
    if (name.empty()) return std::nullopt;
    auto text = settings_.read_key(name);
    if (!text)
      throw Error("eyaml.key", fmt::format("the key file '{}' does not exist", name))
          .in(name)
          .hint("the configuration of the service names it");
    return Named{std::move(*text), name};
  }
  if (auto named = from_environment(place.options, names)) return named;
  const std::string file = text_of(place.options, names.file);
  if (file.empty()) return std::nullopt;
  std::string remark;
  auto text = text_at(file, place.folder, remark);
  if (!text)
    throw Error("eyaml.key", fmt::format("the key file '{}' does not exist", file))
        .in(file)
        .hint("name the file in the options of the hierarchy entry, from the folder of its hiera.yaml");
  if (!remark.empty()) remarks.push_back(std::move(remark));
  return Named{std::move(*text), file};
}

bool KeyRing::has_key(const Value& options, const std::string& folder) const {
  if (!settings_.private_key.empty()) return true;
  try {
    if (const auto named = from_environment(options, kPrivateKey)) return !named->text.empty();
  } catch (const Error&) {
    return false;
  }
  const std::string file = text_of(options, kPrivateKey.file);
  if (file.empty() || !settings_.read_key) return false;
  std::string remark;
  try {
    auto text = text_at(file, folder, remark);
    if (!text) return false;
    eyaml::wipe(*text);
    return true;
  } catch (const Error& error) {
    if (error.code() != "tree.outside") throw;
    return false;  // As on a machine without the key.
  }
}

std::shared_ptr<const eyaml::Keys> KeyRing::keys(const Value& options, const std::string& folder) {
  const std::string name = identity(options, folder);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = keys_.find(name); known != keys_.end()) return known->second.keys;
  }
  // Read without the lock: the second thread drops what it has read.
  const Place place{.options = options, .folder = folder};
  Pair pair;
  const auto key = find(place, kPrivateKey, pair.remarks);
  if (!key) return nullptr;
  const auto certificate = find(place, kPublicKey, pair.remarks);
  std::optional<eyaml::Pem> pem;
  if (certificate) pem = eyaml::Pem{certificate->text, certificate->name};
  pair.keys = std::make_shared<const eyaml::Keys>(eyaml::Keys::from_pem({key->text, key->name}, pem));
  const std::lock_guard lock(mutex_);
  return keys_.emplace(name, std::move(pair)).first->second.keys;
}

std::vector<std::string> KeyRing::remarks(const Value& options, const std::string& folder) {
  const std::lock_guard lock(mutex_);
  const auto known = keys_.find(identity(options, folder));
  return known == keys_.end() ? std::vector<std::string>() : known->second.remarks;
}

std::shared_ptr<KeyRing::Opened> KeyRing::opened(std::shared_ptr<const DataFile> file, const Value& options,
                                                 const std::string& folder) {
  if (!file->is_shared()) {
    auto own = std::make_shared<Opened>();
    own->file = std::move(file);
    return own;
  }
  const std::string name = fmt::format("{}\n{}", static_cast<std::uint32_t>(file->source()), identity(options, folder));
  const std::lock_guard lock(mutex_);
  auto& known = opened_[name];
  if (!known) {
    known = std::make_shared<Opened>();
    known->file = std::move(file);
  }
  return known;
}

namespace {

class EyamlSource : public DataSource {
 public:
  EyamlSource(std::shared_ptr<const DataFile> file, const FunctionCall& call, const FunctionTools& tools)
      : file_(std::move(file)),
        ring_(tools.keys),
        options_(call.options),
        folder_(call.config.folder),
        session_(tools.files.session()) {}

  Answer find(const Key& key, FunctionContext& context) override {
    if (key.root().empty())
      throw FaultError(
          Error("hiera.function-options", "'eyaml_lookup_key' parameter 'key' expects a String[1] value, got String"));
    const Entry* entry = file_->find(key.root());
    if (entry == nullptr) return {};
    if (const auto known = values_.find(key.root()); known != values_.end()) {
      explain_keys(entry->value, context);
      return {known->second, content_of(known->second)};
    }
    warn_of_open_blocks(entry->value);
    const Value opened = open(key.root(), entry->value);
    explain_keys(entry->value, context);
    values_.emplace(key.root(), opened);
    return {opened, content_of(opened)};
  }

  [[nodiscard]] bool lists_all() const override { return true; }
  [[nodiscard]] bool lacks(std::string_view root_key) const override {
    return !root_key.empty() && file_->find(root_key) == nullptr;
  }
  void list(std::vector<std::string_view>& keys, FunctionContext&) override { file_->list(keys); }
  [[nodiscard]] const DataFile* read_file() override { return file_.get(); }

 private:
  /// Which key files opened a value, where that is not as in the reference.
  void explain_keys(const Value& value, FunctionContext& context) {
    if (!context.explains() || !holds_block(value)) return;
    for (std::string& remark : ring_.remarks(options_, folder_)) context.explain(std::move(remark));
  }

  /// A text that begins a block and does not end it is given out as it stands.
  // Recursion: bounded by Limits::depth.
  void warn_of_open_blocks(const Value& value) {
    if (value.is_text() && value.text().find("ENC[") != std::string_view::npos && !eyaml::holds_block(value.text())) {
      session_.diagnostics().warn(
          Error("eyaml.open-block", "'ENC[' has no ']' on its line, so the text is not decrypted")
              .at(session_.sources(), value.origin())
              .hint("a block over several lines is folded: begin the value with '>'")
              .diagnostic());
    }
    if (value.is_sequence()) {
      for (const Value& item : value.items()) warn_of_open_blocks(item);
    } else if (value.is_mapping()) {
      for (const Entry& entry : value.entries()) warn_of_open_blocks(entry.value);
    }
  }

  Value open(const std::string& key, const Value& value) {
    if (!holds_block(value)) return value;
    if (!opened_) {
      opened_ = ring_.opened(file_, options_, folder_);
      session_.keep(opened_);
    }
    {
      const std::lock_guard lock(opened_->mutex);
      const auto known = opened_->values.find(key);
      if (known != opened_->values.end()) return known->second;
    }
    // RSA takes its time: other threads need not wait for it, and two may open the same value once each.
    auto arena = std::make_unique<Arena>();
    const Value made = decrypted(key, value, *arena);
    const std::lock_guard lock(opened_->mutex);
    const auto [known, is_new] = opened_->values.emplace(key, made);
    if (is_new) opened_->arenas.push_back(std::move(arena));
    return known->second;
  }

  Value decrypted(const std::string& key, const Value& value, Arena& arena) {
    try {
      if (!keys_ && !is_locked_) {
        is_locked_ = ring_.masks_locked() && !ring_.has_key(options_, folder_);
        if (!is_locked_) keys_ = ring_.keys(options_, folder_);
      }
      if (is_locked_) return eyaml::mask_value(value, arena);
      return eyaml::decrypt_value(value, keys_.get(), arena, session_.sources());
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      Diagnostic told = error.diagnostic();
      told.message = fmt::format("hiera-eyaml backend error decrypting '{}': {}", key, told.message);
      throw LookupError(Error(std::move(told))).tells(key);
    }
  }

  // Recursion: bounded by Limits::depth.
  static bool holds_block(const Value& value) {
    if (value.is_text()) return eyaml::holds_block(value.text());
    if (value.is_sequence())
      return std::ranges::any_of(value.items(), [](const Value& item) { return holds_block(item); });
    if (value.is_mapping())
      return std::ranges::any_of(value.entries(), [](const Entry& entry) { return holds_block(entry.value); });
    return false;
  }

  std::shared_ptr<const DataFile> file_;
  KeyRing& ring_;
  Value options_;
  std::string folder_;  ///< Of the hierarchy.
  Session& session_;
  std::shared_ptr<KeyRing::Opened> opened_;
  std::shared_ptr<const eyaml::Keys> keys_;
  bool is_locked_ = false;  ///< The private key is missing, and no value needs it.
  TextMap<Value> values_;
};

}  // namespace

std::unique_ptr<DataSource> eyaml_source(const FunctionCall& call, const FunctionTools& tools) {
  if (call.path.empty()) {
    throw FaultError(Error("hiera.function-options",
                           "'eyaml_lookup_key': one of 'path', 'paths' 'glob', 'globs' or 'mapped_paths' must be "
                           "declared in hiera.yaml")
                         .at(tools.files.session().sources(), call.entry.function_at));
  }
  auto file = tools.files.open(call.path, Reader::yaml);
  return file ? std::make_unique<EyamlSource>(std::move(file), call, tools) : nullptr;
}

}  // namespace strata::hiera
