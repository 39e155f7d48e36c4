// SPDX-License-Identifier: Apache-2.0
/* What the C interfaces have in common: strata/strata.h for programs that ask strata, strata/plugin.h for plugins that strata asks. C11. */
#ifndef STRATA_TYPES_H
#define STRATA_TYPES_H

/* NOLINTBEGIN: this is C. */

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* UTF-8 characters, or the bytes of a binary value. `data` may be NULL where `size` is 0. */
typedef struct strata_text {
  const char* data;
  size_t size;
} strata_text;

/* An immutable value. NULL is the absent value. */
typedef struct strata_value strata_value;

/* What a function has achieved. */
typedef int32_t strata_status;
#define STRATA_OK 0
#define STRATA_FAILED 1

/* The kinds of values. */
enum {
  STRATA_ABSENT = 0,
  STRATA_NULL = 1,
  STRATA_BOOLEAN = 2,
  STRATA_INTEGER = 3,
  STRATA_DOUBLE = 4,
  STRATA_TEXT = 5,
  STRATA_BINARY = 6,
  STRATA_BIG_INTEGER = 7, /* an integer that 64 bits do not hold: its text are its digits */
  STRATA_SEQUENCE = 8,
  STRATA_MAPPING = 9
};

#ifdef __cplusplus
}
#endif

/* NOLINTEND */

#endif
