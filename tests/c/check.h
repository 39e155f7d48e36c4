// SPDX-License-Identifier: Apache-2.0
/* What the programs of this folder share: a check that says where it failed. */
#ifndef STRATA_TESTS_C_CHECK_H
#define STRATA_TESTS_C_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "strata/strata.h"

static int failures = 0;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);        \
      ++failures;                                                            \
    }                                                                        \
  } while (0)

static inline int text_is(strata_text text, const char* expected) {
  return text.data != NULL && text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0 && text.data[text.size] == '\0';
}
static inline int text_has(strata_text text, const char* part) { return text.data != NULL && strstr(text.data, part) != NULL; }

/* A call that must fail so: checks and frees the error. */
static inline void must_fail(const char* file, int line, strata_status status, strata_error* error, strata_status expected, const char* code) {
  if (status != expected || error == NULL || !text_is(strata_error_code(error), code) || strata_error_message(error).size == 0 ||
      !text_has(strata_error_json(error), code) || !text_has(strata_error_format(error), code)) {
    fprintf(stderr, "%s:%d: status %d, expected %d with %s: %s\n", file, line, (int)status, (int)expected, code,
            error == NULL ? "no error" : strata_error_format(error).data);
    ++failures;
  }
  strata_error_free(error);
}
/* `call` uses the variable `error`. */
#define MUST_FAIL(expected, code, call)                          \
  do {                                                           \
    strata_error* error = (strata_error*)&failures;              \
    const strata_status status = (call);                         \
    must_fail(__FILE__, __LINE__, status, error, expected, code); \
  } while (0)

static inline strata_project* opened(const char* options) {
  strata_project* project = NULL;
  strata_error* error = NULL;
  if (strata_project_open(strata_text_of(options), NULL, &project, &error) != STRATA_OK) {
    fprintf(stderr, "cannot open %s: %s\n", options, strata_error_format(error).data);
    exit(2);
  }
  return project;
}

#endif
