// SPDX-License-Identifier: Apache-2.0
#include "heat/checkpoint.hpp"

#include "strata/builder.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"

namespace strata::heat {
namespace {

/// Counts up when the same data would mean something else.
constexpr std::string_view kVersion = "1";

std::string sealed_digest(const Value& sealed) {
  std::string text;
  text::append_json(text, sealed, {.sort_keys = false, .indent = -1});
  return sha256_text(text);
}

/// Everything of a checkpoint but its own digest.
Value sealed_part(Arena& arena, const Value& checkpoint) {
  MappingBuilder part(arena);
  for (const Entry& entry : checkpoint.entries()) {
    if (entry.key.text() != "digest") part.insert(entry.key, entry.value);
  }
  return part.finish();
}

bool is_text(const Value* value, std::string_view text) {
  return value != nullptr && value->is_text() && value->text() == text;
}

/// The number of files of a checkpoint, where they are the first of `files`; 0 where not.
std::size_t known_files(const Value* known, const std::vector<FileDigest>& files) {
  if (known == nullptr || !known->is_sequence() || known->size() > files.size()) return 0;
  for (std::size_t i = 0; i < known->size(); ++i) {
    const Value& pair = known->items()[i];
    if (!pair.is_sequence() || pair.size() != 2 || !is_text(pair.items().data(), files[i].name) ||
        !is_text(&pair.items()[1], files[i].digest))
      return 0;
  }
  return known->size();
}

}  // namespace

FileDigest digest_of(const Sources& sources, const StoredText& text, const NameSet& cleared) {
  std::string sum = sha256_text(characters(sources, text));
  if (!cleared.empty()) {
    for (const std::string& name : cleared) sum += '\0' + name;
    sum = sha256_text(sum);
  }
  return {.name = text.name, .digest = std::move(sum)};
}

std::string digest_of(const Schemata& schemata, bool implicit) {
  std::string text = implicit ? "implicit" : "declared";
  for (const ParameterSchema& schema : schemata.all()) {
    text += '\0' + schema.name + '\0';
    text += to_string(schema.type);
    if (schema.kind != Kind::text) text += describe(schema.kind);
  }
  return sha256_text(text);
}

Value make_checkpoint(Arena& arena, const Combination& combination, const std::string& declarations,
                      const std::vector<FileDigest>& files) {
  const Value sections = combination.checkpoint();
  if (!sections || files.empty()) return {};
  MappingBuilder content(arena);
  content.insert("version", arena.text(kVersion));
  content.insert("declarations", arena.text(declarations));
  SequenceBuilder list(arena, files.size());
  for (const FileDigest& file : files)
    list.append(arena.sequence(std::array{arena.text(file.name), arena.text(file.digest)}));
  content.insert("files", list.finish());
  content.insert("sections", sections);
  const Value sealed = content.finish();
  MappingBuilder checkpoint = MappingBuilder::copy_of(arena, sealed, 1);
  checkpoint.insert("digest", arena.text(sealed_digest(sealed)));
  return checkpoint.finish();
}

std::size_t resume(const Documents& documents, Combination& combination, const Value& checkpoint,
                   const std::string& declarations, const std::vector<FileDigest>& files) {
  if (!checkpoint.is_mapping() || !is_text(checkpoint.find("version"), kVersion) ||
      !is_text(checkpoint.find("declarations"), declarations))
    return 0;
  const std::size_t count = known_files(checkpoint.find("files"), files);
  if (count == 0) return 0;
  Arena scratch;
  const Value* sections = checkpoint.find("sections");
  const bool is_whole =
      sections != nullptr && is_text(checkpoint.find("digest"), sealed_digest(sealed_part(scratch, checkpoint)));
  if (is_whole && combination.resume(*sections)) return count;
  warn(documents.session(), "heat.checkpoint", "the state's checkpoint was edited: everything is combined again",
       checkpoint.origin());
  return 0;
}

}  // namespace strata::heat
