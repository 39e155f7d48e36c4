#include "service/buckets/kept.hpp"

#include <cmath>

#include "service/json.hpp"
#include "store/keys.hpp"
#include "store/sealed.hpp"
#include "strata/builder.hpp"
#include "strata/text.hpp"

namespace strata::service::buckets {
namespace {

constexpr char kJson = 'J';
constexpr char kYamlText = 'Y';

/// Whether JSON has a form for the value that reads as it.
// Recursion: bounded by Limits::depth.
bool fits_json(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
    case Kind::boolean:
    case Kind::integer:
    case Kind::big_integer:
    case Kind::text:
      return true;
    case Kind::floating:
      return std::isfinite(value.as_floating());
    case Kind::sequence:
      for (const Value& item : value.items()) {
        if (!fits_json(item)) return false;
      }
      return true;
    case Kind::mapping:
      for (const Entry& entry : value.entries()) {
        if (!entry.key.is_text() || !fits_json(entry.value)) return false;
      }
      return true;
    default:
      return false;
  }
}

Value or_empty(const Value* value) { return value == nullptr ? Value() : *value; }

}  // namespace

std::string encoded(const Value& value) {
  std::string out;
  if (fits_json(value)) {
    out = kJson;
    text::append_json(out, value, {.sort_keys = false, .indent = -1});
  } else {
    out = kYamlText;
    out += text::write_yaml(value, {.profile = &text::pyyaml()});
  }
  return out;
}

Value decoded(Arena& arena, std::string_view text) {
  if (text.empty()) throw Error("store.damaged", "a value of the store is empty");
  Sources sources;
  const SourceId source = sources.add("<store>", std::string(text.substr(1)));
  const text::Document document =
      text.front() == kJson ? text::read_json(sources, source, Limits()) : text::read_yaml(sources, source, text::pyyaml(), Limits());
  return arena.deep_copy(document.root);
}

std::string secret_reference(std::string_view id) { return "strata:secret/" + std::string(id); }

std::unordered_map<std::string, std::string> opened_secrets(store::Transaction& transaction, const store::Keyring& keys, std::string_view project,
                                                            std::span<const store::Document> documents) {
  std::unordered_map<std::string, std::string> out;
  for (const store::Document& one : documents) {
    if (!one.head.sealed || out.contains(*one.head.sealed)) continue;
    const store::SecretBytes secret = store::open_sealed(transaction, keys, {.project = project, .table = "document", .id = *one.head.sealed});
    out.emplace(*one.head.sealed, std::string(secret.view()));
  }
  return out;
}

struct KeptDocuments::Memory {
  std::vector<text::Document> documents;
  std::shared_ptr<Arena> arena;
};

KeptDocuments::KeptDocuments(std::vector<store::Document> stored, const std::unordered_map<std::string, std::string>& secrets, Sources& sources,
                             const Limits& limits)
    : memory_(std::make_shared<Memory>()) {
  memory_->arena = arena_;
  // The texts of all documents that are JSON are read as one: reading many small texts costs several times as much.
  std::string json = "[";
  std::vector<Value> others;
  std::vector<std::size_t> slots;  // Of each text: its index in the JSON, or npos for the next of `others`.
  std::size_t count = 0;
  const auto add = [&](std::string_view encoded_text) {
    if (encoded_text.starts_with(kJson)) {
      if (count != 0) json += ',';
      json += encoded_text.substr(1);
      slots.push_back(count++);
    } else {
      const SourceId source = sources.add("<store>", std::string(encoded_text.substr(std::min<std::size_t>(1, encoded_text.size()))));
      memory_->documents.push_back(text::read_yaml(sources, source, text::pyyaml(), limits));
      others.push_back(memory_->documents.back().root);
      slots.push_back(std::string::npos);
    }
  };
  for (const store::Document& one : stored) {
    add(one.metadata);
    const auto secret = one.head.sealed ? secrets.find(*one.head.sealed) : secrets.end();
    if (secret != secrets.end()) {
      add(secret->second);
    } else {
      add(one.data ? *one.data : "Jnull");
    }
  }
  json += ']';
  const SourceId source = sources.add("<store>", std::move(json));
  Limits deeper = limits;
  ++deeper.depth;  // For the list around all.
  memory_->documents.push_back(text::read_json(sources, source, deeper));
  const std::span<const Value> values = memory_->documents.back().root.items();
  std::size_t next = 0;
  std::size_t other = 0;
  const auto take = [&] {
    const std::size_t slot = slots[next++];
    return slot == std::string::npos ? others[other++] : values[slot];
  };
  all_.reserve(stored.size());
  for (store::Document& one : stored) {
    One kept{.head = std::move(one.head), .metadata = take(), .data = take()};
    if (kept.head.sealed) {
      kept.is_encrypted = true;
      kept.data = secrets.contains(*kept.head.sealed) ? kept.data.with_secret() : arena_->text(secret_reference(*kept.head.sealed));
    }
    const Value policy = kept.metadata.is_mapping() ? or_empty(kept.metadata.find("storagePolicy")) : Value();
    kept.is_encrypted = kept.is_encrypted || (policy.is_text() && policy.text() == "encrypted");
    all_.push_back(std::move(kept));
  }
}

Value KeptDocuments::One::shown(Arena& arena, const Value& data_shown, const Value& metadata_shown, std::int64_t revision) const {
  return json_object(arena, {{"data", data_shown},
                             {"id", Value::integer(head.number)},
                             {"metadata", metadata_shown},
                             {"schema", arena.text(head.schema)},
                             {"status", json_object(arena, {{"bucket", arena.text(head.bucket)}, {"revision", Value::integer(revision)}})}});
}

}  // namespace strata::service::buckets
