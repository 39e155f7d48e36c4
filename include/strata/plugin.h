/* Plugins for strata: the C interface. A plugin is a shared library with the function strata_plugin_v1. strata/plugin.hpp makes C++ of it.
 *
 * strata runs a plugin in a process of its own, which may be ended at any time and started again: keep nothing that matters. One call runs at a time;
 * a call may begin while another one waits for what it has asked strata (inject, call_lambda). No exception may leave a function of the plugin.
 * Memory and time are bounded (docs/bindings/extensions.md). */
#ifndef STRATA_PLUGIN_H
#define STRATA_PLUGIN_H

/* NOLINTBEGIN: this is C. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Characters of UTF-8 (or bytes, of binary values); not ended by a zero. What strata gives out is valid as long as the value that it is of, names
 * until the call returns. */
typedef struct strata_text {
  const char* data;
  size_t size;
} strata_text;

/* A value; it never changes. Valid until the call that it was made or given in returns. NULL is the absent value: nil, nothing found. */
typedef struct strata_value strata_value;
/* What a call works for. Valid until it returns. */
typedef struct strata_context strata_context;
/* Where strata keeps what was registered. */
typedef struct strata_registrar strata_registrar;

typedef int32_t strata_status;
#define STRATA_OK 0
#define STRATA_FAILED 1

enum {
  STRATA_ABSENT = 0,
  STRATA_NULL = 1,
  STRATA_BOOLEAN = 2,
  STRATA_INTEGER = 3,
  STRATA_DOUBLE = 4,
  STRATA_TEXT = 5,
  STRATA_BINARY = 6,
  STRATA_BIG_INTEGER = 7, /* as_text gives its digits */
  STRATA_SEQUENCE = 8,
  STRATA_MAPPING = 9
};

enum {
  STRATA_PRODUCER = 1,     /* (arguments) -> value */
  STRATA_PROVIDER = 2,     /* ({layer, include, exclude}) -> [{document, bindings: [...]}]; its name is the scheme */
  STRATA_COMBINATOR = 3,   /* arrays: (memo, item), hashes: (key, current, value) -> value */
  STRATA_FUNCTION = 4,     /* (arguments ...) -> value */
  STRATA_TYPE = 5,         /* (arguments) -> what an instance holds */
  STRATA_QUERY_SERVICE = 6 /* ({type, where}) -> [{type, title, certname, ...}] */
};

/* Computes `result`, which may be NULL for nothing. STRATA_FAILED: `fail` of the host was called with the reason. */
typedef strata_status (*strata_call)(void* self, strata_context* context, const strata_value* const* arguments, size_t count,
                                     const strata_value** result);

/* One thing that a plugin offers. Texts are copied when it is registered. */
typedef struct strata_extension_v1 {
  uint32_t size; /* sizeof(strata_extension_v1) */
  uint32_t kind; /* STRATA_PRODUCER, ... */
  strata_text name;
  strata_text type;     /* of a producer: the type of what it produces; may be empty */
  strata_text parent;   /* of a type: the type that it extends; may be empty */
  int32_t is_singleton; /* of a producer: not 0 where it is asked once a binding */
  void* self;           /* given to `call` */
  strata_call call;
} strata_extension_v1;

/* What strata offers to a plugin. Later versions add members at the end: look at `size`. */
typedef struct strata_host_v1 {
  uint32_t size;
  strata_registrar* registrar;
  /* Only while strata_plugin_v1 runs. STRATA_FAILED: the name or kind is wrong, or was registered before. */
  strata_status (*add)(strata_registrar* registrar, const strata_extension_v1* extension);
  /* Why strata_plugin_v1 is going to fail. */
  void (*refuse)(strata_registrar* registrar, strata_text reason);

  /* Reading values. Each asks for a value of its kind; others give 0, an empty text, NULL. */
  int32_t (*kind)(const strata_value* value);
  int32_t (*as_boolean)(const strata_value* value);
  int64_t (*as_integer)(const strata_value* value);
  double (*as_double)(const strata_value* value);
  strata_text (*as_text)(const strata_value* value);
  size_t (*count)(const strata_value* value);                              /* items, entries */
  const strata_value* (*item)(const strata_value* sequence, size_t index); /* of a mapping: the value of that entry */
  const strata_value* (*key)(const strata_value* mapping, size_t index);
  const strata_value* (*member)(const strata_value* mapping, strata_text key);

  /* Making values. NULL where it cannot be made: text that is not UTF-8, an absent item or key, no memory. */
  const strata_value* (*make_null)(strata_context* context);
  const strata_value* (*make_boolean)(strata_context* context, int32_t value);
  const strata_value* (*make_integer)(strata_context* context, int64_t value);
  const strata_value* (*make_double)(strata_context* context, double value);
  const strata_value* (*make_text)(strata_context* context, strata_text text);
  const strata_value* (*make_binary)(strata_context* context, strata_text bytes);
  const strata_value* (*make_sequence)(strata_context* context, const strata_value* const* items, size_t count);
  const strata_value* (*make_mapping)(strata_context* context, const strata_value* const* keys, const strata_value* const* values, size_t count);

  /* Asking strata. STRATA_FAILED: `last_error` says why. */
  strata_status (*inject)(strata_context* context, strata_text type, strata_text name, const strata_value** result); /* empty type: Data */
  strata_status (*call_lambda)(strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result);
  int32_t (*has_lambda)(strata_context* context);
  const strata_value* (*facts)(strata_context* context);
  strata_text (*environment)(strata_context* context);
  const strata_value* (*binding)(strata_context* context); /* {name, type, file, line} */
  void (*warn)(strata_context* context, strata_text message);
  strata_text (*last_error)(strata_context* context);
  /* Why the call is going to return STRATA_FAILED. `file` may be empty and `line` 0. */
  void (*fail)(strata_context* context, strata_text message, strata_text file, uint32_t line);
} strata_host_v1;

/* The plugin's function: registers what it offers. `host` stays valid as long as the process lives. */
typedef strata_status (*strata_plugin_v1_function)(const strata_host_v1* host);
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
strata_status
strata_plugin_v1(const strata_host_v1* host);

#ifdef __cplusplus
}
#endif

/* NOLINTEND */

#endif
