// SPDX-License-Identifier: Apache-2.0
/* What a host does to a library: many threads on one project, a fork, a million calls without growth. Run in the root of the source.
 *     life_test threads ROUNDS [SECONDS] | fork | growth CALLS | stack | copy | pipe
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const char kHiera[] = "{\"verb\": \"lookup\", \"codedir\": \"examples/hiera\", \"nodes\": \"examples/hiera/nodes\"}";
static const char kUncached[] = "{\"verb\": \"lookup\", \"codedir\": \"examples/hiera\", \"nodes\": \"examples/hiera/nodes\", \"cache\": 0}";
static const char kNode[] = "{\"name\": \"new01\", \"facts\": {\"role\": \"db\"}}";
static const char* const kQueries[] = {"{\"keys\": [\"accounts::users\"]}", "{\"keys\": [\"accounts::users\"], \"history\": true}", "",
                                       "{\"keys\": [\"no::such\"]}", "{\"keys\": [\"no::such\"], \"default\": {\"a\": [1]}}"};
static const char* const kSubjects[] = {"db01", "db02", "web01", "lb01", kNode};
enum { kThreads = 10, kSubjectCount = 5, kQueryCount = 5 };

/* The answers of one thread: those of all must be equal. */
static char* answers[kSubjectCount][kQueryCount];

static char* answer(strata_project* project, int subject, int query) {
  strata_result* result = NULL;
  strata_error* error = NULL;
  char* out;
  if (strata_project_get(project, strata_text_of(kSubjects[subject]), strata_text_of(kQueries[query]), NULL, &result, &error) == STRATA_OK) {
    const strata_text json = strata_result_json(result), blame = strata_result_blame(result), warnings = strata_result_warnings(result);
    (void)strata_value_count(strata_result_value(result));
    out = malloc(json.size + blame.size + warnings.size + 1);
    strcpy(strcpy(strcpy(out, json.data) + json.size, blame.data) + blame.size, warnings.data);
  } else {
    out = strdup(strata_error_json(error).data);
  }
  strata_result_free(result);
  strata_error_free(error);
  return out;
}

typedef struct work {
  strata_project* project;
  int number;
  int rounds;
  time_t until; /* Further rounds until then. */
} work;

static int32_t count_results(void* self, strata_text subject, const strata_result* result, const strata_error* error) {
  (void)subject, (void)result, (void)error;
  ++*(int*)self;
  return 0;
}

static void* ask(void* given) {
  const work* own = given;
  int round;
  for (round = 0; round < own->rounds || time(NULL) < own->until; ++round) {
    const int subject = (round + own->number) % kSubjectCount, query = (round / kSubjectCount) % kQueryCount;
    char* const told = answer(own->project, subject, query);
    if (strcmp(told, answers[subject][query]) != 0) {
      fprintf(stderr, "subject %d, query %d: %s\n---- expected: %s\n", subject, query, told, answers[subject][query]);
      ++failures;
      free(told);
      return NULL;
    }
    free(told);
    if (own->number == 0 && round % 16 == 0) CHECK(strata_project_refresh(own->project, NULL) == STRATA_OK);
    if (own->number == 1 && round % 16 == 0) {
      int count = 0;
      CHECK(strata_project_all(own->project, strata_text_of(kQueries[0]), count_results, &count, NULL, NULL) == STRATA_OK && count == 12);
    }
    if (own->number == 2 && round % 16 == 0) {
      strata_result* effects = NULL;
      CHECK(strata_project_impact(own->project, strata_text_of("{\"examples/hiera/environments/production/data/common.yaml\": null}"), NULL, &effects,
                                  NULL) == STRATA_OK);
      strata_result_free(effects);
    }
    if (own->number == 3) {
      strata_cancel* cancel = strata_cancel_new();
      strata_result* result = NULL;
      strata_status status;
      if (round % 2 == 0) strata_cancel_trigger(cancel);
      status = strata_project_get(own->project, strata_text_of("mon01"), strata_text_of(""), cancel, &result, NULL);
      CHECK(status == (round % 2 == 0 ? STRATA_CANCELLED : STRATA_OK));
      strata_result_free(result);
      strata_cancel_free(cancel);
    }
  }
  return NULL;
}

static void test_threads(const char* options, int rounds, int seconds) {
  strata_project* project = opened(options);
  pthread_t threads[kThreads];
  work works[kThreads];
  int i, j;
  for (i = 0; i < kSubjectCount; ++i) {
    for (j = 0; j < kQueryCount; ++j) answers[i][j] = answer(project, i, j);
  }
  for (i = 0; i < kThreads; ++i) {
    works[i].project = project;
    works[i].number = i;
    works[i].rounds = rounds;
    works[i].until = time(NULL) + seconds;
    CHECK(pthread_create(&threads[i], NULL, ask, &works[i]) == 0);
  }
  for (i = 0; i < kThreads; ++i) pthread_join(threads[i], NULL);
  for (i = 0; i < kSubjectCount; ++i) {
    for (j = 0; j < kQueryCount; ++j) free(answers[i][j]);
  }
  strata_project_free(project);
}

