// SPDX-License-Identifier: Apache-2.0
#include "service/nodes/seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "cloudinit/parts/detect.hpp"
#include "cloudinit/parts/gzip.hpp"
#include "service/json.hpp"
#include "service/names.hpp"
#include "service/sites/files.hpp"
#include "service/sites/machines.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/near_names.hpp"
#include "strata/paths.hpp"
#include "strata/report.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"
#include "tree/sha256.hpp"
#include "value/fields.hpp"

namespace strata::service::nodes {
namespace {

constexpr std::string_view kBoundary = "===============strata-user-data==";

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::size_t kLine = 57;  // Bytes, for lines of 76 characters.
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    if (at != 0 && at % kLine == 0) out += '\n';
    const std::string_view three = bytes.substr(at, 3);
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 3; ++i)
      word = word << 8U | (i < three.size() ? static_cast<unsigned char>(three[i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) out += i <= three.size() ? kDigits[word >> (18U - 6U * i) & 63U] : '=';
  }
  return out;
}

/// A boundary that no part has.
std::string boundary_of(const std::vector<cloudinit::Blob>& parts) {
  std::string out(kBoundary);
  const auto has_it = [&out](const cloudinit::Blob& part) { return part.bytes.find(out) != std::string::npos; };
  for (std::size_t number = 1; std::ranges::any_of(parts, has_it); ++number)
    out = fmt::format("{}{}=", kBoundary, number);
  return out;
}

/// Parts as cloud-init takes them: one as it is, several as a message of them.
std::string mime_message(const std::vector<cloudinit::Blob>& parts) {
  if (parts.empty()) return {};
  if (parts.size() == 1) return parts.front().bytes;
  const std::string boundary = boundary_of(parts);
  std::string out = fmt::format("Content-Type: multipart/mixed; boundary=\"{}\"\nMIME-Version: 1.0\n\n", boundary);
  for (const auto& [name, text] : parts) {
    if (cloudinit::is_message(text)) {  // cloud-init walks into messages, and only parts say that they are some.
      out += fmt::format("--{}\n{}{}", boundary, text, text.ends_with('\n') ? "" : "\n");
      continue;
    }
    const std::string_view found = cloudinit::detect_type(text);
    // cloud-init unpacks what is said to be packed, and looks then what it is; of what is unknown it looks at the text.
    const std::string_view type = cloudinit::has_gzip_magic(text) ? "application/gzip"
                                  : found.empty()                 ? "text/plain"
                                                                  : found;
    std::string shown;
    for (const char one : name)
      shown += one == '"' || one == '\\' || static_cast<unsigned char>(one) < 0x20 ? '_' : one;
    out += fmt::format(
        "--{}\nContent-Type: {}\nMIME-Version: 1.0\nContent-Transfer-Encoding: base64\nContent-Disposition: "
        "attachment; filename=\"{}\"\n\n{}\n",
        boundary, type, shown, base64(text));
  }
  return out + fmt::format("--{}--\n", boundary);
}

/// Parts for a machine.
struct Parts {
  std::vector<cloudinit::Blob> user_data;
  std::vector<cloudinit::Blob> vendor_data;
};

class SeedReader {
 public:
  SeedReader(const sites::SiteState& state, const Value& entry, const FieldErrors& errors)
      : state_(state), errors_(errors), fields_(entry, "the machine", errors) {}

  /// `of_fleet`: instead of those that the entry names.
  Seed read(const std::string& node, std::optional<Parts> of_fleet) {
    constexpr std::array<std::string_view, 7> kKeys{"instance-id",    "local-hostname", "user-data", "vendor-data",
                                                    "network-config", "meta-data",      "merged"};
    fields_.only(kKeys);
    Seed out{.meta_data = meta_data(node),
             .has_secret_meta_data = has_secret_meta_data_,
             .user_data = {},
             .vendor_data = {},
             .network_config = {},
             .user_parts = of_fleet ? std::move(of_fleet->user_data) : parts("user-data"),
             .vendor_parts = of_fleet ? std::move(of_fleet->vendor_data) : parts("vendor-data"),
             .is_merged = fields_.flag("merged")};
    out.user_data = mime_message(out.user_parts);
    out.vendor_data = mime_message(out.vendor_parts);
    if (const Value* path = fields_.word("network-config")) out.network_config = file(*path);
    return out;
  }

 private:
  std::string meta_data(const std::string& node) {
    Arena arena;
    MappingBuilder out(arena);
    const Value* id = fields_.text("instance-id");
    // It must stay the same when user-data change: another one is another machine.
    out.insert("instance-id", id != nullptr ? *id : arena.text("i-" + sha256_text(node).substr(0, 16)));
    const Value* name = fields_.text("local-hostname");
    out.insert("local-hostname", name != nullptr ? *name : arena.text(node));
    if (const Value* more = fields_.mapping("meta-data")) {
      for (const Entry& entry : more->entries()) out.insert(arena.key(entry.key), entry.value);
    }
    const Value all = out.finish();
    has_secret_meta_data_ = report::holds_secret(all);
    return text::write_yaml(all);
  }

  std::vector<cloudinit::Blob> parts(std::string_view name) {
    std::vector<cloudinit::Blob> out;
    const Value* list = fields_.texts(name, "a list of files");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const Value& path = list->items()[i];
      out.push_back({.name = std::string(path.text()), .bytes = file(path)});
    }
    return out;
  }

  std::string file(const Value& path) {
    sites::check_path(path.text());
    std::optional<std::string> text = state_.tree().read("/" + std::string(path.text()));
    if (!text)
      throw Error("site.seed", fmt::format("the file '{}' does not exist", path.text()))
          .at(*errors_.sources, path.origin());
    return *std::move(text);
  }

