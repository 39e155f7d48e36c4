// SPDX-License-Identifier: Apache-2.0
#include <yaml.h>

#include <cmath>
#include <new>
#include <string>
#include <string_view>

#include "ruby/psych_style.hpp"
#include "ruby/ruby.hpp"
#include "ruby/unicode.hpp"
#include "ruby/yaml_scalar.hpp"
#include "strata/scalar_text.hpp"
#include "strata/text.hpp"
#include "value/growth_charge.hpp"

namespace strata::ruby {
namespace {

/// libyaml's emitter with Psych's settings. It fails for lack of memory only.
class Emitter {
 public:
  explicit Emitter(std::string& out) : out_(out) {
    if (yaml_emitter_initialize(&emitter_) == 0) throw std::bad_alloc();
    yaml_emitter_set_output(&emitter_, append, &out);
    yaml_emitter_set_unicode(&emitter_, 1);
  }
  ~Emitter() { yaml_emitter_delete(&emitter_); }
  Emitter(const Emitter&) = delete;
  Emitter& operator=(const Emitter&) = delete;

  void begin() {
    emit(yaml_stream_start_event_initialize(&event_, YAML_UTF8_ENCODING));
    emit(yaml_document_start_event_initialize(&event_, nullptr, nullptr, nullptr, 0));
  }
  void end() {
    emit(yaml_document_end_event_initialize(&event_, 1));
    emit(yaml_stream_end_event_initialize(&event_));
  }
  void begin_sequence() {
    emit(yaml_sequence_start_event_initialize(&event_, nullptr, nullptr, 1, YAML_BLOCK_SEQUENCE_STYLE));
  }
  void end_sequence() { emit(yaml_sequence_end_event_initialize(&event_)); }
  void begin_mapping() {
    emit(yaml_mapping_start_event_initialize(&event_, nullptr, nullptr, 1, YAML_BLOCK_MAPPING_STYLE));
  }
  void end_mapping() { emit(yaml_mapping_end_event_initialize(&event_)); }

  /// May the tag be left out where the scalar is plain, and where it is quoted?
  struct Implicit {
    bool plain = true;
    bool quoted = false;
  };
  /// `tag`: null for none. The text must be UTF-8.
  void scalar(std::string_view text, yaml_scalar_style_t style, Implicit implicit, const char* tag = nullptr) {
    emit(yaml_scalar_event_initialize(&event_, nullptr, bytes(tag), bytes(text.empty() ? "" : text.data()),
                                      static_cast<int>(text.size()), implicit.plain ? 1 : 0, implicit.quoted ? 1 : 0,
                                      style));
  }

 private:
  static const yaml_char_t* bytes(const char* text) noexcept { return reinterpret_cast<const yaml_char_t*>(text); }
  static int append(void* out, unsigned char* buffer, std::size_t size) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(buffer), size);
    return 1;
  }
  /// Writes `event_`, which the emitter then owns. `made`: what making it gave.
  void emit(int made) {
    if (made == 0 || yaml_emitter_emit(&emitter_, &event_) == 0) throw std::bad_alloc();
    growth_.look(out_.size());
  }

  std::string& out_;
  detail::GrowthCharge growth_;
  yaml_emitter_t emitter_{};
  yaml_event_t event_{};  ///< Here rather than on the stack, of which deep values need enough without it.
};

constexpr Emitter::Implicit kAnyStyle = {.plain = true, .quoted = true};
constexpr Emitter::Implicit kTagged = {.plain = false, .quoted = false};

void write_text(Emitter& emitter, std::string_view text, Release release) {
  switch (psych_style(text, release)) {
    case PsychStyle::plain:
      return emitter.scalar(text, YAML_PLAIN_SCALAR_STYLE, kAnyStyle);
    case PsychStyle::single_quoted:
      return emitter.scalar(text, YAML_SINGLE_QUOTED_SCALAR_STYLE, kAnyStyle);
    case PsychStyle::double_quoted:
      return emitter.scalar(text, YAML_DOUBLE_QUOTED_SCALAR_STYLE, kAnyStyle);
    case PsychStyle::literal:
      return emitter.scalar(text, YAML_LITERAL_SCALAR_STYLE, kAnyStyle);
    case PsychStyle::tagged:
      return emitter.scalar(text, YAML_SINGLE_QUOTED_SCALAR_STYLE, kTagged, YAML_STR_TAG);
  }
}

/// Bytes are binary for Psych only where they are not ASCII.
YamlScalar form_of_bytes(std::string_view bytes, std::string& room) {
  if (is_ascii(bytes)) return {.text = bytes, .form = YamlScalar::Form::text};
  return {.text = room = base64_encode(bytes), .form = YamlScalar::Form::binary};
}

std::string yaml_float(double number) {
  return std::isfinite(number) ? float_text(number) : strata::float_text(number);
}

}  // namespace

YamlScalar yaml_scalar(const Value& value, std::string& room) {
  using enum YamlScalar::Form;
  switch (value.kind()) {
    case Kind::absent:
    case Kind::null:
      return {.text = {}, .form = null};
    case Kind::text:
      if (text::find_invalid_utf8(value.text()) != std::string_view::npos) return form_of_bytes(value.text(), room);
      return {.text = value.text(), .form = text};
    case Kind::binary:
      return form_of_bytes(value.text(), room);
    case Kind::object:
      if (const auto* symbol = dynamic_cast<const text::Symbol*>(&value.as_object()))
        return {.text = room = ":" + symbol->name(), .form = symbol_name};
      return {.text = room = value.as_object().to_string(), .form = text};
    case Kind::floating:
      return {.text = room = yaml_float(value.as_floating()), .form = plain};
    default:
      return {.text = room = scalar_text(value), .form = plain};
  }
}

namespace {

// Recursion: bounded by Limits::depth, which every maker of values keeps.
void write(Emitter& emitter, const Value& value, std::string& room, Release release) {
  if (value.is_sequence()) {
    emitter.begin_sequence();
    for (const Value& item : value.items()) write(emitter, item, room, release);
    return emitter.end_sequence();
  }
  if (value.is_container()) {
    emitter.begin_mapping();
    for (const Entry& entry : value.entries()) {
      write(emitter, entry.key, room, release);
      write(emitter, entry.value, room, release);
    }
    return emitter.end_mapping();
  }
  const YamlScalar scalar = yaml_scalar(value, room);
  switch (scalar.form) {
    case YamlScalar::Form::null:
      return emitter.scalar(scalar.text, YAML_ANY_SCALAR_STYLE, {}, YAML_NULL_TAG);
    case YamlScalar::Form::text:
      return write_text(emitter, scalar.text, release);
    case YamlScalar::Form::binary:
      return emitter.scalar(scalar.text, YAML_LITERAL_SCALAR_STYLE, kTagged, "!binary");
    case YamlScalar::Form::symbol_name:
      return emitter.scalar(scalar.text, YAML_ANY_SCALAR_STYLE, kAnyStyle);
    case YamlScalar::Form::plain:
      return emitter.scalar(scalar.text, YAML_ANY_SCALAR_STYLE, {});
  }
}

}  // namespace

std::string yaml(const Value& value, Release release) {
  std::string out;
  Emitter emitter(out);
  std::string room;
  emitter.begin();
  write(emitter, value, room, release);
  emitter.end();
  if (!out.ends_with('\n')) out += '\n';  // For libyaml a line may also end with U+2028 and the like.
  return out;
}

}  // namespace strata::ruby
