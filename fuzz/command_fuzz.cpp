// SPDX-License-Identifier: Apache-2.0
// A command line, run as hosts of the C interface run one: any words and any standard input end with a status of the
// program. The first byte says how the host behaves; then come the words, one a line, an empty line, and the standard
// input.
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "c_host.hpp"
#include "strata/strata.h"

namespace {

using namespace strata::fuzz;

/// What the words can name: a small input of each dialect.
constexpr std::array<File, 12> kFiles{
    {{"hiera.yaml",
      "version: 5\nhierarchy: [{name: common, paths: ['%{role}.yaml', common.yaml]}]\ndefaults: {datadir: '.', "
      "data_hash: yaml_data}\n"},
     {"common.yaml", "a: 1\nb: {c: [x, y]}\nlookup_options: {b: {merge: deep}, p: {convert_to: Sensitive}}\np: word\n"},
     {"web.yaml", "b: {c: [z], d: '%{lookup(\"a\")}'}\n"},
     {"nodes.json", R"([{"name": "web", "facts": {"role": "web"}}, {"name": "db", "facts": {}}])"},
     {"first.yaml", "#cloud-config\na: [1]\nmerge_how: 'list(append)+dict(recurse_list)+str()'\n"},
     {"second.yaml", "#cloud-config\na: [2]\n"},
     {"template.yaml",
      "heat_template_version: 2018-08-31\nparameters: {n: {type: number, default: 1}, h: {type: string, hidden: true, "
      "default: x}}\n"},
     {"env.yaml", "parameters: {n: 2}\nparameter_merge_strategies: {default: deep_merge}\n"},
     {"site.yaml",
      "schema: deckhand/LayeringPolicy/v1\nmetadata: {schema: metadata/Control/v1, name: policy}\ndata: {layerOrder: "
      "[global, site]}\n---\n"
      "schema: ex/K/v1\nmetadata: {schema: metadata/Document/v1, name: k, layeringDefinition: {abstract: false, layer: "
      "global}}\ndata: {a: 1}\n"},
     {"bindings.pp", "bindings 'm::default' { bind 'x' to 1 }\n"},
     {"binder_config.yaml", "version: 1\nlayers: [{name: site, include: 'confdir:///default'}]\n"},
     {".strata.yaml", "projects:\n  hosts: {verb: lookup, hiera-config: hiera.yaml, nodes: nodes.json}\n"}}};

/// Commands that stay, or keep something; and options that write files.
constexpr std::array<std::string_view, 6> kForbiddenCommands{"serve", "explore", "store", "token", "key", "keygen"};
constexpr std::array<std::string_view, 5> kForbiddenOptions{"--app", "--fix", "--writ", "--base", "--init"};

/// A folder with the files, which the process works in from now on.
bool enter_folder() {
  std::string folder = (std::filesystem::temp_directory_path() / "strata-command-XXXXXX").string();
  require(mkdtemp(folder.data()) != nullptr && chdir(folder.c_str()) == 0, "there is no folder to work in");
  for (const File& file : kFiles) std::ofstream(std::string(file.path)) << file.text;
  static const std::string left = folder;
  std::atexit([] { std::filesystem::remove_all(left); });
  return true;
}

/// No word leaves the folder, whose state lasts over all runs, nor names a host.
bool is_harmless(std::string_view word) {
  return word.find('/') == std::string_view::npos && word.find("..") == std::string_view::npos &&
         std::ranges::find(kForbiddenCommands, word) == kForbiddenCommands.end() &&
         std::ranges::none_of(kForbiddenOptions, [word](std::string_view option) { return word.starts_with(option); });
}

std::string quoted(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (byte < 0x20) {
      (out += "\\u00") += {kDigits[byte >> 4U], kDigits[byte & 15U]};
    } else {
      if (character == '"' || character == '\\') out += '\\';
      out += character;
    }
  }
  return out += '"';
}

struct Host {
  std::string_view input;
  bool writes = true;
  bool reads = true;
};

std::int32_t write_text(void* self, std::int32_t stream, strata_text text) {
  require((stream == 1 || stream == 2) && (text.data != nullptr || text.size == 0), "a stream that is none");
  return static_cast<const Host*>(self)->writes ? 0 : 1;
}
std::int32_t read_text(void* self, strata_text* text) {
  auto* host = static_cast<Host*>(self);
  if (!host->reads) return 1;
  const std::string_view piece = host->input.substr(0, 7);
  host->input.remove_prefix(piece.size());
  *text = text_of(piece);
  return 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bool entered = enter_folder();
  if (!entered || size == 0) return 0;
  const char how = static_cast<char>(data[0]);
  std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string options = R"({"words": [)";
  for (bool first = true; !rest.empty(); first = false) {
    const std::string_view word = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (word.empty()) break;
    if (!is_harmless(word)) return -1;
    (options += first ? "" : ", ") += quoted(word);
  }
  options += "]}";

  Host host{.input = rest, .writes = how != 'w', .reads = how != 'r'};
  const strata_console console{
      .size = sizeof(strata_console), .self = &host, .write = write_text, .read = how == 'n' ? nullptr : read_text};
  strata_cancel* cancel = strata_cancel_new();
  if (how == 'c') strata_cancel_trigger(cancel);
  std::int32_t exit_status = -1;
  strata_error* error = nullptr;
  const strata_status status = strata_command(text_of(options), &console, cancel, &exit_status, &error);
  require(status != STRATA_BUG, error == nullptr ? "a bug" : strata_error_format(error).data);
  require((status == STRATA_OK) == (error == nullptr), "an error that is none, or none");
  require(status != STRATA_OK || (exit_status >= 0 && exit_status <= 4), "an exit status that no command has");
  require(how == 'c' || status != STRATA_CANCELLED, "nobody cancelled");
  strata_error_free(error);
  strata_cancel_free(cancel);
  return 0;
}
