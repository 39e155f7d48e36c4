// SPDX-License-Identifier: Apache-2.0
#include "eyaml_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "faults.hpp"
#include "pathname.hpp"
#include "value/seeded_hash.hpp"

namespace strata::hiera {
namespace {

/// What options may say of keys.
constexpr std::string_view kPrivateKey = "pkcs7_private_key";
constexpr std::string_view kPublicKey = "pkcs7_public_key";

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

std::string KeyRing::identity(const Value& options) {
  std::string out;
  for (const std::string_view name : {kPrivateKey, kPublicKey}) {
    out += text_of(options, name) + '\n' + text_of(options, std::string(name) + "_env_var") + '\n';
  }
  return out;
}

std::optional<KeyRing::Named> KeyRing::find(const Value& options, std::string_view file_option,
                                            std::string_view variable_option) const {
  if (!settings_.private_key.empty()) {
    const std::string& name = file_option == kPrivateKey ? settings_.private_key : settings_.public_key;
    if (name.empty()) return std::nullopt;
    auto text = settings_.read_key(name);
    if (!text)
      throw Error("eyaml.key", fmt::format("there is no key file '{}'", name))
          .in(name)
          .hint("the configuration of the service names it");
    return Named{std::move(*text), name};
  }
  const std::string variable = text_of(options, variable_option);
  if (!variable.empty() && settings_.environment_variable) {
    // An empty one counts, as in Ruby.
    if (auto text = settings_.environment_variable(variable)) return Named{std::move(*text), variable};
  }
  const std::string file = text_of(options, file_option);
  if (file.empty()) return std::nullopt;
  if (!settings_.read_key) throw Error("eyaml.key", fmt::format("the key file '{}' cannot be read here", file));
  const std::string path = join_path(settings_.working_folder, file);
  auto text = settings_.read_key(path);
  if (!text)
    throw Error("eyaml.key", fmt::format("there is no key file '{}'", file))
        .in(file)
        .hint("name the file in the options of the hierarchy entry");
  return Named{std::move(*text), file};
}

bool KeyRing::has_key(const Value& options) const {
  if (!settings_.private_key.empty()) return true;
  if (const std::string variable = text_of(options, std::string(kPrivateKey) + "_env_var");
      !variable.empty() && settings_.environment_variable) {
    if (auto text = settings_.environment_variable(variable)) {
      const bool is_given = !text->empty();
      eyaml::wipe(*text);
      return is_given;
    }
  }
  const std::string file = text_of(options, kPrivateKey);
  if (file.empty() || !settings_.read_key) return false;
  try {
    auto text = settings_.read_key(join_path(settings_.working_folder, file));
    if (!text) return false;
    eyaml::wipe(*text);
    return true;
  } catch (const Error& error) {
    if (error.code() != "tree.outside") throw;
    return false;  // As on a machine without the key.
  }
}

std::shared_ptr<const eyaml::Keys> KeyRing::keys(const Value& options) {
  const std::string name = identity(options);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = keys_.find(name); known != keys_.end()) return known->second;
  }
  // Read without the lock: whoever comes second drops what it has read.
  const auto key = find(options, kPrivateKey, std::string(kPrivateKey) + "_env_var");
  if (!key) return nullptr;
  const auto certificate = find(options, kPublicKey, std::string(kPublicKey) + "_env_var");
  std::optional<eyaml::Pem> pem;
  if (certificate) pem = eyaml::Pem{certificate->text, certificate->name};
  auto read = std::make_shared<const eyaml::Keys>(eyaml::Keys::from_pem({key->text, key->name}, pem));
  const std::lock_guard lock(mutex_);
  return keys_.emplace(name, std::move(read)).first->second;
}

std::shared_ptr<KeyRing::Opened> KeyRing::opened(std::shared_ptr<const DataFile> file, const Value& options) {
  if (!file->is_shared()) {
    auto own = std::make_shared<Opened>();
    own->file = std::move(file);
    return own;
  }
  const std::string name = fmt::format("{}\n{}", static_cast<std::uint32_t>(file->source()), identity(options));
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
  EyamlSource(std::shared_ptr<const DataFile> file, KeyRing& ring, Value options, Session& session)
      : file_(std::move(file)), ring_(ring), options_(options), session_(session) {}

  Answer find(const Key& key, FunctionContext&) override {
    if (key.root().empty())
      throw FaultError(
          Error("hiera.function-options", "'eyaml_lookup_key' parameter 'key' expects a String[1] value, got String"));
    const Entry* entry = file_->find(key.root());
    if (entry == nullptr) return {};
    if (const auto known = values_.find(key.root()); known != values_.end())
      return {known->second, content_of(known->second)};
    warn_of_open_blocks(entry->value);
    const Value opened = open(key.root(), entry->value);
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
      opened_ = ring_.opened(file_, options_);
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
        is_locked_ = ring_.masks_locked() && !ring_.has_key(options_);
        if (!is_locked_) keys_ = ring_.keys(options_);
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
  Session& session_;
  std::shared_ptr<KeyRing::Opened> opened_;
  std::shared_ptr<const eyaml::Keys> keys_;
  bool is_locked_ = false;  ///< There is no private key, and nobody needs it.
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
  return file ? std::make_unique<EyamlSource>(std::move(file), tools.keys, call.options, tools.files.session())
              : nullptr;
}

}  // namespace strata::hiera
