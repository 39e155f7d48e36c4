// SPDX-License-Identifier: Apache-2.0
/* Each function with each misuse: a status and an error, or an empty answer; never a crash. And what is right beside it. Run in the root of the source. */
#include <math.h>

#include "check.h"

static const char kHiera[] = "{\"verb\": \"lookup\", \"codedir\": \"examples/hiera\", \"nodes\": \"examples/hiera/nodes\"}";
static const char kUsers[] = "{\"keys\": [\"accounts::users\"], \"history\": true}";

static int32_t count_names(void* self, strata_text name) {
  CHECK(name.data[name.size] == '\0');
  ++*(int*)self;
  return 0;
}
static int32_t stop_at_once(void* self, strata_text name) {
  (void)name;
  ++*(int*)self;
  return 1;
}
static int32_t count_results(void* self, strata_text subject, const strata_result* result, const strata_error* error) {
  CHECK((result == NULL) != (error == NULL));
  CHECK(subject.size != 0);
  ++*(int*)self;
  return 0;
}
static int32_t stop_results(void* self, strata_text subject, const strata_result* result, const strata_error* error) {
  (void)subject, (void)result, (void)error;
  ++*(int*)self;
  return 1;
}

static strata_text no_data(void) {
  strata_text text = {NULL, 7};
  return text;
}

static void test_open(void) {
  strata_project* project = (strata_project*)&failures;
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_open(strata_text_of(kHiera), NULL, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_open(no_data(), NULL, &project, &error));
  CHECK(project == NULL);
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of(""), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("[]"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": \"look\"}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": \"lookup\", \"codedri\": \".\"}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": \"lookup\", \"codedir\": {\"a\": 1}}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": \"lookup\", \"words\": [\"x\"]}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"words\": []}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"words\": [1]}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"words\": [\"lookup\", \"--no-such\"]}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"words\": [\"lookup\", \"--help\"]}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"words\": [\"serve\"]}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"project\": \"@x\", \"codedir\": \".\"}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"project\": \"@x\", \"seconds\": 0}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": NaN}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"project\": \"@x\", \"threads\": \"2\"}"), NULL, &project, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_open(strata_text_of("{\"verb\": \"lookup\", \"folder\": \"a\\u0000b\"}"), NULL, &project, &error));
  MUST_FAIL(STRATA_FAILED, "workspace.project", strata_project_open(strata_text_of("{\"project\": \"@no-such\", \"folder\": \"examples\"}"), NULL, &project, &error));
  CHECK(project == NULL);
  CHECK(strata_project_open(strata_text_of("{"), NULL, &project, NULL) == STRATA_MISUSE);
  {
    strata_files files;
    memset(&files, 0, sizeof files);
    MUST_FAIL(STRATA_MISUSE, "call.files", strata_project_open(strata_text_of(kHiera), &files, &project, &error));
    files.size = sizeof files;
    MUST_FAIL(STRATA_MISUSE, "call.files", strata_project_open(strata_text_of(kHiera), &files, &project, &error));
  }
  strata_project_free(NULL);
}

