# SPDX-License-Identifier: Apache-2.0
"""Makes the extension strata_layers._library: the functions of strata.h, checked by the compiler.

The library and its header are those of pkg-config's module `strata`; STRATA_PREFIX names another place, with include/ and lib/.
"""
import os
import pathlib
import re
import subprocess
import sys

from cffi import FFI

# Python runs the handlers of signals in its main thread alone, between its own steps. So what takes long does not run in the main thread: another one does the
# work, and the main one waits, and lets Python run its handlers meanwhile. The call is ended if one of them raises, and by nothing else. The other thread
# never calls Python.
SOURCE = """
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <strata/strata.h>

/* What a call makes, until Python has no use for it any more. Python makes and frees it without a step between, where an exception could lose it. */
typedef struct call {
  strata_project* project; /* of strata_project_open */
  strata_result* result;
  strata_error* error;
  strata_cancel* cancel;
  int32_t exit_status; /* of a command */
  char* names;         /* of subjects: the size of each, as a size_t, and its bytes */
  size_t size;
  size_t room;
  int lacks_memory; /* for them */
} call;

static void* call_memory(size_t size) { return calloc(1, size); }

static void call_free(void* memory) {
  call* const own = memory;
  strata_result_free(own->result);
  strata_error_free(own->error);
  strata_cancel_free(own->cancel);
  strata_project_free(own->project);
  free(own->names);
  free(own);
}

/* Whether the call has a cancel handle. */
static int call_can_cancel(call* own) {
  if (own->cancel == NULL) own->cancel = strata_cancel_new();
  return own->cancel != NULL;
}

static void call_cancel(call* own) { strata_cancel_trigger(own->cancel); }

static strata_status call_open(const char* options, size_t size, call* out) {
  const strata_text text = {options, size};
  return strata_project_open(text, NULL, &out->project, &out->error);
}

static int call_known(const call* opened, const char* subject, size_t subject_size, const char* query, size_t query_size, call* out) {
  const strata_text subject_text = {subject, subject_size}, query_text = {query, query_size};
  return strata_project_known(opened->project, subject_text, query_text, &out->result, NULL) == STRATA_OK && out->result != NULL;
}

typedef struct work work;
typedef struct worker worker;
struct work {
  strata_status (*function)(work* own);
  const call* opened;
  strata_text first, second;
  call* out;
  const strata_console* console;
  strata_status status;
  worker* other; /* Who does it. */
  /* What it asks of a stream of the main thread. */
  int has_request;
  int32_t stream; /* 0: to read. */
  strata_text text;
  int32_t answer;
  int is_ended; /* By an exception. */
};

/* A thread that works, or waits for work. Only the main thread uses them: several, where a handler that runs while one of them works asks, too. */
struct worker {
  sem_t has_work;
  sem_t is_wanted; /* the main thread: the work is done, or has a request */
  sem_t is_answered;
  work* task;
  worker* next; /* that waits for work */
};
static worker* idle = NULL;
static pid_t process_of_idle = 0; /* A process that was forked from it has none of its threads. */

static void wait_for(sem_t* semaphore) {
  while (sem_wait(semaphore) != 0) continue; /* EINTR */
}

static void* do_work(void* given) {
  worker* const self = given;
  for (;;) {
    work* own;
    wait_for(&self->has_work);
    own = self->task;
    own->status = own->function(own);
    sem_post(&self->is_wanted);
  }
  return NULL;
}

/* A stream of Python is used by the thread that has called: a signal interrupts what waits there. */
static int32_t ask_stream(work* own, int32_t stream, strata_text* text) {
  own->stream = stream;
  own->text = *text;
  own->has_request = 1;
  sem_post(&own->other->is_wanted);
  wait_for(&own->other->is_answered);
  *text = own->text;
  return own->answer;
}
static int32_t ask_write(void* self, int32_t stream, strata_text text) { return ask_stream(self, stream, &text); }
static int32_t ask_read(void* self, strata_text* text) {
  const strata_text none = {NULL, 0};
  *text = none;
  return ask_stream(self, 0, text);
}

static void answer(work* own, const strata_console* console) {
  own->has_request = 0;
  if (own->is_ended) {
    own->answer = 1;
  } else if (own->stream == 0) {
    own->answer = console->read(console->self, &own->text);
  } else {
    own->answer = console->write(console->self, own->stream, own->text);
    /* The command ends by itself where its results cannot be written. */
    if (own->answer != 0 && own->stream != 1) call_cancel(own->out);
  }
  sem_post(&own->other->is_answered);
}

/* Runs the handlers of signals. 1: one has raised what is in the list `raised` now. */
static int run_handlers(PyObject* raised) {
  const PyGILState_STATE state = PyGILState_Ensure();
  const int out = PyErr_CheckSignals() != 0;
  if (out) {
    PyObject *type = NULL, *value = NULL, *trace = NULL;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    if (value != NULL && trace != NULL) PyException_SetTraceback(value, trace);
    if (value == NULL || PyList_Append(raised, value) != 0) PyErr_Clear();
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
  }
  PyGILState_Release(state);
  return out;
}

/* Waits until somebody wants something, for a moment at most: another thread may have taken the signal, and so this one was not woken. */
static int wait_a_moment(sem_t* semaphore) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += 50000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    ++until.tv_sec;
  }
  return sem_timedwait(semaphore, &until) == 0;
}

/* A thread whose stack strata needs no other one beside. NULL: there can be none. */
static worker* a_worker(void) {
  worker* out = idle;
  pthread_attr_t attributes;
  pthread_t thread;
  int runs;
  if (process_of_idle != getpid()) {
    process_of_idle = getpid();
    out = idle = NULL;
  }
  if (out != NULL) {
    idle = out->next;
    return out;
  }
  out = calloc(1, sizeof *out);
  if (out == NULL) return NULL;
  sem_init(&out->has_work, 0, 0);
  sem_init(&out->is_wanted, 0, 0);
  sem_init(&out->is_answered, 0, 0);
  if (pthread_attr_init(&attributes) != 0) {
    free(out);
    return NULL;
  }
  runs = pthread_attr_setstacksize(&attributes, (size_t)24 << 20) == 0 && pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0 &&
         pthread_create(&thread, &attributes, do_work, out) == 0;
  pthread_attr_destroy(&attributes);
  if (runs) return out;
  free(out);
  return NULL;
}

/* `raised`: the address of an empty list for what handlers raise; 0: this is not the main thread of Python, which has none. */
static strata_status run(work* own, uintptr_t raised) {
  const strata_console* const console = own->console;
  strata_console asking;
  worker* other;
  if (raised == 0) return own->function(own);
  if (!call_can_cancel(own->out)) return STRATA_NO_MEMORY;
  if (console != NULL) {
    asking = *console;
    asking.self = own;
    asking.write = ask_write;
    if (console->read != NULL) asking.read = ask_read;
    own->console = &asking;
  }
  own->other = other = a_worker();
  if (other != NULL) {
    int is_done = 0;
    other->task = own;
    sem_post(&other->has_work);
    while (!is_done) {
      if (wait_a_moment(&other->is_wanted)) {
        if (own->has_request) {
          answer(own, console);
        } else {
          is_done = 1;
        }
      } else if (!own->is_ended && run_handlers((PyObject*)raised)) {
        own->is_ended = 1;
        call_cancel(own->out);
      }
    }
    other->next = idle;
    idle = other;
  } else {
    own->console = console;
    own->status = own->function(own);
  }
  return own->status;
}

static strata_status do_get(work* own) {
  return strata_project_get(own->opened->project, own->first, own->second, own->out->cancel, &own->out->result, &own->out->error);
}
static int32_t take_name(void* self, strata_text name) {
  call* const out = self;
  const size_t size = out->size + sizeof name.size + name.size;
  if (size > out->room) {
    const size_t room = size * 2;
    char* const names = realloc(out->names, room);
    if (names == NULL) {
      out->lacks_memory = 1;
      return 1;
    }
    out->names = names;
    out->room = room;
  }
  memcpy(out->names + out->size, &name.size, sizeof name.size);
  if (name.size != 0) memcpy(out->names + out->size + sizeof name.size, name.data, name.size);
  out->size = size;
  return 0;
}

static strata_status do_subjects(work* own) {
  const strata_status status = strata_project_subjects_with_cancel(own->opened->project, take_name, own->out, own->out->cancel, &own->out->error);
  return own->out->lacks_memory ? STRATA_NO_MEMORY : status;
}
static strata_status do_impact(work* own) {
  return strata_project_impact(own->opened->project, own->first, own->out->cancel, &own->out->result, &own->out->error);
}
static strata_status do_diff(work* own) {
  return strata_project_diff(own->opened->project, own->first, own->out->cancel, &own->out->result, &own->out->error);
}
static strata_status do_check(work* own) {
  return strata_project_check_with_cancel(own->opened->project, own->first, own->out->cancel, &own->out->result, &own->out->error);
}
static strata_status do_merge(work* own) { return strata_merge_with_cancel(own->first, own->out->cancel, &own->out->result, &own->out->error); }
static strata_status do_command(work* own) {
  return strata_command(own->first, own->console, own->out->cancel, &own->out->exit_status, &own->out->error);
}

static strata_status call_get(const call* opened, const char* subject, size_t subject_size, const char* query, size_t query_size, uintptr_t raised,
                              call* out) {
  work own = {.function = do_get, .opened = opened, .first = {subject, subject_size}, .second = {query, query_size}, .out = out};
  return run(&own, raised);
}

static strata_status call_subjects(const call* opened, uintptr_t raised, call* out) {
  work own = {.function = do_subjects, .opened = opened, .out = out};
  return run(&own, raised);
}

static strata_status call_impact(const call* opened, const char* edits, size_t size, uintptr_t raised, call* out) {
  work own = {.function = do_impact, .opened = opened, .first = {edits, size}, .out = out};
  return run(&own, raised);
}

static strata_status call_diff(const call* opened, const char* options, size_t size, uintptr_t raised, call* out) {
  work own = {.function = do_diff, .opened = opened, .first = {options, size}, .out = out};
  return run(&own, raised);
}

static strata_status call_check(const call* opened, const char* options, size_t size, uintptr_t raised, call* out) {
  work own = {.function = do_check, .opened = opened, .first = {options, size}, .out = out};
  return run(&own, raised);
}

static strata_status call_merge(const char* request, size_t size, uintptr_t raised, call* out) {
  work own = {.function = do_merge, .first = {request, size}, .out = out};
  return run(&own, raised);
}

static strata_status call_command(const char* options, size_t size, const strata_console* console, uintptr_t raised, call* out) {
  work own = {.function = do_command, .first = {options, size}, .console = console, .out = out};
  return run(&own, raised);
}

/* Takes a further handle of a result that a callback was given. */
static void call_hold(const strata_result* result, call* out) { out->result = strata_result_hold(result); }

static strata_status call_all(const call* opened, const char* query, size_t size,
                              int32_t (*each)(void* self, strata_text subject, const strata_result* result, const strata_error* error), void* self, call* out) {
  const strata_text text = {query, size};
  return strata_project_all(opened->project, text, each, self, out->cancel, &out->error);
}

static strata_status call_refresh(const call* opened, call* out) { return strata_project_refresh(opened->project, &out->error); }

static strata_status call_explain(const strata_result* result, const char* pointer, size_t size, strata_text* json, call* out) {
  const strata_text text = {pointer, size};
  return strata_result_explain(result, text, json, &out->error);
}

/* Whether JSON says all there is to say of a value: no secrets, no kinds that JSON lacks, and no more levels than the readers of JSON, which recurse, and
   this function get by with on a small stack. */
static int is_plain(const strata_value* value, int levels) {
  size_t i;
  const size_t count = strata_value_count(value);
  if (strata_value_is_secret(value)) return 0;
  switch (strata_value_kind(value)) {
    case STRATA_NULL: case STRATA_BOOLEAN: case STRATA_INTEGER: case STRATA_DOUBLE: case STRATA_TEXT: case STRATA_BIG_INTEGER:
      return 1;
    case STRATA_SEQUENCE:
      if (levels == 0) return 0;
      for (i = 0; i < count; ++i) if (!is_plain(strata_value_item(value, i), levels - 1)) return 0;
      return 1;
    case STRATA_MAPPING:
      if (levels == 0) return 0;
      for (i = 0; i < count; ++i) {
        if (strata_value_kind(strata_value_key(value, i)) != STRATA_TEXT || !is_plain(strata_value_item(value, i), levels - 1)) return 0;
      }
      return 1;
  }
  return 0;
}
"""
DECLARATIONS = """
typedef struct call {
  strata_result* result;
  strata_error* error;
  int32_t exit_status;
  char* names;
  size_t size;
  ...;
} call;
void* call_memory(size_t size);
void call_free(void* memory);
int call_can_cancel(call* own);
void call_cancel(call* own);
void call_hold(const strata_result* result, call* out);
strata_status call_open(const char* options, size_t size, call* out);
strata_status call_refresh(const call* opened, call* out);
int call_known(const call* opened, const char* subject, size_t subject_size, const char* query, size_t query_size, call* out);
strata_status call_get(const call* opened, const char* subject, size_t subject_size, const char* query, size_t query_size, uintptr_t raised, call* out);
strata_status call_subjects(const call* opened, uintptr_t raised, call* out);
strata_status call_all(const call* opened, const char* query, size_t size,
                       int32_t (*each)(void* self, strata_text subject, const strata_result* result, const strata_error* error), void* self, call* out);
strata_status call_impact(const call* opened, const char* edits, size_t size, uintptr_t raised, call* out);
strata_status call_diff(const call* opened, const char* options, size_t size, uintptr_t raised, call* out);
strata_status call_check(const call* opened, const char* options, size_t size, uintptr_t raised, call* out);
strata_status call_merge(const char* request, size_t size, uintptr_t raised, call* out);
strata_status call_command(const char* options, size_t size, const strata_console* console, uintptr_t raised, call* out);
strata_status call_explain(const strata_result* result, const char* pointer, size_t size, strata_text* json, call* out);
int is_plain(const strata_value* value, int levels);
extern "Python" int32_t write_stream(void*, int32_t, strata_text);
extern "Python" int32_t read_stream(void*, strata_text*);
extern "Python" int32_t take_result(void*, strata_text, const strata_result*, const strata_error*);
"""


