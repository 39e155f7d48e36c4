// SPDX-License-Identifier: Apache-2.0
/* The C interface of plugins. A plugin is a shared library with the function strata_plugin_v1. strata/plugin.hpp is the interface for C++.
 *
 * strata runs each plugin in its own process and may end and restart that process at any time: do not keep state that matters. One call runs at a
 * time. While a call waits for strata (inject, call_lambda), another call may begin. Functions of the plugin must not throw exceptions. Memory and
 * time are limited (docs/bindings/extensions.md). */
#ifndef STRATA_PLUGIN_H
#define STRATA_PLUGIN_H

/* NOLINTBEGIN: this is C. */

#include <stddef.h>
#include <stdint.h>

#include "strata/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values that are made or received in a call, their texts, and names are valid until the call returns. The absent value is nil: nothing found. Texts are not
 * terminated by a zero. */

/* The context of a call. Valid until the call returns. */
typedef struct strata_context strata_context;
/* Holds what a plugin has registered. */
typedef struct strata_registrar strata_registrar;

enum {
  STRATA_PRODUCER = 1,     /* (arguments) -> value */
  STRATA_PROVIDER = 2,     /* ({layer, include, exclude}) -> [{document, bindings: [...]}]; its name is the scheme */
  STRATA_COMBINATOR = 3,   /* arrays: (memo, item), hashes: (key, current, value) -> value */
  STRATA_FUNCTION = 4,     /* (arguments ...) -> value */
  STRATA_TYPE = 5,         /* (arguments) -> the contents of an instance */
  STRATA_QUERY_SERVICE = 6 /* ({type, where}) -> [{type, title, certname, ...}] */
};

/* Computes `result`; NULL means no result. Before it returns STRATA_FAILED, it must call `fail` of the host with the reason. */
typedef strata_status (*strata_call)(void* self, strata_context* context, const strata_value* const* arguments, size_t count,
                                     const strata_value** result);

/* One extension of a plugin. Its texts are copied when it is registered. */
typedef struct strata_extension_v1 {
  uint32_t size; /* sizeof(strata_extension_v1) */
  uint32_t kind; /* STRATA_PRODUCER, ... */
  strata_text name;
  strata_text type;     /* producer: the type of its values; may be empty */
  strata_text parent;   /* type: the type that it extends; may be empty */
  int32_t is_singleton; /* producer: not 0 if it is called once per binding */
  void* self;           /* passed to `call` */
  strata_call call;
} strata_extension_v1;

/* The functions of strata for a plugin. Later versions add members at the end: check `size`. */
typedef struct strata_host_v1 {
  uint32_t size;
  strata_registrar* registrar;
  /* Call it only while strata_plugin_v1 runs. STRATA_FAILED: the name or kind is invalid, or already registered. */
  strata_status (*add)(strata_registrar* registrar, const strata_extension_v1* extension);
  /* Gives the reason before strata_plugin_v1 returns STRATA_FAILED. */
  void (*refuse)(strata_registrar* registrar, strata_text reason);

  /* Reading values. For a value of another kind, each function returns 0, an empty text or NULL. */
  int32_t (*kind)(const strata_value* value);
  int32_t (*as_boolean)(const strata_value* value);
  int64_t (*as_integer)(const strata_value* value);
  double (*as_double)(const strata_value* value);
  strata_text (*as_text)(const strata_value* value);
  size_t (*count)(const strata_value* value);                              /* items, entries */
  const strata_value* (*item)(const strata_value* sequence, size_t index); /* for a mapping: the value of that entry */
  const strata_value* (*key)(const strata_value* mapping, size_t index);
  const strata_value* (*member)(const strata_value* mapping, strata_text key);

  /* Making values. NULL if the value cannot be made: text is not UTF-8, an item or key is absent, memory is exhausted. */
  const strata_value* (*make_null)(strata_context* context);
  const strata_value* (*make_boolean)(strata_context* context, int32_t value);
  const strata_value* (*make_integer)(strata_context* context, int64_t value);
  const strata_value* (*make_double)(strata_context* context, double value);
  const strata_value* (*make_text)(strata_context* context, strata_text text);
  const strata_value* (*make_binary)(strata_context* context, strata_text bytes);
  const strata_value* (*make_sequence)(strata_context* context, const strata_value* const* items, size_t count);
  const strata_value* (*make_mapping)(strata_context* context, const strata_value* const* keys, const strata_value* const* values, size_t count);

  /* Calls to strata. STRATA_FAILED: `last_error` gives the reason. */
  strata_status (*inject)(strata_context* context, strata_text type, strata_text name, const strata_value** result); /* empty type: Data */
  strata_status (*call_lambda)(strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result);
  int32_t (*has_lambda)(strata_context* context);
  const strata_value* (*facts)(strata_context* context);
  strata_text (*environment)(strata_context* context);
  const strata_value* (*binding)(strata_context* context); /* {name, type, file, line} */
  void (*warn)(strata_context* context, strata_text message);
  strata_text (*last_error)(strata_context* context);
  /* Gives the reason before the call returns STRATA_FAILED. `file` may be empty and `line` 0. */
  void (*fail)(strata_context* context, strata_text message, strata_text file, uint32_t line);
} strata_host_v1;

/* The entry function of a plugin: registers its extensions. `host` is valid until the process ends. */
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
