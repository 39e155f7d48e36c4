// SPDX-License-Identifier: Apache-2.0
#include "node_files.hpp"

#include "lookup_options.hpp"

namespace strata::hiera {

std::shared_ptr<const NodeFiles> node_files(detail::ViewState& view, const WantedModules& modules) {
  constexpr int kOwnRules = 5;
  std::vector<NodeFiles::File> out;
  const auto paths = std::make_shared<NodeFiles::Paths>();
  const bool is_known = each_location(view, modules, [&](const SearchedLocation& at) {
    if (at.layer.config->version != kOwnRules) return false;
    if (at.location.is_uri || at.location.path.empty()) return false;
    const DataFile* data = nullptr;
    if (DataSource* source = at.open()) {
      data = source->read_file();
      // A file of this node alone is not kept by the Snapshot, which remembers what is known of it.
      if (data == nullptr || !data->is_shared()) return false;
      if (const Entry* options = data->find(kLookupOptions);
          options != nullptr && data->content(*options) != Content::plain)
        return false;
    }
    out.push_back({.path = paths->emplace_back(at.location.path), .place = at.place, .data = data});
    return true;
  });
  if (!is_known || view.global()->config->version != kOwnRules) return nullptr;
  return std::make_shared<const NodeFiles>(view.session.shared_snapshot(), paths, view.directory.modules(),
                                           std::move(out));
}

}  // namespace strata::hiera
