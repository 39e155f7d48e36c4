// SPDX-License-Identifier: Apache-2.0
#include "service/explore/assets.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "service/entity_tags.hpp"
#include "service/packing.hpp"
#include "strata/error.hpp"
#include "strata/file_tree.hpp"
#include "tree/sha256.hpp"

namespace strata::service::explore {
namespace {

constexpr std::string_view kStartPage = "index.html";
constexpr std::string_view kIconType = "image/svg+xml";
/// What is not made with the pages.
constexpr std::array<std::string_view, 2> kTexts{"errors.md", "check.md"};

std::string_view asset_type(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTypes{
      {{".js", "text/javascript; charset=utf-8"},
       {".css", "text/css; charset=utf-8"},
       {".html", "text/html; charset=utf-8"},
       {".svg", kIconType}}};
  for (const auto& [end, type] : kTypes) {
    if (name.ends_with(end)) return type;
  }
  return "text/plain; charset=utf-8";
}

/// 304 where the client has the file; else the answer without a body.
Response head_of(const Call& call, const std::string& tag, std::string_view type) {
  Response out = tagged(call, tag, {});
  // Browsers ask for the icon again at each address: it alone stays as it is from one version to the next.
  out.headers.set("Cache-Control", type == kIconType ? "max-age=86400" : "no-cache");
  out.headers.add("Vary", "Accept-Encoding");
  if (out.status == 200) out.headers.set("Content-Type", std::string(type));
  return out;
}

Response from_folder(const Call& call, const std::string& folder, const std::string& name) {
  const std::optional<std::string> text = closed_tree(folder)->read(name);
  if (!text) throw Error("request.route", "the folder of the pages has no such file").in(name);
  Response out = head_of(call, entity_tag(*text), asset_type(name));
  if (out.status == 200) out.body = *text;
  return out;
}

}  // namespace

Response show_asset(const Call& call, const std::string& path, const std::string& folder) {
  if (!folder.empty()) {
    const bool is_file = path.find('/') == std::string::npos && !path.starts_with('.') &&
                         closed_tree(folder)->kind(path) == FileKind::file;
    if (is_file || std::ranges::find(kTexts, path) == kTexts.end())
      return from_folder(call, folder, is_file ? path : std::string(kStartPage));
  }
  const auto all = assets();
  auto found = std::ranges::find(all, std::string_view(path), &Asset::name);
  if (found == all.end()) found = std::ranges::find(all, kStartPage, &Asset::name);
  if (found == all.end()) {
    return {.status = 404,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"}, {"Cache-Control", "no-cache"}},
            .body =
                "this strata was built without the pages of the explorer; its requests are there: "
                "docs/service/explorer.md\n"};
  }
  const bool packs = takes_gzip(call.request);
  Response out = head_of(call, '"' + std::string(found->sha256) + (packs ? "" : "-plain") + '"', found->type);
  if (out.status != 200) return out;
  const std::string_view packed(reinterpret_cast<const char*>(found->packed.data()), found->packed.size());
  if (packs) out.headers.set("Content-Encoding", "gzip");
  out.body = packs ? std::string(packed) : unpacked(packed, SIZE_MAX).bytes;
  return out;
}

}  // namespace strata::service::explore
