"""Makes the extension strata_layers._library: the functions of strata.h, checked by the compiler.

The library and its header are those of pkg-config's module `strata`; STRATA_PREFIX names another place, with include/ and lib/.
"""
import os
import pathlib
import re
import subprocess

from cffi import FFI

# Calls that take long end when the process is interrupted. Python notes a signal only when its own code runs again, so the handler of C triggers the
# cancel handle, and passes the signal on. It is there only while the main thread, whose signals Python handles, is in such a call.
SOURCE = """
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <strata/strata.h>

static strata_cancel* volatile cancel_now = NULL;
static struct sigaction handler_before;
static __thread int is_other_thread = -1; /* Than the main one; -1: not known. */

static void interrupted(int number, siginfo_t* info, void* context) {
  strata_cancel* cancel = cancel_now;
  if (cancel != NULL) strata_cancel_trigger(cancel);
  if (handler_before.sa_flags & SA_SIGINFO) {
    handler_before.sa_sigaction(number, info, context);
  } else if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN) {
    handler_before.sa_handler(number);
  }
}

/* Whether the handler is set. */
static int begin_call(strata_cancel* cancel) {
  static struct sigaction own;
  if (is_other_thread < 0) is_other_thread = syscall(SYS_gettid) != getpid();
  if (cancel == NULL || cancel_now != NULL || is_other_thread) return 0;
  if (own.sa_sigaction == NULL) {
    if (sigaction(SIGINT, NULL, &handler_before) != 0) return 0;
    own.sa_sigaction = interrupted;
    own.sa_flags = SA_SIGINFO | (handler_before.sa_flags & (SA_ONSTACK | SA_RESTART));
    own.sa_mask = handler_before.sa_mask;
  }
  cancel_now = cancel;
  if (sigaction(SIGINT, &own, &handler_before) == 0) {
    if ((handler_before.sa_flags & SA_SIGINFO) || (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)) return 1;
    sigaction(SIGINT, &handler_before, NULL);
  }
  cancel_now = NULL;
  return 0;
}

static void end_call(int is_set) {
  if (!is_set) return;
  sigaction(SIGINT, &handler_before, NULL);
  cancel_now = NULL;
}

static strata_status call_get(strata_project* project, const char* subject, size_t subject_size, const char* query, size_t query_size,
                              strata_cancel* cancel, strata_result** result, strata_error** error) {
  const strata_text subject_text = {subject, subject_size}, query_text = {query, query_size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_project_get(project, subject_text, query_text, cancel, result, error);
  end_call(is_set);
  return status;
}

static strata_status call_impact(strata_project* project, const char* edits, size_t size, strata_cancel* cancel, strata_result** result,
                                 strata_error** error) {
  const strata_text text = {edits, size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_project_impact(project, text, cancel, result, error);
  end_call(is_set);
  return status;
}

static strata_status call_diff(strata_project* project, const char* options, size_t size, strata_cancel* cancel, strata_result** result,
                               strata_error** error) {
  const strata_text text = {options, size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_project_diff(project, text, cancel, result, error);
  end_call(is_set);
  return status;
}

static strata_status call_check(strata_project* project, const char* options, size_t size, strata_cancel* cancel, strata_result** result,
                                strata_error** error) {
  const strata_text text = {options, size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_project_check_with_cancel(project, text, cancel, result, error);
  end_call(is_set);
  return status;
}

static strata_status call_merge(const char* request, size_t size, strata_cancel* cancel, strata_result** result, strata_error** error) {
  const strata_text text = {request, size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_merge_with_cancel(text, cancel, result, error);
  end_call(is_set);
  return status;
}

static strata_status call_command(const char* options, size_t size, const strata_console* console, strata_cancel* cancel, int32_t* exit_status,
                                  strata_error** error) {
  const strata_text text = {options, size};
  const int is_set = begin_call(cancel);
  const strata_status status = strata_command(text, console, cancel, exit_status, error);
  end_call(is_set);
  return status;
}

/* Whether JSON says all there is to say of a value: no secrets, no kinds that JSON lacks. */
static int is_plain(const strata_value* value) {
  size_t i;
  const size_t count = strata_value_count(value);
  if (strata_value_is_secret(value)) return 0;
  switch (strata_value_kind(value)) {
    case STRATA_NULL: case STRATA_BOOLEAN: case STRATA_INTEGER: case STRATA_DOUBLE: case STRATA_TEXT: case STRATA_BIG_INTEGER:
      return 1;
    case STRATA_SEQUENCE:
      for (i = 0; i < count; ++i) if (!is_plain(strata_value_item(value, i))) return 0;
      return 1;
    case STRATA_MAPPING:
      for (i = 0; i < count; ++i) {
        if (strata_value_kind(strata_value_key(value, i)) != STRATA_TEXT || !is_plain(strata_value_item(value, i))) return 0;
      }
      return 1;
  }
  return 0;
}
"""
DECLARATIONS = """
strata_status call_get(strata_project* project, const char* subject, size_t subject_size, const char* query, size_t query_size,
                       strata_cancel* cancel, strata_result** result, strata_error** error);
strata_status call_impact(strata_project* project, const char* edits, size_t size, strata_cancel* cancel, strata_result** result, strata_error** error);
strata_status call_diff(strata_project* project, const char* options, size_t size, strata_cancel* cancel, strata_result** result, strata_error** error);
strata_status call_check(strata_project* project, const char* options, size_t size, strata_cancel* cancel, strata_result** result, strata_error** error);
strata_status call_merge(const char* request, size_t size, strata_cancel* cancel, strata_result** result, strata_error** error);
strata_status call_command(const char* options, size_t size, const strata_console* console, strata_cancel* cancel, int32_t* exit_status,
                           strata_error** error);
int is_plain(const strata_value* value);
extern "Python" int32_t write_stream(void*, int32_t, strata_text);
extern "Python" int32_t read_stream(void*, strata_text*);
extern "Python" int32_t take_name(void*, strata_text);
extern "Python" int32_t take_result(void*, strata_text, const strata_result*, const strata_error*);
"""


def places():
    """The folders of the header and of the library."""
    prefix = os.environ.get("STRATA_PREFIX")
    if prefix:
        library = next(folder for folder in sorted(pathlib.Path(prefix).glob("lib*/**/libstrata.so"))).parent
        return pathlib.Path(prefix) / "include", [str(library)]
    def ask(variable):
        return subprocess.run(["pkg-config", f"--variable={variable}", "strata"], check=True, capture_output=True, text=True).stdout.strip()
    return pathlib.Path(ask("includedir")), [ask("libdir")]


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
ffi.set_source("strata_layers._library", SOURCE, libraries=["strata"], include_dirs=[str(INCLUDE)], library_dirs=LIBRARIES, py_limited_api=True)

if __name__ == "__main__":
    ffi.compile(verbose=True)