def places():
    """The folders of the header and of the library."""
    prefix = os.environ.get("STRATA_PREFIX")
    if prefix:
        libraries = sorted(pathlib.Path(prefix).glob("lib*/**/libstrata.so"))
        if not libraries:
            sys.exit(f"strata-layers needs the library of strata, and STRATA_PREFIX={prefix} has no libstrata.so: name the prefix of its installation")
        return pathlib.Path(prefix) / "include", [str(libraries[0].parent)]
    def ask(variable):
        return subprocess.run(["pkg-config", f"--variable={variable}", "strata"], check=True, capture_output=True, text=True).stdout.strip()
    try:
        return pathlib.Path(ask("includedir")), [ask("libdir")]
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"strata-layers needs the library of strata and its header, and pkg-config does not find them ({error}): install libstrata-dev and pkgconf, "
                 "or name the prefix of another installation with STRATA_PREFIX")


def declarations(header):
    """What cffi reads of a header: no comments, no conditions, no functions with bodies."""
    text = re.sub(r"/\*.*?\*/", "", header.read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"static inline.*?\n}\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^#ifdef __cplusplus\n.*?^#endif$", "", text, flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in text.splitlines() if not line.startswith("#") or re.match(r"#define [A-Z_]+ [0-9]+\s*$", line)]
    return "\n".join(lines).replace("STRATA_API ", "")


INCLUDE, LIBRARIES = places()
ffi = FFI()
ffi.cdef(declarations(INCLUDE / "strata/types.h") + declarations(INCLUDE / "strata/strata.h") + DECLARATIONS)
ffi.set_source("strata_layers._library", SOURCE, libraries=["strata"], include_dirs=[str(INCLUDE)], library_dirs=LIBRARIES,
               extra_compile_args=["-pthread"], extra_link_args=["-pthread"], py_limited_api=True)

if __name__ == "__main__":
    ffi.compile(verbose=True)
