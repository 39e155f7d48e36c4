// SPDX-License-Identifier: Apache-2.0
// What C may pass: options of projects, subjects, queries, edits, comparisons, pointers, requests. Any text has a
// status, and nothing but a right one has a result. The first byte says what the rest is.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "c_host.hpp"
#include "strata/strata.h"

namespace {

using namespace strata::fuzz;

constexpr std::array<File, 5> kFiles{
    {{"/hiera.yaml",
      "version: 5\nhierarchy: [{name: common, paths: ['%{role}.yaml', common.yaml]}]\ndefaults: {datadir: data, "
      "data_hash: yaml_data}\n"},
     {"/data/common.yaml", "a: 1\nb: {c: [x, y]}\nlookup_options: {b: {merge: deep}}\n"},
     {"/data/web.yaml", "b: {c: [z], d: '%{lookup(\"a\")}'}\n"},
     {"/nodes.json", R"([{"name": "web", "facts": {"role": "web"}}, {"name": "db", "facts": {}}])"},
     {"/a.yaml", "#cloud-config\na: 1\n"}}};
constexpr std::string_view kQuestion =
    R"({"verb": "lookup", "hiera-config": "hiera.yaml", "nodes": "nodes.json", "seconds": 10, "threads": 1})";

std::int32_t read(void* /*self*/, strata_text path, strata_text* text) {
  for (const File& file : kFiles) {
    if (file.path != view(path)) continue;
    *text = text_of(file.text);
    return 0;
  }
  return 1;
}
std::int32_t kind(void* /*self*/, strata_text path) {
  std::string folder(view(path));
  if (folder != "/") folder += '/';
  for (const File& file : kFiles) {
    if (file.path == view(path)) return 1;
    if (file.path.starts_with(folder)) return 2;
  }
  return 0;
}
void list(void* /*self*/, strata_text path, void (*add)(void* into, strata_text name), void* into) {
  std::string folder(view(path));
  if (folder != "/") folder += '/';
  for (const File& file : kFiles) {
    if (!file.path.starts_with(folder)) continue;
    const std::string_view rest = file.path.substr(folder.size());
    add(into, text_of(rest.substr(0, rest.find('/'))));
  }
}

/// A status goes with what it gives out.
void judge(strata_status status, strata_result* result, strata_error* error) {
  require(status != STRATA_BUG, error == nullptr ? "a bug" : strata_error_format(error).data);
  require((status == STRATA_OK) == (error == nullptr), "an error that is none, or none");
  if (result != nullptr) {
    require(status == STRATA_OK, "a result without success");
    (void)strata_value_count(strata_result_value(result));
    (void)strata_result_json(result);
    (void)strata_result_blame(result);
    (void)strata_result_warnings(result);
  }
  strata_result_free(result);
  strata_error_free(error);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const strata_text text{reinterpret_cast<const char*>(data) + 1, size - 1};
  const strata_files files{
      .size = sizeof(strata_files), .self = nullptr, .read = read, .kind = kind, .list = list, .release_text = nullptr};
  static strata_project* const fleet = [&files] {
    strata_project* out = nullptr;
    require(strata_project_open(text_of(kQuestion), &files, &out, nullptr) == STRATA_OK, "the project does not open");
    return out;
  }();
  strata_result* result = nullptr;
  strata_error* error = nullptr;
  switch (data[0]) {
    case 'o': {
      strata_project* project = nullptr;
      const strata_status status = strata_project_open(text, &files, &project, &error);
      judge(status, nullptr, error);
      strata_project_free(project);
      break;
    }
    case 's': {
      const strata_status status =
          strata_project_get(fleet, text, text_of(R"({"keys": "b"})"), nullptr, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'q': {
      const strata_status status = strata_project_get(fleet, text_of("web"), text, nullptr, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'e': {
      const strata_status status = strata_project_impact(fleet, text, nullptr, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'd': {
      const strata_status status = strata_project_diff(fleet, text, nullptr, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'c': {
      const strata_status status = strata_project_check(fleet, text, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'm': {
      const strata_status status = strata_merge(text, &result, &error);
      judge(status, result, error);
      break;
    }
    case 'p': {
      const strata_status status =
          strata_project_get(fleet, text_of("web"), text_of(R"({"history": true})"), nullptr, &result, &error);
      require(status == STRATA_OK, error == nullptr ? "no result" : strata_error_format(error).data);
      strata_text json{};
      judge(strata_result_explain(result, text, &json, &error), nullptr, error);
      (void)strata_result_is_secret(result, text);
      strata_result_free(result);
      break;
    }
    default:
      break;
  }
  return 0;
}
