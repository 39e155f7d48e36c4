// SPDX-License-Identifier: Apache-2.0
#include "service/buckets/incoming.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "service/buckets/failure.hpp"
#include "service/buckets/stored_text.hpp"
#include "service/buckets/work_session.hpp"
#include "service/buckets/yaml.hpp"
#include "session/parse_time.hpp"
#include "store/blobs.hpp"
#include "strata/builder.hpp"
#include "strata/stop.hpp"
#include "text/yaml/parallel_stream.hpp"

namespace strata::service::buckets {
namespace {

constexpr std::size_t kLongestPart = 64;  ///< Characters of a schema, a layer or a name.

class IncomingReader {
 public:
  explicit IncomingReader(const Call& call)
      : session_(work_session(call, call.request.body.size())),
        source_(session_->sources().add("<body>", call.request.body)),
        pool_(session_->new_arena()),
        lines_(session_->sources(), source_) {}

  std::vector<Incoming> read() {
    const std::vector<text::Document> documents = read_stream();
    check_entries(documents);
    for (const text::Document& document : documents) {
      try {
        deckhand::check_form(document.root, true, *session_);
      } catch (const deckhand::Refused& refused) {
        throw Failure(refused.findings());
      }
    }
    std::vector<Incoming> out;
    out.reserve(documents.size());
    for (const text::Document& document : documents) {
      session_->stop().check();
      out.push_back(incoming(document));
    }
    return out;
  }

 private:
  std::vector<text::Document> read_stream() {
    try {
      return try_stream();
    } catch (const Error& error) {
      if (error.ends_request()) throw;
      // What is wrong is told again, without what stands there: it may be a secret.
      session_->sources().mark_secret(source_);
    }
    try {
      return try_stream();
    } catch (const Error& error) {
      fail_as_bad_yaml(error);
    }
  }

  std::vector<text::Document> try_stream() {
    const ParseTimer timer;
    auto documents = text::read_yaml_stream(session_->snapshot().engine().settings().executor, session_->sources(),
                                            source_, text::pyyaml_json(), session_->limits(), pool_);
    for (const text::Document& document : documents) {
      if (document.arena != pool_.arena()) session_->keep(document.arena);
    }
    return documents;
  }

  void check_entries(const std::vector<text::Document>& documents) {
    std::vector<std::size_t> wrong;
    std::size_t nodes = 0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const Value& root = documents[i].root;
      if (!root.is_mapping() || root.size() == 0) wrong.push_back(i + 1);
      nodes += documents[i].nodes;
    }
    if (!wrong.empty()) {
      throw bad_request(fmt::format("Expected a list of valid objects. Invalid entries found at following indexes: {}.",
                                    fmt::join(wrong, ", ")));
    }
    if (nodes > session_->limits().result || is_blown_up(nodes, session_->sources().text(source_)))
      throw bad_request("The documents have too many values when their aliases are written out.");
  }

  /// The metadata with what the reference adds.
  Value with_defaults(const Value& metadata) {
    Arena& arena = *pool_.arena();
    MappingBuilder out = MappingBuilder::copy_of(arena, metadata, 3);
    const Value* policy = metadata.find("storagePolicy");
    if (policy == nullptr || policy->is_null() || (policy->is_text() && policy->text().empty())) {
      out.insert(pool_.key("storagePolicy"), arena.text("cleartext"));
    }
    const Value* layering = metadata.find("layeringDefinition");
    if (layering == nullptr || layering->is_null()) {
      MappingBuilder made(arena);
      made.insert(pool_.key("abstract"), Value::boolean(false));
      out.insert(pool_.key("layeringDefinition"), made.finish());
    } else if (layering->is_mapping() && layering->find("abstract") == nullptr) {
      MappingBuilder made = MappingBuilder::copy_of(arena, *layering, 1);
      made.insert(pool_.key("abstract"), Value::boolean(false));
      out.insert(pool_.key("layeringDefinition"), made.finish());
    }
    if (metadata.find("replacement") == nullptr) out.insert(pool_.key("replacement"), Value::boolean(false));
    return out.finish();
  }

