// SPDX-License-Identifier: Apache-2.0
// Saving a draft: the only thing that writes.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "service/explore/answers.hpp"
#include "service/explore/handlers.hpp"
#include "service/json.hpp"
#include "service/sites/files.hpp"
#include "strata/file_bounds.hpp"
#include "tree/sha256.hpp"

namespace strata::service::explore {

Response save_file(const Call& call, Source& source) {
  const auto refuse = [](unsigned status, std::string code, std::string message, std::string hint) {
    throw Refused({.status = status,
                   .code = std::move(code),
                   .message = std::move(message),
                   .hint = std::move(hint),
                   .type = "",
                   .headers = {}});
  };
  if (!source.is_writable(call, call[0])) {
    refuse(403, "service.forbidden", "this explorer writes no files", "strata explore --write lets pages save");
  }
  const auto view = source.view(call, call[0], {});
  const std::string path = view->editable_path(call[1]);
  sites::check_path(std::string_view(path).substr(1));
  const JsonBody json = read_json_body(call);
  const Value* text = json.root().is_mapping() ? json.root().find("text") : nullptr;
  if (text == nullptr || !text->is_text()) throw Error("request.body", "the body is an object with 'text'");
  const std::string* expected = call.request.headers.find("If-Match");
  if (expected == nullptr)
    refuse(428, "request.precondition", "If-Match says which text the draft began from",
           "If-Match: \"SHA256\", or * for a new file");
  if (!view->takes(path, call.stop))
    throw Error("explore.file", fmt::format("the project reads no file '{}'", view->shown(path)))
        .hint("pages save what the project reads as configuration");
  // As it is on the disk now, not as it was at the first request.
  const auto tree =
      bounded_tree(std::make_shared<const FileBounds>(std::vector{view->form().root}, std::vector<std::string>()));
  for (std::size_t slash = path.rfind('/'); slash != 0 && slash != std::string::npos;
       slash = path.rfind('/', slash - 1)) {
    const std::string above = path.substr(0, slash);
    if (above.size() <= view->form().root.size()) break;
    if (tree->kind(above) == FileKind::file) sites::refuse_folder(view->shown(above), view->shown(path));
  }
  const FileKind kind = tree->kind(path);
  if (kind != FileKind::none && kind != FileKind::file)
    throw Error("request.path", fmt::format("'{}' is not a file", view->shown(path)));
  const std::optional<std::string> now = kind == FileKind::file ? tree->read(path) : std::nullopt;
  const std::string tag = now ? '"' + sha256_text(*now) + '"' : std::string("*");
  if (*expected != tag) {
    Response out = problem_response(
        call.request, {.status = 412,
                       .code = "request.precondition",
                       .message = now ? "the file has another content now" : "there is no such file any more",
                       .hint = "",
                       .type = "",
                       .headers = {}});
    out.body.insert(out.body.rfind('}'),
                    fmt::format(R"(, "errors": [], "sha256": {})", now ? tag : std::string("null")));
    return out;
  }
  source.write(call, *view, path, now, std::string(text->text()));
  Arena arena;
  MappingBuilder out(arena);
  out.insert("file", arena.text(view->shown(path)));
  out.insert("sha256", arena.text(sha256_text(text->text())));
  out.insert("generation", Value::integer(source.generation(call)));
  return json_response(out.finish());
}

}  // namespace strata::service::explore
