// SPDX-License-Identifier: Apache-2.0
/* The C interface of strata: questions about layered configuration, their answers, and where every value came from.
 *
 *     strata_project* fleet = NULL;
 *     strata_error* error = NULL;
 *     if (strata_project_open(strata_text_of("{\"project\": \"@fleet\"}"), NULL, &fleet, &error) != STRATA_OK) ...
 *
 * Manual: docs/library/c.md. C11; works in C++, too. Binary compatible within a major version of the library (libstrata.so.1).
 *
 * Rules that hold for every function:
 * - What is passed in stays the caller's, and is copied where strata keeps it.
 * - What comes out of a handle lives as long as the handle.
 * - Each handle that a function gives out is freed once, by the function that is named like it and ends in _free. That function does nothing with NULL.
 * - Texts are UTF-8 with their size. Those from strata are also followed by a zero, which the size does not count.
 * - A text that strata cannot make, because memory is exhausted or the value has no such form (JSON of an infinite number), has NULL data.
 * - No callback is called after the function that took it has returned.
 * - Functions that return a strata_status take `error` last. It may be NULL. Where they fail, and it is not NULL, they set it to a handle, which the
 *   caller frees; where they succeed, to NULL. Where they fail, they set what they would have given out to NULL.
 * - Nothing is thrown, and nothing changes in the process: no signal handlers, no locale, no environment variables, no working directory, no output. The
 *   process is not ended.
 * - strata_project and strata_result may be used by any number of threads at once, strata_cancel too; strata_error by one at a time. A function that
 *   frees a handle must be the last one that uses it.
 * - A thread that calls needs 64 KiB of stack. What needs more is done on a thread of strata's, which may call `strata_files` and `strata_console`.
 * - A process that forks may go on with its handles in the child, if no other thread was in a function of strata. */
#ifndef STRATA_STRATA_H
#define STRATA_STRATA_H

/* NOLINTBEGIN: this is C. */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "strata/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(STRATA_C_BUILD) && defined(__GNUC__)
#define STRATA_API __attribute__((visibility("default")))
#else
#define STRATA_API
#endif

/* Further values of strata_status; STRATA_OK and STRATA_FAILED (the input is wrong: see the error) are in types.h. */
#define STRATA_NOT_FOUND 2 /* there is no value; the error says where it was looked for */
#define STRATA_MISUSE 3    /* the call is wrong: NULL where a handle must be, options that are not what the manual says */
#define STRATA_CANCELLED 4 /* by a strata_cancel, or by a callback */
#define STRATA_NO_MEMORY 5
#define STRATA_BUG 70 /* a bug in strata. The handle then answers nothing but its _free. */

/* Further kinds of values. */
enum {
  STRATA_DATE = 10,      /* see strata_value_time */
  STRATA_TIMESTAMP = 11, /* see strata_value_time */
  STRATA_SET = 12        /* of its keys; their values are null */
};

/* The version of the interface: raised with each function that is added. */
#define STRATA_ABI_VERSION 1
/* The number behind libstrata.so: raised where programs must be compiled anew. */
#define STRATA_SONAME 1

typedef struct strata_project strata_project; /* a question, and one state of the files that it reads */
typedef struct strata_result strata_result;   /* an answer; immutable */
typedef struct strata_error strata_error;     /* why there is none */
typedef struct strata_cancel strata_cancel;   /* ends calls from another thread */

/* The text of a string that ends in a zero. NULL: an empty text. */
static inline strata_text strata_text_of(const char* string) {
  strata_text text;
  text.data = string;
  text.size = string == NULL ? 0 : strlen(string);
  return text;
}

/* STRATA_ABI_VERSION of the library. */
STRATA_API uint32_t strata_abi_version(void);
/* The version of strata: 0.1.0. */
STRATA_API strata_text strata_version(void);

/* Files of the caller, in place of those of the host. Later versions add members at the end. All functions may be called by several threads at once, and
 * must not call functions of strata with the project. Paths are absolute. */
typedef struct strata_files {
  uint32_t size; /* sizeof(strata_files) */
  void* self;    /* passed to the functions */
  /* Sets `text` to the bytes of a file. Not 0: there is no such file. */
  int32_t (*read)(void* self, strata_text path, strata_text* text);
  /* 0: nothing is there; 1: a file; 2: a folder. */
  int32_t (*kind)(void* self, strata_text path);
  /* Calls `add` with each name in a folder, in any order. */
  void (*list)(void* self, strata_text path, void (*add)(void* into, strata_text name), void* into);
  /* Is given each text that `read` has set, once strata has copied it. May be NULL. */
  void (*release_text)(void* self, strata_text text);
} strata_files;

/* Opens a project: the question of its options about its files. Reads what says which question it is; data are read when they are asked for.
 * `options`: JSON, see docs/library/c.md: {"project": "@NAME"}; or {"verb": ..., OPTION: ...} as in .strata.yaml; or {"words": [...]}.
 * `files`: NULL for the host. It is copied; `self` must stay valid as long as the project. */
