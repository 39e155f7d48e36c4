// SPDX-License-Identifier: Apache-2.0
#include "text/yaml/tape.hpp"

namespace strata::text {
namespace {

template <class Container>
void shrink_to(Container& container, std::size_t bytes) {
  if (container.capacity() * sizeof(container[0]) > bytes) Container().swap(container);
}

}  // namespace

void YamlTape::begin_chunk() {
  // A bomb of small nodes would fill the memory before the reader sees the first one.
  if (chunk_ == kMost || (stop_ != nullptr && stop_->is_due())) {
    is_full_ = true;
    if (chunk_ != 0) --chunk_;
  }
  // Not initialised: each entry is written before it is read.
  if (chunk_ == chunks_.size())
    chunks_.push_back(std::unique_ptr<Entry[]>(new Entry[kChunk]));  // NOLINT(modernize-avoid-c-arrays)
  write_ = chunks_[chunk_++].get();
  write_end_ = write_ + kChunk;
}

void YamlTape::shrink(std::size_t bytes) {
  clear();
  const std::size_t chunks = bytes / (kChunk * sizeof(Entry));
  if (chunks_.size() > chunks) chunks_.resize(chunks);
  shrink_to(properties_, bytes);
  shrink_to(ends_, bytes);
  shrink_to(own_, bytes);
}

}  // namespace strata::text
