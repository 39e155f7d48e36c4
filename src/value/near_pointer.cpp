// SPDX-License-Identifier: Apache-2.0
// Finds the path that someone meant who wrote a name, or a path with a typing error. First the whole tree is searched
// for paths that end in what was written, breadth first, so that the shortest one wins. Then the path is followed as
// far as it leads, and each key that is missing is replaced by the most similar one. At last, a key of this name or a
// similar one is searched anywhere. The search visits a bounded number of nodes. Test: tests/value/path_test.cpp.
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "strata/near_names.hpp"
#include "strata/path.hpp"

namespace strata {
namespace {

constexpr std::size_t kMostVisited = 20'000;

struct VisitedNode {
  Value value;
  std::vector<std::string> tokens;
};

/// Calls `visit(tokens)` for each path, the shortest ones first, until it returns true. Nothing below a secret.
template <class Visit>
void each_path(const Value& root, const Visit& visit) {
  std::deque<VisitedNode> waiting{{root, {}}};
  for (std::size_t visited = 0; !waiting.empty() && visited < kMostVisited; ++visited) {
    const VisitedNode node = std::move(waiting.front());
    waiting.pop_front();
    if (!node.tokens.empty() && visit(node.tokens)) return;
    if (node.value.is_secret() || !node.value.is_container()) continue;
    for (std::size_t i = 0; i < node.value.size() && waiting.size() < kMostVisited; ++i) {
      std::vector<std::string> tokens = node.tokens;
      const bool is_list = node.value.is_sequence();
      tokens.push_back(is_list ? std::to_string(i) : key_text(node.value.entries()[i].key));
      waiting.push_back({is_list ? node.value.items()[i] : node.value.entries()[i].value, std::move(tokens)});
    }
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == separator) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

std::string ending_in(const Value& root, const std::vector<std::string>& wanted) {
  std::string out;
  each_path(root, [&](const std::vector<std::string>& tokens) {
    if (tokens.size() < wanted.size() || !std::equal(wanted.rbegin(), wanted.rend(), tokens.rbegin())) return false;
    out = pointer_of(tokens);
    return true;
  });
  return out;
}

std::string corrected(const Value& root, std::vector<std::string> tokens) {
  Value here = root;
  for (std::string& token : tokens) {
    if (!here.is_container() || here.is_secret()) return {};
    std::size_t index = index_of_token(here, token);
    if (index == Arena::npos) {
      if (here.is_sequence()) return {};
      std::vector<std::string> keys;
      for (const Entry& entry : here.entries()) keys.push_back(key_text(entry.key));
      const std::vector<std::string_view> names(keys.begin(), keys.end());
      const std::string_view near = nearest_name(names, token);
      if (near.empty()) return {};
      index = static_cast<std::size_t>(std::ranges::find(names, near) - names.begin());
      token = near;
    }
    here = here.is_sequence() ? here.items()[index] : here.entries()[index].value;
  }
  return pointer_of(tokens);
}

std::string with_similar_key(const Value& root, const std::string& wanted) {
  std::vector<std::vector<std::string>> paths;
  each_path(root, [&paths](const std::vector<std::string>& tokens) {
    paths.push_back(tokens);
    return false;
  });
  std::vector<std::string_view> names;
  names.reserve(paths.size());
  for (const auto& path : paths) names.push_back(path.back());
  const std::string_view near = nearest_name(names, wanted);
  if (near.empty()) return {};
  return pointer_of(paths[static_cast<std::size_t>(std::ranges::find(names, near) - names.begin())]);
}

}  // namespace

std::string near_pointer(const Value& root, std::string_view wanted) {
  std::vector<std::vector<std::string>> readings;
  if (wanted.starts_with('/')) {
    readings.push_back(parse_pointer(wanted));
  } else {
    readings.push_back(split(wanted, '/'));
    if (readings.back().size() == 1 && wanted.find('.') != std::string_view::npos)
      readings.push_back(split(wanted, '.'));
  }
  for (const auto& tokens : readings) {
    if (std::string found = ending_in(root, tokens); !found.empty()) return found;
  }
  for (const auto& tokens : readings) {
    if (std::string found = corrected(root, tokens); !found.empty()) return found;
  }
  return with_similar_key(root, readings.back().back());
}

}  // namespace strata
