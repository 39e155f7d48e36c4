#include "text/yaml/tape.hpp"

namespace strata::text {
namespace {

template <class Container>
void shrink_to(Container& container, std::size_t bytes) {
  if (container.capacity() * sizeof(container[0]) > bytes) Container().swap(container);
}

}  // namespace

void YamlTape::shrink(std::size_t bytes) {
  clear();
  shrink_to(entries_, bytes);
  shrink_to(properties_, bytes);
  shrink_to(ends_, bytes);
  shrink_to(own_, bytes);
}

}  // namespace strata::text