STRATA_API strata_status strata_project_open(strata_text options, const strata_files* files, strata_project** project, strata_error** error);
STRATA_API void strata_project_free(strata_project* project);
/* Looks at the files anew. Calls that began before go on with the state that they began with. */
STRATA_API strata_status strata_project_refresh(strata_project* project, strata_error** error);
/* The same project in its present state of the files: to refresh one of the two leaves the other as it is. For many questions about one state, while others
 * want the newest. It costs nothing, and is freed with strata_project_free. */
STRATA_API strata_status strata_project_copy(strata_project* project, strata_project** copy, strata_error** error);

/* Calls `each` with the name of each subject (node, site, machine), in their order. A question with one subject has the name "". If `each` returns
 * another value than 0, it is not called again, and the status is STRATA_CANCELLED. */
STRATA_API strata_status strata_project_subjects(strata_project* project, int32_t (*each)(void* self, strata_text name), void* self,
                                                 strata_error** error);
STRATA_API strata_status strata_project_subjects_with_cancel(strata_project* project, int32_t (*each)(void* self, strata_text name), void* self,
                                                             strata_cancel* cancel, strata_error** error);

/* The result of a subject.
 * `subject`: a name; empty for the only one; or a node that the project does not list, as JSON: {"name": ..., "facts": {...}, "trusted": {...}}.
 * `query`: JSON: {"keys": [...], "merge": ..., "default": ..., "history": true, "cleartext": true}. Empty: the whole result.
 * `cancel`: may be NULL. The call ends within 100 milliseconds after it was triggered. */
STRATA_API strata_status strata_project_get(strata_project* project, strata_text subject, strata_text query, strata_cancel* cancel,
                                            strata_result** result, strata_error** error);
/* The same result, if an earlier call has worked it out and it is still kept; otherwise `result` is set to NULL, and the status is STRATA_OK. Neither reads
 * files nor works anything out: for hosts that do on another thread what takes long. */
STRATA_API strata_status strata_project_known(strata_project* project, strata_text subject, strata_text query, strata_result** result,
                                              strata_error** error);
/* The results of all subjects, in their order, worked out by all cores. `each` has either a result or an error, which last until it returns. Other values
 * than 0 end the call as in strata_project_subjects. */
STRATA_API strata_status strata_project_all(strata_project* project, strata_text query,
                                            int32_t (*each)(void* self, strata_text subject, const strata_result* result, const strata_error* error),
                                            void* self, strata_cancel* cancel, strata_error** error);

/* What is dead, unused or mistyped in the files: strata-check/1. `options`: JSON: {"select": [...], "ignore": [...]}. Empty: all findings. */
STRATA_API strata_status strata_project_check(strata_project* project, strata_text options, strata_result** findings, strata_error** error);
STRATA_API strata_status strata_project_check_with_cancel(strata_project* project, strata_text options, strata_cancel* cancel, strata_result** findings,
                                                          strata_error** error);
/* Whom unsaved edits touch, and how: strata-impact/1. `edits`: JSON: {PATH: TEXT or null, ...}; null deletes a file. */
STRATA_API strata_status strata_project_impact(strata_project* project, strata_text edits, strata_cancel* cancel, strata_result** effects,
                                               strata_error** error);
/* What differs between two states: strata-diff/1. `options`: JSON: {"from": REVISION, "to": REVISION, "edits": {PATH: TEXT or null}}. Without "to": the
 * files as they are now; without "from": the state without the edits. */
STRATA_API strata_status strata_project_diff(strata_project* project, strata_text options, strata_cancel* cancel, strata_result** changes,
                                             strata_error** error);
/* One question about texts in memory. `request`: JSON: the options of a project, with {"files": {PATH: TEXT}, "subject": ..., "query": {...}}. */
STRATA_API strata_status strata_merge(strata_text request, strata_result** result, strata_error** error);
STRATA_API strata_status strata_merge_with_cancel(strata_text request, strata_cancel* cancel, strata_result** result, strata_error** error);

/* Results */

/* The value. Secrets are shown as the command shows them. */
STRATA_API const strata_value* strata_result_value(const strata_result* result);
/* As the command prints it: as JSON, as YAML, or in its own form (of lookup: that of puppet lookup). Made once. */
STRATA_API strata_text strata_result_json(const strata_result* result);
STRATA_API strata_text strata_result_yaml(const strata_result* result);
STRATA_API strata_text strata_result_text(const strata_result* result);
/* Where each leaf came from: [{path, value, file, line, column}]. Secrets are hidden. docs/provenance.md. */
STRATA_API strata_text strata_result_blame(const strata_result* result);
/* What each leaf at or below a JSON Pointer overrode: [{path, value, history: [{layer, file, line, column, fate, value}]}]. The query must say "history".
 * Secrets are hidden. `json` lives as long as the result. */