static void test_project(strata_project* project) {
  int count = 0;
  strata_result* result = (strata_result*)&failures;
  const strata_text db01 = strata_text_of("db01");
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_refresh(NULL, &error));
  CHECK(strata_project_refresh(project, NULL) == STRATA_OK);

  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_subjects(NULL, count_names, &count, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_subjects(project, NULL, &count, &error));
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_subjects(project, stop_at_once, &count, &error));
  CHECK(count == 1);
  count = 0;
  CHECK(strata_project_subjects(project, count_names, &count, NULL) == STRATA_OK);
  CHECK(count == 12);
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_subjects_with_cancel(NULL, count_names, &count, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_subjects_with_cancel(project, NULL, &count, NULL, &error));
  count = 0;
  CHECK(strata_project_subjects_with_cancel(project, count_names, &count, NULL, NULL) == STRATA_OK);
  CHECK(count == 12);

  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_known(NULL, db01, strata_text_of(kUsers), &result, &error));
  CHECK(result == NULL);
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_known(project, db01, strata_text_of(kUsers), NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_known(project, no_data(), strata_text_of(kUsers), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_known(project, db01, no_data(), &result, &error));
  {
    strata_result* known = (strata_result*)&failures;
    CHECK(strata_project_known(project, db01, strata_text_of(kUsers), &known, NULL) == STRATA_OK && known == NULL);
    CHECK(strata_project_get(project, db01, strata_text_of(kUsers), NULL, &result, NULL) == STRATA_OK);
    CHECK(strata_project_known(project, db01, strata_text_of(kUsers), &known, NULL) == STRATA_OK && known != NULL);
    CHECK(text_is(strata_result_json(known), strata_result_json(result).data));
    strata_result_free(known);
    strata_result_free(result);
  }

  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_get(NULL, db01, strata_text_of(kUsers), NULL, &result, &error));
  CHECK(result == NULL);
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_get(project, db01, strata_text_of(kUsers), NULL, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_get(project, no_data(), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_get(project, db01, no_data(), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("x"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.subject",
            strata_project_get(project, strata_text_of("{\"name\": \"x\", \"facts\": {\"a\": NaN}}"), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.subject",
            strata_project_get(project, strata_text_of("{\"name\": \"x\", \"facts\": null}"), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_check_with_cancel(NULL, strata_text_of(""), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_merge_with_cancel(strata_text_of("{}"), NULL, NULL, &error));
  CHECK(strata_error_status(NULL) == STRATA_OK);
  {
    strata_error* error = NULL;
    CHECK(strata_project_get(project, db01, strata_text_of("{\"keys\": [\"no::such\"]}"), NULL, &result, &error) == STRATA_NOT_FOUND);
    CHECK(strata_error_status(error) == STRATA_NOT_FOUND);
    strata_error_free(error);
  }
  {
    strata_cancel* cancel = strata_cancel_new();
    strata_cancel_trigger(cancel);
    MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_check_with_cancel(project, strata_text_of(""), cancel, &result, &error));
    MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_merge_with_cancel(strata_text_of("{}"), cancel, &result, &error));
    MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_subjects_with_cancel(project, count_names, &count, cancel, &error));
    CHECK(count == 12);
    strata_cancel_free(cancel);
  }
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("[]"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("{\"key\": [\"a\"]}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("{\"keys\": {}}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("{\"history\": 1}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("{\"default\": 1}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_get(project, db01, strata_text_of("{\"keys\": [\"a\"], \"merge\": 1}"), NULL, &result, &error));
  MUST_FAIL(STRATA_FAILED, "subject.unknown", strata_project_get(project, strata_text_of("db1"), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_FAILED, "subject.unknown", strata_project_get(project, strata_text_of(""), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.subject", strata_project_get(project, strata_text_of("{"), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.subject", strata_project_get(project, strata_text_of("{\"facts\": {}}"), strata_text_of(kUsers), NULL, &result, &error));
  MUST_FAIL(STRATA_NOT_FOUND, "hiera.not-found", strata_project_get(project, db01, strata_text_of("{\"keys\": [\"no::such\"]}"), NULL, &result, &error));
  CHECK(result == NULL);

  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_all(NULL, strata_text_of(kUsers), count_results, &count, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_all(project, strata_text_of(kUsers), NULL, &count, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_all(project, no_data(), count_results, &count, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.query", strata_project_all(project, strata_text_of("{\"a\": 1}"), count_results, &count, NULL, &error));
  count = 0;
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_all(project, strata_text_of(kUsers), stop_results, &count, NULL, &error));
  CHECK(count == 1);
  count = 0;
  CHECK(strata_project_all(project, strata_text_of(kUsers), count_results, &count, NULL, NULL) == STRATA_OK);
  CHECK(count == 12);

  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_check(NULL, strata_text_of(""), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_check(project, strata_text_of(""), NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_check(project, no_data(), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_check(project, strata_text_of("{\"select\": [\"no-such\"]}"), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_check(project, strata_text_of("{\"fix\": true}"), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_impact(NULL, strata_text_of("{}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_impact(project, strata_text_of("{}"), NULL, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_impact(project, no_data(), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.edits", strata_project_impact(project, strata_text_of("{\"a\": 1}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.edits", strata_project_impact(project, strata_text_of("{\"\": \"x\"}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.edits", strata_project_impact(project, strata_text_of("nothing"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_diff(NULL, strata_text_of(""), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_project_diff(project, strata_text_of(""), NULL, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_diff(project, strata_text_of("{\"form\": \"x\"}"), NULL, &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_diff(project, strata_text_of("{\"edits\": []}"), NULL, &result, &error));
  CHECK(result == NULL);
}

static void test_cancel(strata_project* project) {
  strata_cancel* cancel = strata_cancel_new();
  strata_result* result = NULL;
  int count = 0;
  strata_cancel_trigger(NULL);
  strata_cancel_free(NULL);
  CHECK(cancel != NULL);
  CHECK(strata_project_get(project, strata_text_of("db01"), strata_text_of(kUsers), cancel, &result, NULL) == STRATA_OK);
  strata_result_free(result);
  strata_cancel_trigger(cancel);
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_get(project, strata_text_of("db01"), strata_text_of(kUsers), cancel, &result, &error));
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_get(project, strata_text_of("db02"), strata_text_of(""), cancel, &result, &error));
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_all(project, strata_text_of(kUsers), count_results, &count, cancel, &error));
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_impact(project, strata_text_of("{\"a\": null}"), cancel, &result, &error));
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_project_diff(project, strata_text_of("{\"edits\": {\"a\": null}}"), cancel, &result, &error));
  CHECK(count == 0 && result == NULL);
  strata_cancel_free(cancel);
  CHECK(strata_project_get(project, strata_text_of("db02"), strata_text_of(""), NULL, &result, NULL) == STRATA_OK);
  strata_result_free(result);
}

static void test_result(strata_project* project) {
  strata_result* result = NULL;
  strata_result* held;
  strata_text json = {NULL, 0};
  const strata_value* users;
  const strata_value* alice;
  CHECK(strata_project_get(project, strata_text_of("db01"), strata_text_of(kUsers), NULL, &result, NULL) == STRATA_OK);
  users = strata_result_value(result);
  CHECK(strata_value_kind(users) == STRATA_MAPPING && strata_value_count(users) > 0);
  alice = strata_value_member(users, strata_text_of("alice"));
  CHECK(strata_value_kind(alice) == STRATA_MAPPING);
  CHECK(strata_value_kind(strata_value_key(users, 0)) == STRATA_TEXT);
  CHECK(strata_value_item(users, strata_value_count(users)) == NULL && strata_value_key(users, 1000000) == NULL);
  CHECK(strata_value_member(users, strata_text_of("nobody")) == NULL && strata_value_member(alice, no_data()) == NULL);
  /* Of another kind. */
  CHECK(strata_value_integer(users) == 0 && strata_value_boolean(users) == 0 && strata_value_text(users).size == 0);
  CHECK(strata_value_member(strata_value_key(users, 0), strata_text_of("x")) == NULL && strata_value_key(strata_value_key(users, 0), 0) == NULL);
  CHECK(strata_value_count(strata_value_key(users, 0)) == 0);
  CHECK(text_has(strata_result_json(result), "\"alice\"") && text_has(strata_result_yaml(result), "alice:"));
  CHECK(text_has(strata_result_text(result), "---\n") && text_has(strata_result_blame(result), "\"/alice"));
  CHECK(text_is(strata_result_warnings(result), "[]\n"));
  CHECK(strata_result_json(result).data == strata_result_json(result).data);
  CHECK(strata_result_explain(result, strata_text_of("/alice"), &json, NULL) == STRATA_OK && text_has(json, "\"fate\": \"won\""));
  MUST_FAIL(STRATA_NOT_FOUND, "explain.path", strata_result_explain(result, strata_text_of("/no/such"), &json, &error));
  MUST_FAIL(STRATA_FAILED, "pointer.syntax", strata_result_explain(result, strata_text_of("alice"), &json, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_result_explain(NULL, strata_text_of(""), &json, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_result_explain(result, strata_text_of(""), NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_result_explain(result, no_data(), &json, &error));
  CHECK(json.data == NULL && json.size == 0);
  CHECK(strata_result_is_secret(result, strata_text_of("")) == 0 && strata_result_is_secret(result, strata_text_of("no pointer")) == 0);
  held = strata_result_hold(result);
  strata_result_free(result);
  CHECK(strata_value_kind(strata_value_member(users, strata_text_of("alice"))) == STRATA_MAPPING);
  strata_result_free(held);

  CHECK(strata_project_get(project, strata_text_of("db01"), strata_text_of("{\"keys\": \"accounts::users\"}"), NULL, &result, NULL) == STRATA_OK);
  MUST_FAIL(STRATA_MISUSE, "call.history", strata_result_explain(result, strata_text_of(""), &json, &error));
  strata_result_free(result);

  CHECK(strata_result_value(NULL) == NULL && strata_result_json(NULL).data == NULL && strata_result_yaml(NULL).data == NULL);
  CHECK(strata_result_text(NULL).data == NULL && strata_result_blame(NULL).data == NULL && strata_result_warnings(NULL).data == NULL);
  CHECK(strata_result_is_secret(NULL, strata_text_of("")) == 0 && strata_result_hold(NULL) == NULL);
  strata_result_free(NULL);
}

static void test_values(void) {
  static const char request[] =
      "{\"verb\": \"merge\", \"args\": [\"a.yaml\"], \"files\": {\"a.yaml\": \"#cloud-config\\nint: -5\\nbig: 123456789012345678901234567890\\n"
      "float: 1.5\\ninf: .inf\\nyes: true\\nnone: ~\\nday: 2026-11-25\\nwhen: 2026-11-25 10:20:30.5+01:00\\nbytes: !!binary aGk=\\nset: !!set {a, b}\\n"
      "list: [x]\\nzero: \\\"x\\\\0y\\\"\\n\"}}";
  strata_result* result = NULL;
  strata_error* error = NULL;
  strata_time time;
  const strata_value* root;
  if (strata_merge(strata_text_of(request), &result, &error) != STRATA_OK) {
    fprintf(stderr, "%s", strata_error_format(error).data);
    exit(2);
  }
  root = strata_result_value(result);
#define MEMBER(name) strata_value_member(root, strata_text_of(name))
  CHECK(strata_value_kind(MEMBER("int")) == STRATA_INTEGER && strata_value_integer(MEMBER("int")) == -5);
  CHECK(fabs(strata_value_double(MEMBER("int")) + 5) < 1e-9);
  CHECK(strata_value_kind(MEMBER("big")) == STRATA_BIG_INTEGER && text_is(strata_value_text(MEMBER("big")), "123456789012345678901234567890"));
  CHECK(strata_value_kind(MEMBER("float")) == STRATA_DOUBLE && fabs(strata_value_double(MEMBER("float")) - 1.5) < 1e-9);
  CHECK(isinf(strata_value_double(MEMBER("inf"))));
  CHECK(strata_value_kind(MEMBER("none")) == STRATA_NULL && strata_value_kind(MEMBER("nothing")) == STRATA_ABSENT);
  CHECK(strata_value_kind(MEMBER("day")) == STRATA_DATE && strata_value_kind(MEMBER("when")) == STRATA_TIMESTAMP);
  time.size = 3;
  CHECK(strata_value_time(MEMBER("day"), &time) == 0 && strata_value_time(MEMBER("day"), NULL) == 0);
  time.size = sizeof time;
  CHECK(strata_value_time(MEMBER("int"), &time) == 0 && strata_value_time(NULL, &time) == 0);
  CHECK(strata_value_time(MEMBER("day"), &time) == 1 && time.year == 2026 && time.month == 11 && time.day == 25 && time.hour == 0);
  CHECK(strata_value_time(MEMBER("when"), &time) == 1 && time.minute == 20 && time.microsecond == 500000 && time.zone_seconds == 3600);
  CHECK(strata_value_kind(MEMBER("bytes")) == STRATA_BINARY && text_is(strata_value_text(MEMBER("bytes")), "hi"));
  CHECK(strata_value_size(MEMBER("bytes")) == 2 && strata_value_size(MEMBER("big")) == 30 && strata_value_size(MEMBER("list")) == 0);
  CHECK(strata_value_size(MEMBER("zero")) == 3 && memcmp(strata_value_text(MEMBER("zero")).data, "x\0y", 4) == 0);
  CHECK(strata_value_kind(MEMBER("set")) == STRATA_SET && strata_value_count(MEMBER("set")) == 2);
  CHECK(text_is(strata_value_text(strata_value_key(MEMBER("set"), 1)), "b"));
  CHECK(text_is(strata_value_text(strata_value_item(MEMBER("list"), 0)), "x"));
  /* An infinite number has no JSON. */
  CHECK(strata_result_json(result).data == NULL && text_has(strata_result_yaml(result), "#cloud-config\n"));
  strata_result_free(result);
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_merge(strata_text_of(request), NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_merge(no_data(), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_merge(strata_text_of("{}"), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_merge(strata_text_of("{\"verb\": \"merge\", \"files\": []}"), &result, &error));
  MUST_FAIL(STRATA_FAILED, "part.missing", strata_merge(strata_text_of("{\"verb\": \"merge\", \"args\": [\"b\"], \"files\": {}}"), &result, &error));
  MUST_FAIL(STRATA_MISUSE, "call.keys", strata_merge(strata_text_of("{\"verb\": \"merge\", \"args\": [\"b\"], \"files\": {\"b\": \"#cloud-config\\na: 1\\n\"}, "
                                                                   "\"query\": {\"keys\": [\"a\"]}}"), &result, &error));
  CHECK(result == NULL);
}

static void test_null(void) {
  CHECK(strata_value_kind(NULL) == STRATA_ABSENT && strata_value_boolean(NULL) == 0 && strata_value_integer(NULL) == 0);
  CHECK(strata_value_text(NULL).size == 0 && strata_value_count(NULL) == 0 && strata_value_item(NULL, 0) == NULL);
  CHECK(strata_value_key(NULL, 0) == NULL && strata_value_member(NULL, strata_text_of("a")) == NULL && strata_value_is_secret(NULL) == 0);
  CHECK(strata_value_double(NULL) == 0.0 && strata_value_size(NULL) == 0);
  CHECK(strata_error_code(NULL).data == NULL && strata_error_message(NULL).data == NULL && strata_error_json(NULL).data == NULL);
  CHECK(strata_error_format(NULL).data == NULL);
  strata_error_free(NULL);
  CHECK(strata_abi_version() == STRATA_ABI_VERSION && strata_version().size >= 5);
  CHECK(strata_text_of(NULL).size == 0);
}

/* Files of the caller: one text at a time, given back each time. */
typedef struct memory {
  int lent;
} memory;
static int32_t read_file(void* self, strata_text path, strata_text* text) {
  const char* content = strcmp(path.data, "/site/a.yaml") == 0 ? "#cloud-config\na: 1\n" : strcmp(path.data, "/site/b.yaml") == 0 ? "#cloud-config\nb: 2\n" : NULL;
  if (content == NULL) return 1;
  text->size = strlen(content);
  text->data = memcpy(malloc(text->size), content, text->size); /* Not followed by a zero. */
  ++((memory*)self)->lent;
  return 0;
}
static int32_t kind_of_file(void* self, strata_text path) {
  (void)self;
  if (strcmp(path.data, "/") == 0 || strcmp(path.data, "/site") == 0) return 2;
  return strcmp(path.data, "/site/a.yaml") == 0 || strcmp(path.data, "/site/b.yaml") == 0 ? 1 : 0;
}
static void list_files(void* self, strata_text path, void (*add)(void* into, strata_text name), void* into) {
  (void)self;
  if (strcmp(path.data, "/") == 0) add(into, strata_text_of("site"));
  if (strcmp(path.data, "/site") != 0) return;
  add(into, strata_text_of("b.yaml"));
  add(into, strata_text_of("a.yaml"));
  add(into, strata_text_of("a.yaml"));
  add(into, strata_text_of("../evil"));
  add(into, no_data());
}
static void release_file(void* self, strata_text text) {
  free((void*)text.data);
  --((memory*)self)->lent;
}

static void test_files(void) {
  memory own = {0};
  strata_files files = {sizeof files, &own, read_file, kind_of_file, list_files, release_file};
  strata_project* project = NULL;
  strata_result* result = NULL;
  CHECK(strata_project_open(strata_text_of("{\"verb\": \"merge\", \"folder\": \"site\", \"args\": [\"a.yaml\", \"b.yaml\"]}"), &files, &project, NULL) ==
        STRATA_OK);
  CHECK(strata_project_get(project, strata_text_of(""), strata_text_of(""), NULL, &result, NULL) == STRATA_OK);
  CHECK(text_is(strata_result_json(result), "{\n  \"a\": 1,\n  \"b\": 2\n}\n") || text_is(strata_result_json(result), "{\n  \"b\": 2,\n  \"a\": 1\n}\n"));
  CHECK(text_has(strata_result_blame(result), "\"file\": \"a.yaml\""));
  CHECK(own.lent == 0);
  strata_result_free(result);
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_project_diff(project, strata_text_of("{\"from\": \"HEAD\"}"), NULL, &result, &error));
  CHECK(strata_project_diff(project, strata_text_of("{\"edits\": {\"a.yaml\": \"#cloud-config\\na: 2\\n\"}}"), NULL, &result, NULL) == STRATA_OK);
  CHECK(text_has(strata_result_json(result), "\"/a\"") && text_is(strata_result_blame(result), "[]\n"));
  strata_result_free(result);
  strata_project_free(project);
}

/* What a command printed. */
typedef struct streams {
  char text[2][1 << 16];
  size_t sizes[2];
  const char* input; /* Given byte by byte. */
  int refuses;       /* This stream. */
} streams;

static int32_t write_stream(void* self, int32_t stream, strata_text text) {
  streams* own = self;
  CHECK(stream == 1 || stream == 2);
  if (stream == own->refuses) return 1;
  CHECK(own->sizes[stream - 1] + text.size < sizeof own->text[0]);
  memcpy(own->text[stream - 1] + own->sizes[stream - 1], text.data, text.size);
  own->sizes[stream - 1] += text.size;
  own->text[stream - 1][own->sizes[stream - 1]] = '\0';
  return 0;
}
static int32_t read_stream(void* self, strata_text* text) {
  streams* own = self;
  if (own->input == NULL) return 1;
  text->data = own->input;
  text->size = *own->input == '\0' ? 0 : 1;
  own->input += text->size;
  return 0;
}

static streams told;

/* The exit status of a command; what it printed is in `told`. */
static int command(const char* options, const char* input, int refuses) {
  strata_console console = {sizeof console, &told, write_stream, read_stream};
  int32_t exit_status = -1;
  memset(&told, 0, sizeof told);
  told.input = input;
  told.refuses = refuses;
  CHECK(strata_command(strata_text_of(options), &console, NULL, &exit_status, NULL) == STRATA_OK);
  return exit_status;
}

static void test_command(void) {
  static const char kVersion[] = "{\"words\": [\"--version\"]}", kStdin[] = "{\"words\": [\"merge\", \"-\"]}";
  strata_console console = {sizeof console, &told, write_stream, NULL};
  strata_console small = console, silent = console;
  strata_cancel* cancel = strata_cancel_new();
  int32_t exit_status = -1;
  small.size = 4;
  silent.write = NULL;
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_command(strata_text_of(kVersion), NULL, NULL, &exit_status, &error));
  CHECK(exit_status == 0);
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_command(strata_text_of(kVersion), &console, NULL, NULL, &error));
  MUST_FAIL(STRATA_MISUSE, "call.null", strata_command(no_data(), &console, NULL, &exit_status, &error));
  MUST_FAIL(STRATA_MISUSE, "call.console", strata_command(strata_text_of(kVersion), &small, NULL, &exit_status, &error));
  MUST_FAIL(STRATA_MISUSE, "call.console", strata_command(strata_text_of(kVersion), &silent, NULL, &exit_status, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_command(strata_text_of("["), &console, NULL, &exit_status, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_command(strata_text_of("{\"words\": [1]}"), &console, NULL, &exit_status, &error));
  MUST_FAIL(STRATA_MISUSE, "call.options", strata_command(strata_text_of("{\"word\": []}"), &console, NULL, &exit_status, &error));
  strata_cancel_trigger(cancel);
  MUST_FAIL(STRATA_CANCELLED, "session.cancelled", strata_command(strata_text_of(kStdin), &console, cancel, &exit_status, &error));
  strata_cancel_free(cancel);

  CHECK(command(kVersion, NULL, 0) == 0 && strncmp(told.text[0], "strata ", 7) == 0 && told.sizes[1] == 0);
  CHECK(command(kStdin, "#cloud-config\na: 1\n", 0) == 0 && strcmp(told.text[0], "#cloud-config\na: 1\n") == 0 && told.sizes[1] == 0);
  CHECK(command(kStdin, NULL, 0) == 1 && told.sizes[0] == 0 && strstr(told.text[1], "tree.unreadable") != NULL);
  CHECK(command(kStdin, "#cloud-config\na: 1\n", 1) == 1 && strstr(told.text[1], "output.failed") != NULL);
  CHECK(command("{\"words\": [\"merge\", \"no-such\"]}", NULL, 2) == 1 && told.sizes[0] == 0);
  CHECK(command("{\"words\": [\"serve\"]}", NULL, 0) == 2 && told.sizes[1] != 0);
  CHECK(command("{}", NULL, 0) == 0 && strstr(told.text[0], "lookup") != NULL);
  CHECK(strata_command(strata_text_of(kStdin), &console, NULL, &exit_status, NULL) == STRATA_OK && exit_status == 1 &&
        strstr(told.text[1], "call.console") != NULL);
}

int main(void) {
  strata_project* project;
  test_null();
  test_open();
  test_values();
  test_files();
  test_command();
  project = opened(kHiera);
  test_project(project);
  test_cancel(project);
  test_result(project);
  strata_project_free(project);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
