#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <string_view>

#include "hiera/ruby/ruby.hpp"
#include "strata/error.hpp"
#include "strata/path.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"

namespace strata::hiera::ruby {
namespace {

class Writer {
 public:
  // Recursion: bounded by Limits::depth, which every maker of values keeps.
  void write(const Value& value) {
    switch (value.kind()) {
      case Kind::absent:
      case Kind::null:
        out_ += "null";
        return;
      case Kind::boolean:
      case Kind::integer:
      case Kind::big_integer:
        out_ += scalar_text(value);
        return;
      case Kind::floating:
        if (!std::isfinite(value.as_floating())) fail_not_finite(value.as_floating());
        out_ += float_text(value.as_floating());
        return;
      case Kind::text:
        return write_text(value.text());
      case Kind::binary:
        return write_bytes(value.text());
      case Kind::date:
      case Kind::timestamp:
      case Kind::object:
        return write_text(scalar_text(value));
      case Kind::sequence:
        return write_sequence(value);
      case Kind::mapping:
      case Kind::set:
        return write_mapping(value);
    }
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void write_sequence(const Value& sequence) {
    out_ += '[';
    std::size_t index = 0;
    for (const Value& item : sequence.items()) {
      if (index != 0) out_ += ',';
      path_.push(index++);
      write(item);
      path_.pop();
    }
    out_ += ']';
  }

  void write_mapping(const Value& mapping) {
    out_ += '{';
    bool first = true;
    for (const Entry& entry : mapping.entries()) {
      if (!first) out_ += ',';
      first = false;
      path_.push(entry.key);
      write_key(entry.key);
      out_ += ':';
      write(entry.value);
      path_.pop();
    }
    out_ += '}';
  }

  void write_key(const Value& key) {
    if (key.is_text()) return write_text(key.text());
    write_bytes(interpolated(key));
  }

  void write_text(std::string_view text) {
    std::string literal;  // Not `out_` itself: each call may fill what that has reserved.
    text::append_json_text(literal, text);
    out_ += literal;
  }

  void write_bytes(std::string_view bytes) {
    if (text::find_invalid_utf8(bytes) != std::string_view::npos) {
      throw Error("json.not-utf8", fmt::format("bytes {} that are not UTF-8 have no JSON form", place())).hint("use --render-as yaml");
    }
    write_text(bytes);
  }

  [[noreturn]] void fail_not_finite(double number) const {
    throw Error("json.not-finite", fmt::format("{} {} has no JSON form", float_text(number), place())).hint("use --render-as yaml");
  }

  [[nodiscard]] std::string place() const {
    const std::string pointer = path_.pointer();
    return pointer.empty() ? "at the top" : "at " + pointer;
  }

  std::string out_;
  Path path_;
};

}  // namespace

std::string json(const Value& value) {
  Writer writer;
  writer.write(value);
  std::string out = writer.take();
  out += '\n';
  return out;
}

}  // namespace strata::hiera::ruby
