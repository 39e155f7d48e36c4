#include "service/streaming.hpp"

#include <chrono>
#include <memory>
#include <utility>

#include "service/json.hpp"
#include "strata/builder.hpp"
#include "strata/error.hpp"
#include "strata/stop.hpp"
#include "strata/text.hpp"

namespace strata::service {
namespace {

constexpr std::chrono::minutes kLongest{10};

}  // namespace

void Pieces::push(std::string_view piece) {
  if (!channel_.push(piece)) throw Error("service.gone", "nobody reads the answer any more");
}

Response streamed(std::string content_type, std::function<void(Pieces&, const Stop&)> make, std::function<std::string(const Error&)> failed) {
  auto channel = std::make_shared<Channel>();
  Response out{.status = 200, .headers = {{"Content-Type", std::move(content_type)}}, .stream = channel};
  out.make = [channel, make = std::move(make), failed = std::move(failed)] {
    const auto stop = std::make_shared<Stop>(Stop::Clock::now() + kLongest);
    channel->on_gone([stop] { stop->cancel(); });
    Pieces pieces(*channel);
    try {
      make(pieces, *stop);
    } catch (const Error& error) {
      (void)channel->push(failed(error));
    } catch (const std::exception& failure) {
      (void)channel->push(failed(Error("service.internal", failure.what())));
    }
    channel->close();
  };
  return out;
}

std::string error_line(const Error& error) {
  Arena arena;
  const Value failure = json_object(arena, {{"code", arena.text(error.code())}, {"detail", arena.text(error.what())}});
  return text::write_json(json_object(arena, {{"error", failure}}), {.indent = -1});
}

}  // namespace strata::service
