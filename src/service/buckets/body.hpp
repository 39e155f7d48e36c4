// The documents of a request's body, read and checked before anything is stored.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/face.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"
#include "strata/value.hpp"

namespace strata::service::buckets {

/// A document with its form checked, and its defaults filled in.
struct NewDocument {
  std::string schema;
  std::optional<std::string> layer;
  std::string name;
  Value metadata;
  Value data;
  bool is_encrypted = false;  ///< And has something to be sealed.
  std::int64_t line = 0;      ///< Where it begins in the body.
};

class DocumentsBody {
 public:
  /// Errors: Refused for a body that is not YAML, or whose entries are no mappings; deckhand::Refused for documents of another form.
  explicit DocumentsBody(const Call& call);

  [[nodiscard]] const std::vector<NewDocument>& documents() const noexcept { return documents_; }
  [[nodiscard]] Arena& arena() const noexcept { return *arena_; }

 private:
  std::shared_ptr<Arena> arena_ = std::make_shared<Arena>();
  std::unique_ptr<Session> session_;
  std::vector<text::Document> texts_;
  std::vector<NewDocument> documents_;
};

/// The one YAML value of a body; absent for an empty one. Error: Refused for a body that is not YAML.
struct YamlBody {
  std::shared_ptr<Sources> sources;
  text::Document document;
};
[[nodiscard]] YamlBody read_yaml_body(const Call& call);

/// Checks the type of a body. Error: Refused.
void check_content_type(const Request& request);

}  // namespace strata::service::buckets
