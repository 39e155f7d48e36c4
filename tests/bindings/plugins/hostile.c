// SPDX-License-Identifier: Apache-2.0
/* A plugin in C that does everything wrong. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "strata/plugin.h"

static const strata_host_v1* host;

static strata_text text(const char* characters) {
  strata_text out = {characters, strlen(characters)};
  return out;
}

static strata_status crash(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  volatile int* nowhere = NULL;
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  return *nowhere;
}

static strata_status leave(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  exit(3);
}

static strata_status hang(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  signal(SIGTERM, SIG_IGN);
  for (;;) pause();
}

static strata_status litter(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  /* One process in the group, and one that has left it for a session of its own. */
  const char* script =
      "(setsid sh -c 'echo $$ > daemon; exec sleep 5000' &); until [ -s daemon ]; do sleep 0.01; done;"
      "sleep 5000 & echo $! > pid.new; mv pid.new pid";
  if (system(script) != 0) return STRATA_FAILED;
  return hang(self, context, arguments, count, result);
}

static strata_status ask(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)arguments, (void)count, (void)result;
  for (;;) host->warn(context, text("again"));
}

static strata_status junk(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  const char bytes[] = "\x05\x00\x00\x00hello world";
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  puts("this is not a result");
  fputs("nor this\n", stderr);
  if (write(3, bytes, sizeof bytes) < 0) return STRATA_FAILED;
  return STRATA_OK;
}

static strata_status endless(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  char zeros[65536] = {0};
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  while (write(3, zeros, sizeof zeros) > 0) {
  }
  return STRATA_OK;
}

static strata_status grow(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  const size_t block = (size_t)1 << 24U;
  (void)self, (void)arguments, (void)count, (void)result;
  for (;;) {
    char* more = malloc(block);
    if (more == NULL) break;
    memset(more, 1, block);
  }
  host->fail(context, text("no memory"), text(""), 0);
  return STRATA_FAILED;
}

static strata_status print(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)arguments, (void)count;
  puts("this is not a result");
  fflush(stdout);
  *result = host->make_integer(context, 5);
  return STRATA_OK;
}

static strata_status invalid(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)arguments, (void)count;
  *result = host->make_text(context, text("\xff"));
  host->fail(context, text("bad \xff message"), text(""), 0);
  return *result == NULL ? STRATA_FAILED : STRATA_OK;
}

static strata_status deep(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  const strata_value* value = host->make_null(context);
  (void)self, (void)arguments, (void)count;
  for (int i = 0; i < 5000; ++i) value = host->make_sequence(context, &value, 1);
  *result = value;
  return STRATA_OK;
}

static strata_status mute(void* self, strata_context* context, const strata_value* const* arguments, size_t count, const strata_value** result) {
  (void)self, (void)context, (void)arguments, (void)count, (void)result;
  return 77;
}

strata_status strata_plugin_v1(const strata_host_v1* given) {
  static const struct {
    const char* name;
    strata_call call;
  } all[] = {{"crash", crash}, {"leave", leave}, {"hang", hang},       {"ask", ask},   {"junk", junk}, {"endless", endless},
             {"grow", grow},   {"print", print}, {"invalid", invalid}, {"deep", deep}, {"mute", mute}, {"litter", litter}};
  host = given;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    strata_extension_v1 extension = {sizeof extension, STRATA_FUNCTION, text(all[i].name), text(""), text(""), 1, NULL, all[i].call};
    if (host->add(host->registrar, &extension) != STRATA_OK) return STRATA_FAILED;
    if (host->add(host->registrar, &extension) == STRATA_OK) return STRATA_FAILED;
  }
  return STRATA_OK;
}