STRATA_API strata_status strata_result_explain(const strata_result* result, strata_text pointer, strata_text* json, strata_error** error);
/* What was noticed: [{severity, code, message, file, line, column, notes, hint}]; severity is "warning", or "error" for parts that are missing. */
STRATA_API strata_text strata_result_warnings(const strata_result* result);
/* Whether the value at a JSON Pointer is secret, or part of a secret: 1. Otherwise, and where nothing is: 0. */
STRATA_API int32_t strata_result_is_secret(const strata_result* result, strata_text pointer);
/* A further handle of the same result, to keep one that a callback was given. NULL for NULL. */
STRATA_API strata_result* strata_result_hold(const strata_result* result);
STRATA_API void strata_result_free(strata_result* result);

/* Commands */

/* Where a command prints and reads. Later versions add members at the end. Its functions are called one at a time, and must not call functions of strata
 * with the same cancel handle but strata_cancel_trigger. */
typedef struct strata_console {
  uint32_t size; /* sizeof(strata_console) */
  void* self;    /* passed to the functions */
  /* Is given what the command prints, piece by piece: `stream` is 1 for results, 2 for what is told about them. Not 0: it cannot be written. */
  int32_t (*write)(void* self, int32_t stream, strata_text text);
  /* Sets `text` to the next bytes of the standard input, which last until the next call; at its end to none. Not 0: it cannot be read. NULL: the
   * command has no standard input. */
  int32_t (*read)(void* self, strata_text* text);
} strata_console;

/* Runs the command of a verb, as the program does: the same bytes, and its exit status. Paths count from the working directory.
 * `options`: JSON: {"words": [VERB, WORD, ...], "plugin-host": PATH}, see docs/library/c.md.
 * STRATA_OK, whatever the exit status is; STRATA_CANCELLED where `cancel`, which may be NULL, has ended it. */
STRATA_API strata_status strata_command(strata_text options, const strata_console* console, strata_cancel* cancel, int32_t* exit_status,
                                        strata_error** error);

/* Values: for one of another kind, and for NULL, each function returns 0, an empty text or NULL. They live as long as their result. */

STRATA_API int32_t strata_value_kind(const strata_value* value);
STRATA_API int32_t strata_value_boolean(const strata_value* value);
STRATA_API int64_t strata_value_integer(const strata_value* value);
STRATA_API double strata_value_double(const strata_value* value); /* of integers, too */
STRATA_API strata_text strata_value_text(const strata_value* value);
STRATA_API size_t strata_value_size(const strata_value* value); /* of that text in bytes, for languages that cannot take a struct from a function */
STRATA_API size_t strata_value_count(const strata_value* value);                              /* items, entries */
STRATA_API const strata_value* strata_value_item(const strata_value* value, size_t index);    /* of a mapping: the value of that entry */
STRATA_API const strata_value* strata_value_key(const strata_value* mapping, size_t index);   /* of a set, too */
STRATA_API const strata_value* strata_value_member(const strata_value* mapping, strata_text key);
STRATA_API int32_t strata_value_is_secret(const strata_value* value); /* of the value itself; its parts are secret with it */

/* A date or a timestamp. Later versions add members at the end. */
typedef struct strata_time {
  uint32_t size; /* sizeof(strata_time), set by the caller */
  int32_t year;
  uint32_t month, day;
  uint32_t hour, minute, second, microsecond;
  int32_t has_zone;
  int32_t zone_seconds; /* east of UTC */
} strata_time;
/* 1: `time` is set. 0: the value is none, or `size` is too small. */
STRATA_API int32_t strata_value_time(const strata_value* value, strata_time* time);

/* Errors */

/* What the function that failed returned; in strata_project_all, what strata_project_get would return for the subject. Of NULL: STRATA_OK. */
STRATA_API strata_status strata_error_status(const strata_error* error);
STRATA_API strata_text strata_error_code(const strata_error* error);    /* hiera.not-found; docs/errors.md */
STRATA_API strata_text strata_error_message(const strata_error* error); /* one sentence */
STRATA_API strata_text strata_error_json(const strata_error* error);    /* {code, message, file, line, column, notes, hint, more} */
STRATA_API strata_text strata_error_format(const strata_error* error);  /* as the program prints it */
STRATA_API void strata_error_free(strata_error* error);

/* Cancelling */

/* NULL: no memory. */
STRATA_API strata_cancel* strata_cancel_new(void);
/* Ends all calls that have it, now and later. May be called by a signal handler. */
STRATA_API void strata_cancel_trigger(strata_cancel* cancel);
STRATA_API void strata_cancel_free(strata_cancel* cancel);

#ifdef __cplusplus
}
#endif

/* NOLINTEND */

#endif
