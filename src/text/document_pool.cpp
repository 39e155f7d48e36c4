// SPDX-License-Identifier: Apache-2.0
#include "strata/text.hpp"
#include "value/key_pool.hpp"

namespace strata::text {

struct DocumentPool::Keys : detail::KeyPool {};

DocumentPool::DocumentPool(std::shared_ptr<Arena> nodes, std::shared_ptr<Arena> keys)
    : arena_(std::move(nodes)), keys_(std::move(keys)), known_(std::make_unique<Keys>()) {}

DocumentPool::~DocumentPool() = default;

Value DocumentPool::key(std::string_view text) { return known_->key(*keys_, text); }

Value DocumentPool::key(const Value& text) { return known_->key(*keys_, text); }

}  // namespace strata::text