  const sites::SiteState& state_;
  const FieldErrors& errors_;
  Fields fields_;
  bool has_secret_meta_data_ = false;
};

/// What the words of the question of a member of the site's fleet name. No value: the fleet does not name the machine.
std::optional<Parts> parts_of_member(const sites::SiteState& state, const std::string& node, const Limits& limits) {
  const auto words = state.has_fleet() ? state.member_words(node, limits) : std::nullopt;
  if (!words) return std::nullopt;
  const auto parts = [&state](const std::vector<std::string>& names) {
    std::vector<cloudinit::Blob> out;
    for (const std::string& name : names) {
      const std::string path = absolute_path("/", name);
      std::optional<std::string> text = state.question_tree().read(path);
      if (!text) throw Error("site.seed", fmt::format("the file '{}' does not exist", name));
      out.push_back({.name = path.substr(1), .bytes = *std::move(text)});
    }
    return out;
  };
  const workspace::VerbForm& form = state.verb_form();
  std::vector<std::string> vendor_data;
  for (const std::string_view option : {"--vendor-data", "--vendor-data2"}) {
    const std::vector<std::string> values = workspace::values_of(*words, form, option);
    if (!values.empty() && !values.back().empty()) vendor_data.push_back(values.back());
  }
  return Parts{.user_data = parts(workspace::arguments_of(*words, form)), .vendor_data = parts(vendor_data)};
}

}  // namespace

std::optional<Seed> seed_of(const sites::SiteState& state, const std::string& node, const Limits& limits) {
  const sites::MachineList list(state.tree(), limits);
  const auto entry_of = [&list](std::string_view name) {
    return list.machines() == nullptr ? nullptr : list.machines()->find(name);
  };
  const Value* entry = entry_of(node);
  auto parts = parts_of_member(state, node, limits);
  // `default` is for machines without an entry, and these have plain names.
  const bool is_default = entry == nullptr && !parts;
  if (is_default && is_node_name(node)) entry = entry_of("default");
  if (entry == nullptr && !parts) return std::nullopt;
  Arena arena;
  const Value nothing = json_object(arena, {});
  Seed out = SeedReader(state, entry == nullptr ? nothing : *entry, list.errors()).read(node, std::move(parts));
  out.is_default = is_default;
  return out;
}

void check_merged(const std::vector<cloudinit::Blob>& parts) {
  for (const cloudinit::Blob& part : parts) {
    const std::string_view type = cloudinit::detect_type(part.bytes);
    if (type.empty() || type.starts_with("text/cloud-config")) continue;
    throw Error("site.seed", fmt::format("'{}' is {}, which cannot be merged into one cloud-config", part.name, type))
        .hint("leave out 'merged'");
  }
}

namespace {

/// The members of meta-data that cloud-init reads from NoCloud, by bytes.
constexpr std::array<std::string_view, 12> kMetaData{
    "availability-zone", "availability_zone",  "dsmode",    "hostname",    "instance-id", "launch-index",
    "local-hostname",    "network-interfaces", "placement", "public-keys", "region",      "seedfrom"};

/// Other members are for templates: only a name that is nearly one of these is a mistake.
void note_misspelt(const Value& machine, const FieldErrors& errors, std::vector<Diagnostic>& out) {
  const Value* members = machine.is_mapping() ? machine.find("meta-data") : nullptr;
  if (members == nullptr || !members->is_mapping()) return;
  for (const Entry& entry : members->entries()) {
    if (!entry.key.is_text() || std::ranges::find(kMetaData, entry.key.text()) != kMetaData.end()) continue;
    const std::string_view near = nearest_name(kMetaData, entry.key.text());
    if (near.empty()) continue;
    out.push_back(Error(errors.code, fmt::format("'meta-data': cloud-init reads no '{}'", entry.key.text()))
                      .at(*errors.sources, entry.key.origin())
                      .hint(fmt::format("did you mean '{}'?", near))
                      .diagnostic());
  }
}

/// Adds what a check throws.
template <class Check>
void add_errors(std::vector<Diagnostic>& out, const Check& check) {
  try {
    check();
  } catch (const Error& error) {
    if (error.ends_request()) throw;
    std::ranges::copy(error.all(), std::back_inserter(out));
  }
}

}  // namespace

std::vector<Diagnostic> seed_problems(const sites::SiteState& state, const Limits& limits) {
  std::vector<Diagnostic> out;
  const sites::MachineList list(state.tree(), limits);
  std::set<std::string, std::less<>> machines;
  if (list.root()) {
    constexpr std::array<std::string_view, 1> kMembers{"cloud-init"};
    add_errors(out, [&] { Fields(list.root(), sites::kMachinesFile, list.errors()).only(kMembers); });
  }
  if (list.machines() != nullptr) {
    for (const Entry& entry : list.machines()->entries()) {
      if (entry.key.is_text()) machines.emplace(entry.key.text());
      note_misspelt(entry.value, list.errors(), out);
    }
  }
  if (state.has_fleet()) add_errors(out, [&] { machines.insert(state.nodes().begin(), state.nodes().end()); });
  for (const std::string& machine : machines) {
    if (limits.stop != nullptr) limits.stop->check();
    add_errors(out, [&] {
      const std::optional<Seed> seed = seed_of(state, machine, limits);
      if (seed && seed->is_merged) check_merged(seed->user_parts);
    });
  }
  return out;
}

}  // namespace strata::service::nodes
