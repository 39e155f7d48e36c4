// SPDX-License-Identifier: Apache-2.0
// Lists the parts of many inputs, for tests/differential/mime.py.
//
// Reads cases from standard input until it ends: a line `FOLDER INDEX BLOB…`, where INDEX is a launch index or `-`.
// Paths of blobs and includes count from FOLDER. Answers each with one line of JSON: {"fatal": code, "message": text}
// or {"parts": [[type, name, payload in base64, Merge-Type or null]], "warnings": [codes]}.
#include <iostream>
#include <memory>
#include <sstream>

#include "cloudinit/parts/flattener.hpp"
#include "cloudinit/parts/launch_index.hpp"
#include "strata/scalar_text.hpp"
#include "strata/session.hpp"
#include "strata/text.hpp"

namespace {

using namespace strata;

void append_member(std::string& out, std::string_view name, std::string_view text) {
  text::append_json_text(out, name);
  out += ": ";
  text::append_json_text(out, text);
}

/// Whether the body of a cloud-config names another launch index than `wanted`.
bool is_for_another(Sources& sources, const cloudinit::Part& part, const std::optional<std::string>& wanted,
                    const Limits& limits) {
  if (!wanted || part.type != "text/cloud-config" || cloudinit::find_header(part.headers, "Launch-Index") != nullptr)
    return false;
  try {
    const text::Document document = text::read_yaml(sources, part.source, text::pyyaml(), limits);
    const auto index = cloudinit::launch_index(document.root);
    return index && index != wanted;
  } catch (const Error&) {
    return false;
  }
}

std::string list(const std::string& line) {
  std::istringstream words(line);
  std::string folder;
  std::string index;
  words >> folder >> index;
  const std::shared_ptr<const FileTree> files = host_tree(folder);
  Session session(Snapshot::make(Engine::make(), files, {}));
  Sources& sources = session.sources();
  std::string out = "{";
  try {
    std::vector<SourceId> blobs;
    for (std::string name; words >> name;) blobs.push_back(sources.add(name, files->read(name).value()));
    cloudinit::Flattener flattener(session, nullptr);
    out += "\"parts\": [";
    bool first = true;
    const auto wanted = cloudinit::launch_index(index);
    for (const cloudinit::Part& part : flattener.flatten(blobs, wanted)) {
      if (is_for_another(sources, part, wanted, session.limits())) continue;
      out += first ? "[" : ", [";
      first = false;
      text::append_json_text(out, part.type);
      out += ", ";
      text::append_json_text(out, part.name);
      out += ", \"" + base64_encode(sources.text(part.source)) + "\", ";
      const std::string* merge = part.header("Merge-Type");
      if (merge == nullptr)
        out += "null";
      else
        text::append_json_text(out, *merge);
      out += "]";
    }
    out += "], \"warnings\": [";
    first = true;
    for (const Diagnostic& warning : session.diagnostics().warnings()) {
      if (!first) out += ", ";
      first = false;
      text::append_json_text(out, warning.code);
    }
    return out + "]}";
  } catch (const Error& error) {
    out = "{";
    append_member(out, "fatal", error.code());
    out += ", ";
    append_member(out, "message", error.what());
    return out + "}";
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << list(line) << std::endl;
}
