// Finds places in files that are no data.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "rule.hpp"

namespace strata::analysis {

/// Reads files when a place in them is asked for, each once.
class Locator {
 public:
  /// `evidence` must outlive the object.
  explicit Locator(const Evidence& evidence) : evidence_(evidence) {}

  /// The place: of a member its key, of a document its first key. A file that cannot be read: the file as a whole.
  [[nodiscard]] Excerpt find(const FilePlace& place);
  /// The number of its document, of a file with several.
  [[nodiscard]] std::optional<std::size_t> document(const FilePlace& place);

 private:
  const edit::Reading* read(const ConfigurationFile& file);

  const Evidence& evidence_;
  std::map<std::string, std::unique_ptr<edit::Reading>> readings_;
};

}  // namespace strata::analysis