  void check_length(const Triple& triple, std::string_view what, std::string_view text) {
    if (length_of(text) <= kLongestPart) return;
    throw Failure(std::vector{deckhand::Finding{
        .diagnostic = {.code = "deckhand.form",
                       .message = fmt::format("the {} has more than {} characters", what, kLongestPart),
                       .where = {},
                       .notes = {},
                       .hint = "shorten it"},
        .document = {.schema = triple.schema, .layer = triple.layer.value_or(""), .name = triple.name},
        .check = "D001"}});
  }

  Incoming incoming(const text::Document& document) {
    const Limits& limits = session_->limits();
    Arena& arena = *pool_.arena();
    const Value metadata = with_defaults(*document.root.find("metadata"));
    const Value schema = *document.root.find("schema");
    const Value* given = document.root.find("data");
    const Value data = given == nullptr ? arena.mapping() : *given;

    Incoming out;
    out.triple.schema = schema.text();
    out.triple.name = metadata.find("name")->text();
    const Value& layering = *metadata.find("layeringDefinition");
    const Value* layer = layering.is_mapping() ? layering.find("layer") : nullptr;
    if (layer != nullptr && layer->is_text()) out.triple.layer = layer->text();
    check_length(out.triple, "schema", out.triple.schema);
    check_length(out.triple, "name", out.triple.name);
    check_length(out.triple, "layer", out.triple.layer.value_or(""));

    const Value& policy = *metadata.find("storagePolicy");
    out.is_encrypted = policy.is_text() && policy.text() == "encrypted";
    const bool is_empty =
        data.is_null() || (data.is_text() && data.text().empty()) || (data.is_container() && data.size() == 0);
    out.is_sealed = out.is_encrypted && !is_empty;
    out.is_shown = !out.triple.schema.starts_with("deckhand/ValidationPolicy");

    line_ += static_cast<std::int64_t>(lines_.advance(document.root.origin()));
    out.line = line_;
    LineCounter lines = lines_;
    append_stored(out.metadata, metadata, limits);
    append_stored(out.data, data, limits, &lines);
    append_canonical(out.canonical_metadata, metadata, limits);
    stored_ += out.metadata.size() + out.data.size() + out.canonical_metadata.size();
    if (stored_ > kMostStoredText)
      throw Failure(413, "HTTPPayloadTooLarge", "The documents are too large when their aliases are written out.");
    if (!out.is_sealed) {
      std::string whole = out.canonical_metadata + '\n';
      append_canonical(whole, data, limits);
      out.digest = store::blob_id(whole);
      if (out.is_shown) out.data_yaml = yaml_text(json_object(arena, {{"data", data}}));
    }
    if (out.is_shown) out.rest_yaml = yaml_text(json_object(arena, {{"metadata", metadata}, {"schema", schema}}));
    return out;
  }

  std::unique_ptr<Session> session_;
  SourceId source_;
  text::DocumentPool pool_;
  LineCounter lines_;
  std::int64_t line_ = 1;
  std::size_t stored_ = 0;
};

}  // namespace

std::string Triple::key() const {
  std::string out;
  out.reserve(schema.size() + (layer ? layer->size() : 0) + name.size() + 3);
  out.append(schema)
      .append(layer ? "\n+" : "\n-")
      .append(layer ? *layer : std::string_view())
      .append("\n")
      .append(name);
  return out;
}

std::string Triple::to_string() const { return fmt::format("[{}, {}] {}", schema, layer.value_or("None"), name); }

std::vector<Incoming> read_incoming(const Call& call) {
  if (call.request.body.empty()) return {};
  return IncomingReader(call).read();
}

std::string sealed_digest(const Incoming& document, std::string_view id) {
  return store::blob_id(fmt::format("{}\nsealed:{}", document.canonical_metadata, id));
}

std::string secret_reference(std::string_view id) { return fmt::format("strata:secret/{}", id); }

}  // namespace strata::service::buckets
