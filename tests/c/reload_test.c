// SPDX-License-Identifier: Apache-2.0
/* A host that loads the library, uses it, and drops it, again and again. It is not linked with it. Run in the root of the source.
 *     reload_test LIBRARY
 */
#include <dlfcn.h>

#include "check.h"

static const char kHiera[] = "{\"verb\": \"lookup\", \"codedir\": \"examples/hiera\", \"nodes\": \"examples/hiera/nodes\"}";
static const char kQuery[] = "{\"keys\": [\"accounts::users\"]}";

static int32_t ignore(void* self, strata_text subject, const strata_result* result, const strata_error* error) {
  (void)self, (void)subject, (void)result, (void)error;
  return 0;
}

static void test_reload(const char* library) {
  int round;
  for (round = 0; round < 3; ++round) {
    void* handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    strata_status (*open)(strata_text, const strata_files*, strata_project**, strata_error**);
    strata_status (*get)(strata_project*, strata_text, strata_text, strata_cancel*, strata_result**, strata_error**);
    void (*free_project)(strata_project*);
    void (*free_result)(strata_result*);
    strata_status (*all)(strata_project*, strata_text, int32_t (*)(void*, strata_text, const strata_result*, const strata_error*), void*, strata_cancel*,
                         strata_error**);
    strata_project* project = NULL;
    strata_result* result = NULL;
    if (handle == NULL) {
      fprintf(stderr, "%s\n", dlerror());
      exit(2);
    }
    *(void**)&open = dlsym(handle, "strata_project_open");
    *(void**)&get = dlsym(handle, "strata_project_get");
    *(void**)&free_project = dlsym(handle, "strata_project_free");
    *(void**)&free_result = dlsym(handle, "strata_result_free");
    *(void**)&all = dlsym(handle, "strata_project_all");
    CHECK(open(strata_text_of(kHiera), NULL, &project, NULL) == STRATA_OK);
    CHECK(get(project, strata_text_of("db01"), strata_text_of(kQuery), NULL, &result, NULL) == STRATA_OK);
    free_result(result);
    CHECK(all(project, strata_text_of(kQuery), ignore, NULL, NULL, NULL) == STRATA_OK); /* With threads of its own. */
    free_project(project);
    CHECK(dlclose(handle) == 0);
  }
}

int main(int count, char** words) {
  if (count != 2) return 2;
  test_reload(words[1]);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
