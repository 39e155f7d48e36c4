/* Prints what a key is for a node, where each leaf of it was written, and what it overrides.
 *
 *     cc origins.c $(pkg-config --cflags --libs strata) -o origins
 *     ./origins examples/hiera examples/hiera/nodes db01 accounts::users
 */
#include <stdio.h>
#include <stdlib.h>

#include <strata/strata.h>

static void print_text(FILE* file, strata_text text) { fwrite(text.data, 1, text.size, file); }

/* Says why a call failed. */
static int failed(strata_error* error) {
  print_text(stderr, strata_error_format(error));
  strata_error_free(error);
  return EXIT_FAILURE;
}

static void print_value(const strata_value* value, int depth) {
  size_t i;
  switch (strata_value_kind(value)) {
    case STRATA_MAPPING:
      putchar('\n');
      for (i = 0; i < strata_value_count(value); ++i) {
        printf("%*s", 2 * depth, "");
        print_text(stdout, strata_value_text(strata_value_key(value, i)));
        putchar(':');
        print_value(strata_value_item(value, i), depth + 1);
      }
      break;
    case STRATA_SEQUENCE:
      putchar('\n');
      for (i = 0; i < strata_value_count(value); ++i) {
        printf("%*s-", 2 * depth, "");
        print_value(strata_value_item(value, i), depth + 1);
      }
      break;
    case STRATA_INTEGER:
      printf(" %lld\n", (long long)strata_value_integer(value));
      break;
    case STRATA_DOUBLE:
      printf(" %g\n", strata_value_double(value));
      break;
    case STRATA_BOOLEAN:
      printf(" %s\n", strata_value_boolean(value) ? "true" : "false");
      break;
    case STRATA_NULL:
      printf(" null\n");
      break;
    default:
      putchar(' ');
      print_text(stdout, strata_value_text(value));
      putchar('\n');
  }
}

int main(int count, char** words) {
  strata_project* project = NULL;
  strata_result* result = NULL;
  strata_error* error = NULL;
  strata_text history;
  char options[1024];
  char query[512];

  if (count != 5) {
    fprintf(stderr, "usage: origins CODEDIR NODES NODE KEY\n");
    return EXIT_FAILURE;
  }
  if (strata_abi_version() < STRATA_ABI_VERSION) {
    fprintf(stderr, "the library is older than this program\n");
    return EXIT_FAILURE;
  }
  snprintf(options, sizeof options, "{\"verb\": \"lookup\", \"codedir\": \"%s\", \"nodes\": \"%s\"}", words[1], words[2]);
  snprintf(query, sizeof query, "{\"keys\": [\"%s\"], \"history\": true}", words[4]);

  if (strata_project_open(strata_text_of(options), NULL, &project, &error) != STRATA_OK) return failed(error);
  if (strata_project_get(project, strata_text_of(words[3]), strata_text_of(query), NULL, &result, &error) != STRATA_OK) {
    strata_project_free(project);
    return failed(error);
  }
  printf("%s:", words[4]);
  print_value(strata_result_value(result), 1);
  print_text(stdout, strata_result_blame(result));
  if (strata_result_explain(result, strata_text_of(""), &history, &error) != STRATA_OK) {
    strata_result_free(result);
    strata_project_free(project);
    return failed(error);
  }
  print_text(stdout, history);
  strata_result_free(result);
  strata_project_free(project);
  return EXIT_SUCCESS;
}
