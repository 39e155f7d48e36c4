// SPDX-License-Identifier: Apache-2.0
#include "service/streaming.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "service/json.hpp"
#include "service/packing.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::minutes kLongestStream{10};

}  // namespace

Pieces::Pieces(Channel& channel, bool packs)
    : channel_(channel), packer_(packs ? std::make_unique<Packer>() : nullptr) {}
Pieces::~Pieces() = default;

void Pieces::push(std::string_view piece) {
  std::string packed;
  if (packer_ != nullptr) {
    packed = packer_->add(piece);
    if (packed.empty()) return;  // It waits for more.
    piece = packed;
  }
  if (!channel_.push(piece)) throw Error("service.gone", "nobody reads the answer any more");
}

void Pieces::finish(std::string_view piece) noexcept {
  try {
    if (packer_ != nullptr) {
      (void)channel_.push(packer_->add(piece, true));
    } else if (!piece.empty()) {
      (void)channel_.push(piece);
    }
  } catch (const std::exception&) {
    // Without its end, what was sent is noticed to be a part.
  }
  channel_.close();
}

Response streamed(std::string content_type, std::function<void(Pieces&, const Stop&)> make,
                  std::function<std::string(const Error&)> failed, bool packs) {
  auto channel = std::make_shared<Channel>();
  Response out{.status = 200, .headers = {{"Content-Type", std::move(content_type)}}, .stream = channel};
  if (packs) {
    out.headers.set("Content-Encoding", "gzip");
    out.headers.add("Vary", "Accept-Encoding");
  }
  out.make = [channel, packs, make = std::move(make), failed = std::move(failed)] {
    const auto stop = std::make_shared<Stop>(Stop::Clock::now() + kLongestStream);
    channel->on_gone([stop] { stop->cancel(); });
    Pieces pieces(*channel, packs);
    std::string last;
    try {
      make(pieces, *stop);
    } catch (const Error& error) {
      last = failed(error);
    } catch (const std::exception& failure) {
      last = failed(Error("service.internal", failure.what()));
    } catch (...) {  // One answer must not end the service.
      last = failed(Error("service.internal", "something was thrown that is no exception"));
    }
    pieces.finish(last);
  };
  return out;
}

std::string error_line(const Error& error) {
  Arena arena;
  const Value failure = json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}});
  return text::write_json(json_object(arena, {{"error", failure}}), {.indent = -1});
}

}  // namespace strata::service
