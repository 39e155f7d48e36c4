// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include "transfer.hpp"

namespace strata::cloudinit {

std::string_view Body::bytes(const Sources& sources) const {
  return range_ ? sources.text(outer_).substr(range_->begin, range_->end - range_->begin) : std::string_view(text_);
}

Origin Body::origin(const Sources& sources) const {
  if (range_) return sources.at(outer_, range_->begin);
  return segments_.empty() ? sources.at(outer_, 0) : segments_.front().outer;
}

bool Body::is_whole(const Sources& sources) const {
  return range_ && range_->begin == 0 && range_->end == sources.text(outer_).size();
}

void Body::drop_line_end(const Sources& sources) {
  const std::size_t size = without_line_end(bytes(sources)).size();
  if (range_)
    range_->end = range_->begin + size;
  else
    text_.resize(size);
}

void Body::replace(std::string decoded) {
  text_ = std::move(decoded);
  range_.reset();
  segments_.clear();
}

SourceId Body::source(Sources& sources, const std::string& part) {
  if (!source_) {
    if (is_whole(sources)) {
      source_ = outer_;
    } else if (range_) {
      source_ = sources.add_excerpt(outer_, part, range_->begin, range_->end);
    } else if (segments_.empty()) {
      source_ = sources.add_decoded(outer_, part, text_);
    } else {
      source_ = sources.add_derived(outer_, part, text_, segments_);
    }
  }
  return *source_;
}

std::string_view Message::payload(const Sources& sources) {
  if (is_container) return {};
  if (is_encoded) {
    const std::string* encoding = find_header(headers, "Content-Transfer-Encoding");
    const Transfer transfer = encoding == nullptr ? Transfer::identity : transfer_of(*encoding);
    if (transfer != Transfer::identity) {
      body.replace(decode_transfer(body.bytes(sources), transfer));
      may_be_damaged = false;
    }
    is_encoded = false;
  }
  return body.bytes(sources);
}

}  // namespace strata::cloudinit