static int asks_all(strata_project* project) {
  int count = 0;
  return strata_project_all(project, strata_text_of(kQueries[0]), count_results, &count, NULL, NULL) == STRATA_OK && count == 12;
}

static void test_fork(void) {
  strata_project* project = opened(kUncached);
  int status = -1;
  pid_t child;
  CHECK(asks_all(project)); /* Its threads are there. */
  child = fork();
  if (child == 0) {
    alarm(300); /* Against hangs. */
    const int is_right = asks_all(project);
    char* told = answer(project, 0, 2);
    free(told);
    strata_project_free(project);
    _exit(is_right && failures == 0 ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(asks_all(project));
  strata_project_free(project);
}

/* Kibibytes of the process in memory. */
static long resident(void) {
  long size = 0, pages = 0;
  FILE* file = fopen("/proc/self/statm", "r");
  if (file == NULL || fscanf(file, "%ld %ld", &size, &pages) != 2) pages = 0;
  if (file != NULL) fclose(file);
  return pages * sysconf(_SC_PAGESIZE) / 1024;
}

static void ask_often(strata_project* project, long calls) {
  long i;
  for (i = 0; i < calls; ++i) {
    strata_result* result = NULL;
    strata_error* error = NULL;
    const strata_status status = strata_project_get(project, strata_text_of(kSubjects[i % kSubjectCount]),
                                                    strata_text_of(kQueries[i / kSubjectCount % kQueryCount]), NULL, &result, &error);
    CHECK(status == STRATA_OK || status == STRATA_NOT_FOUND);
    strata_result_free(result);
    strata_error_free(error);
  }
}

static void test_growth(long calls) {
  const char* const options[] = {kHiera, kUncached};
  int i;
  for (i = 0; i < 2; ++i) {
    strata_project* project = opened(options[i]);
    long before, after;
    /* Where nothing is kept, each call costs a thousand times as much. */
    const long wanted = i == 0 ? calls : calls / 100;
    ask_often(project, wanted / 2);
    before = resident();
    ask_often(project, wanted);
    after = resident();
    fprintf(stderr, "%ld calls: %ld KiB, then %ld KiB\n", wanted, before, after);
    CHECK(after < before + before / 4 + 4096);
    strata_project_free(project);
  }
}

/* A text that nests deeper than a small stack holds. */
static char* deep_request(void) {
  enum { kDepth = 900 };
  char* const out = calloc(1, 2 * kDepth + 200);
  int i;
  strcpy(out, "{\"verb\": \"merge\", \"args\": [\"a.yaml\"], \"files\": {\"a.yaml\": \"#cloud-config\\na: ");
  for (i = 0; i < kDepth; ++i) strcat(out, "[");
  strcat(out, "1");
  for (i = 0; i < kDepth; ++i) strcat(out, "]");
  return strcat(out, "\\n\"}}");
}

static void* merge_deep(void* request) {
  strata_result* result = NULL;
  strata_error* error = NULL;
  char* out = NULL;
  if (strata_merge(strata_text_of(request), &result, &error) == STRATA_OK) {
    const strata_text json = strata_result_json(result);
    out = strdup(json.data);
  } else {
    fprintf(stderr, "%s\n", strata_error_format(error).data);
    ++failures;
  }
  strata_result_free(result);
  strata_error_free(error);
  return out;
}

/* All that a thread with this stack does with a project. */
static void* ask_shallow(void* given) {
  strata_project* project = given;
  int count = 0;
  char* const told = answer(project, 0, 0);
  strata_result* findings = NULL;
  CHECK(strata_project_refresh(project, NULL) == STRATA_OK);
  CHECK(strata_project_all(project, strata_text_of(kQueries[0]), count_results, &count, NULL, NULL) == STRATA_OK && count == 12);
  CHECK(strata_project_check(project, strata_text_of(""), &findings, NULL) == STRATA_OK);
  strata_result_free(findings);
  return told;
}

static int32_t take_text(void* self, int32_t stream, strata_text text) {
  (void)self, (void)stream, (void)text;
  return 0;
}

static void* on_stack(size_t size, void* (*work)(void* given), void* given) {
  pthread_attr_t attributes;
  pthread_t thread;
  void* out = NULL;
  /* A stack of its own: the C library would take a larger one that a thread has left. */
  void* const stack = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  CHECK(stack != MAP_FAILED);
  pthread_attr_init(&attributes);
  CHECK(pthread_attr_setstack(&attributes, stack, size) == 0);
  CHECK(pthread_create(&thread, &attributes, work, given) == 0);
  pthread_join(thread, &out);
  pthread_attr_destroy(&attributes);
  munmap(stack, size);
  return out;
}

static void test_stack(void) {
  enum { kSmall = 64 << 10 };
  char* const request = deep_request();
  char* const wanted = merge_deep(request);
  char* const own = on_stack(kSmall, merge_deep, request);
  strata_project* project = opened(kHiera);
  char *first, *second;
  CHECK(wanted != NULL && own != NULL && strlen(wanted) > 1800 && strcmp(wanted, own) == 0);
  first = on_stack(kSmall, ask_shallow, project);
  second = answer(project, 0, 0);
  CHECK(first != NULL && strcmp(first, second) == 0);
  strata_project_free(project);
  free(first), free(second), free(own), free(wanted), free(request);
}

/* Whether a depth is taken by what reads options: one bit for each. */
static void* take_depth(void* depth) {
  char limit[32], options[256];
  const strata_console console = {sizeof(strata_console), NULL, take_text, NULL};
  strata_project* project = NULL;
  strata_result* result = NULL;
  int32_t exit_status = 0;
  size_t out = 0;
  snprintf(limit, sizeof limit, "depth=%d", *(const int*)depth);
  snprintf(options, sizeof options, "{\"words\": [\"merge\", \"--limit\", \"%s\", \"examples/cloud-init/web.yaml\"]}", limit);
  if (strata_project_open(strata_text_of(options), NULL, &project, NULL) == STRATA_OK) out |= 1;
  if (strata_project_get(project, strata_text_of(""), strata_text_of(""), NULL, &result, NULL) == STRATA_OK) out |= 2;
  strata_result_free(result);
  if (project != NULL && strata_project_refresh(project, NULL) == STRATA_OK) out |= 4;
  strata_project_free(project);
  if (strata_command(strata_text_of(options), &console, NULL, &exit_status, NULL) == STRATA_OK && exit_status == 0) out |= 8;
  snprintf(options, sizeof options, "{\"verb\": \"merge\", \"args\": [\"a\"], \"limit\": [\"%s\"], \"files\": {\"a\": \"#cloud-config\\na: 1\\n\"}}", limit);
  if (strata_merge(strata_text_of(options), &result, NULL) == STRATA_OK) out |= 16;
  strata_result_free(result);
  return (void*)out;
}

/* Which depths are taken does not depend on the stack of the thread that asks. */
static void test_depth(void) {
  const size_t stacks[] = {64 << 10, 1 << 20, 8 << 20, 64 << 20};
  int too_deep = 10001;
  size_t stack;
  for (stack = 0; stack < sizeof stacks / sizeof *stacks; ++stack) {
    int depth;
    /* In small steps around what 8 MiB hold. */
    for (depth = 100; depth <= 10000; depth += depth < 5500 ? 900 : depth < 6100 ? 12 : 325) {
      const size_t took = (size_t)on_stack(stacks[stack], take_depth, &depth);
      if (took != 31) fprintf(stderr, "stack %zu, depth %d: %zu\n", stacks[stack], depth, took);
      CHECK(took == 31);
    }
    CHECK(on_stack(stacks[stack], take_depth, &too_deep) == NULL);
  }
}

static void write_hostname(const char* path, const char* name) {
  FILE* const file = fopen(path, "w");
  CHECK(file != NULL && fprintf(file, "#cloud-config\nhostname: %s\n", name) > 0 && fclose(file) == 0);
}

static void check_hostname(strata_project* project, const char* wanted) {
  strata_result* result = NULL;
  CHECK(strata_project_get(project, strata_text_of(""), strata_text_of(""), NULL, &result, NULL) == STRATA_OK);
  CHECK(strstr(strata_result_json(result).data, wanted) != NULL);
  strata_result_free(result);
}

/* A copy stays with its state, whatever the original does. */
static void test_copy(void) {
  char path[] = "/tmp/strata-copy-XXXXXX", options[128];
  strata_project *project, *copy = NULL, *second = NULL;
  strata_error* error = NULL;
  const int file = mkstemp(path);
  CHECK(file >= 0 && close(file) == 0);
  write_hostname(path, "one");
  snprintf(options, sizeof options, "{\"verb\": \"merge\", \"args\": [\"%s\"]}", path);
  project = opened(options);
  check_hostname(project, "one");
  CHECK(strata_project_copy(project, &copy, NULL) == STRATA_OK);
  write_hostname(path, "another");
  CHECK(strata_project_refresh(project, NULL) == STRATA_OK);
  check_hostname(project, "another");
  check_hostname(copy, "one");
  CHECK(strata_project_copy(project, &second, NULL) == STRATA_OK);
  strata_project_free(project);
  check_hostname(copy, "one");
  check_hostname(second, "another");
  CHECK(strata_project_refresh(copy, NULL) == STRATA_OK);
  check_hostname(copy, "another");
  CHECK(strata_project_copy(copy, NULL, &error) == STRATA_MISUSE);
  strata_error_free(error);
  strata_project_free(second);
  CHECK(strata_project_copy(NULL, &second, NULL) == STRATA_MISUSE && second == NULL);
  strata_project_free(copy);
  unlink(path);
}

/* A pipe that somebody holds open and writes nothing to. */
typedef struct silent_pipe {
  char path[64];
  strata_cancel* cancel; /* triggered once the reader is there; NULL: it waits for its time */
  int end;
  atomic_int is_over; /* nobody comes to read any more */
} silent_pipe;

static void* hold_pipe(void* given) {
  silent_pipe* const own = given;
  const struct timespec moment = {0, 1000000};
  do {
    own->end = open(own->path, O_WRONLY | O_NONBLOCK); /* As soon as there is a reader. */
    if (own->end < 0) nanosleep(&moment, NULL);
  } while (own->end < 0 && !own->is_over);
  if (own->cancel != NULL) strata_cancel_trigger(own->cancel);
  return NULL;
}

/* What a call that reads a silent pipe returns. */
static strata_status ask_pipe(silent_pipe* own, const char* more, strata_status (*ask)(const char* options, strata_cancel* cancel)) {
  char options[256];
  pthread_t thread;
  strata_status status;
  CHECK(mkfifo(own->path, 0600) == 0);
  snprintf(options, sizeof options, more, own->path);
  own->is_over = 0;
  CHECK(pthread_create(&thread, NULL, hold_pipe, own) == 0);
  status = ask(options, own->cancel);
  own->is_over = 1;
  pthread_join(thread, NULL);
  CHECK(own->end >= 0 && close(own->end) == 0); /* It was read. */
  unlink(own->path);
  return status;
}

static strata_status get_one(const char* options, strata_cancel* cancel) {
  strata_project* project = NULL;
  strata_result* result = NULL;
  strata_error* error = NULL;
  strata_status status = strata_project_open(strata_text_of(options), NULL, &project, &error);
  if (status == STRATA_OK) status = strata_project_get(project, strata_text_of(""), strata_text_of(""), cancel, &result, &error);
  CHECK(status != STRATA_FAILED || strcmp(strata_error_code(error).data, "limit.time") == 0);
  strata_result_free(result);
  strata_error_free(error);
  strata_project_free(project);
  return status;
}

static strata_status run_one(const char* options, strata_cancel* cancel) {
  const strata_console console = {sizeof(strata_console), NULL, take_text, NULL};
  int32_t exit_status = 0;
  return strata_command(strata_text_of(options), &console, cancel, &exit_status, NULL);
}

/* Whoever waits for a pipe can be ended: by the handle, and by the time that the call has. */
static void test_pipe(void) {
  char folder[] = "/tmp/strata-pipe-XXXXXX";
  silent_pipe own = {"", NULL, -1, 0};
  CHECK(mkdtemp(folder) != NULL);
  snprintf(own.path, sizeof own.path, "%s/pipe.yaml", folder);
  own.cancel = strata_cancel_new();
  CHECK(ask_pipe(&own, "{\"verb\": \"merge\", \"args\": [\"%s\"]}", get_one) == STRATA_CANCELLED);
  strata_cancel_free(own.cancel);
  own.cancel = strata_cancel_new();
  CHECK(ask_pipe(&own, "{\"words\": [\"merge\", \"%s\"]}", run_one) == STRATA_CANCELLED);
  strata_cancel_free(own.cancel);
  own.cancel = NULL;
  CHECK(ask_pipe(&own, "{\"verb\": \"merge\", \"args\": [\"%s\"], \"seconds\": 1}", get_one) == STRATA_FAILED);
  CHECK(rmdir(folder) == 0);
}

int main(int count, char** words) {
  const char* what = count > 1 ? words[1] : "";
  const long number = count > 2 ? atol(words[2]) : 0;
  if (strcmp(what, "threads") == 0) {
    const int seconds = count > 3 ? atoi(words[3]) : 0;
    test_threads(kHiera, (int)number, seconds);
    test_threads(kUncached, (int)number, seconds);
  } else if (strcmp(what, "fork") == 0) {
    test_fork();
  } else if (strcmp(what, "stack") == 0) {
    test_stack();
    test_depth();
  } else if (strcmp(what, "copy") == 0) {
    test_copy();
  } else if (strcmp(what, "pipe") == 0) {
    test_pipe();
  } else if (strcmp(what, "growth") == 0) {
    test_growth(number);
  } else {
    return 2;
  }
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
