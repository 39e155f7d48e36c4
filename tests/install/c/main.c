// SPDX-License-Identifier: Apache-2.0
/* Merges two texts in memory. */
#include <stdio.h>

#include <strata/strata.h>

int main(void) {
  static const char request[] =
      "{\"verb\": \"merge\", \"args\": [\"a\", \"b\"], \"files\": {\"a\": \"#cloud-config\\nntp: {servers: [a]}\\n\", \"b\": \"#cloud-config\\nntp: {enabled: true}\\n\"}}";
  strata_result* result = NULL;
  strata_error* error = NULL;
  if (strata_merge(strata_text_of(request), &result, &error) != STRATA_OK) {
    fputs(strata_error_format(error).data, stderr);
    strata_error_free(error);
    return 1;
  }
  printf("%d %zu\n", (int)strata_value_kind(strata_result_value(result)), strata_value_count(strata_result_value(result)));
  strata_result_free(result);
  return 0;
}
