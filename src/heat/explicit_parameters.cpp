// SPDX-License-Identifier: Apache-2.0
#include "heat/explicit_parameters.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "value/split_at.hpp"

namespace strata::heat {

Value explicit_parameters(Arena& arena, std::span<const std::string> words, Origin origin) {
  MappingBuilder parameters(arena);
  std::vector<std::optional<SequenceBuilder>> lists;  // The values of each parameter that is given several times.
  const auto single = words.size() == 1 ? detail::split_at(words.front(), ';')
                                        : std::vector<std::string_view>(words.begin(), words.end());
  for (const std::string_view word : single) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      throw Error("heat.parameter-word", fmt::format("malformed parameter '{}'", word)).hint("use the form KEY=VALUE");
    }
    const Value key = arena.key(word.substr(0, equals)).with_origin(origin);
    const Value value = arena.text(word.substr(equals + 1)).with_origin(origin);
    const std::size_t known = parameters.index_of(key);
    if (known == Arena::npos) {
      parameters.insert(key, value);
      lists.emplace_back();
      continue;
    }
    if (!lists[known]) {
      lists[known].emplace(arena, 2);
      lists[known]->append(parameters.entries()[known].value);
    }
    lists[known]->append(value);
  }
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (lists[i]) parameters.replace(i, lists[i]->finish().with_origin(origin));
  }
  return parameters.finish().with_origin(origin);
}

}  // namespace strata::heat
