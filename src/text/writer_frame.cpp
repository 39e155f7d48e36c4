// SPDX-License-Identifier: Apache-2.0
#include "writer_frame.hpp"

#include <vector>

#include "strata/path.hpp"

namespace strata::text {

std::string place_of(const WriterFrame* frame) {
  if (frame == nullptr) return "at the top";
  std::vector<const WriterFrame*> frames;
  for (; frame != nullptr; frame = frame->parent) frames.push_back(frame);
  Path path;
  for (auto i = frames.rbegin(); i != frames.rend(); ++i) {
    if ((*i)->key != nullptr) {
      path.push(*(*i)->key);
    } else {
      path.push((*i)->index);
    }
  }
  return "at " + path.pointer();
}

}  // namespace strata::text
