# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts that run long commands, with the root of the repository as the working directory.
#
# A phase is one command. Its output goes to build/log/NAME.log. On a terminal its line counts in place; elsewhere the phase prints
# a line after five seconds, then at most one a minute. At the end one line names its duration; a phase that is shorter than
# phase_least seconds prints none. When the command fails, the useful lines of its log follow.
#
# Only one phase runs at a time in a clone, because ninja and npm do not lock their directories: a second script waits.
# Tested by tests/script/progress_test.py.

log_folder=build/log
phase_lock=${phase_lock:-build} # Phases with the same lock exclude each other.
phase_least=${phase_least:-2}

# duration SECONDS: 125 is "2 min 5 s".
duration() {
  if [[ $1 -lt 60 ]]; then echo "$1 s"; else echo "$(($1 / 60)) min $(($1 % 60)) s"; fi
}

# steps_done LOG: "12 of 345" from the last line that starts with [12/345] or 12/345, as those of ninja and ctest do.
steps_done() {
  tail -c 8192 "$1" 2>/dev/null | LC_ALL=C sed -nE 's#^ *\[?([0-9]+)/([0-9]+)[] ].*#\1 of \2#p' | tail -n 1
}

# report_progress LABEL LOG: runs until it is killed, or until the script is gone.
report_progress() {
  local start=$SECONDS next=5 steps took
  while kill -0 $$ 2>/dev/null; do
    steps=$(steps_done "$2")
    took=$((SECONDS - start))
    if [[ -t 1 ]]; then
      printf '\r\033[K%s %s' "$1" "${steps:-($(duration $took))}"
    elif [[ $took -ge $next ]]; then
      printf '%s %s\n' "$1" "${steps:-($(duration $took))}"
      next=$((took + 60))
    fi
    # Killing this function leaves sleep behind for a second; it must not keep the output of the script open.
    sleep 1 >/dev/null 2>&1
  done
}

# Prints the last lines of LOG.
last_lines() {
  tail -n 30 "$1"
}

# Prints the first errors of a compiler, a linker or ninja in LOG, each with the lines below it. Command lines are too long to help.
compile_errors() {
  awk '
    length > 400 { next }
    /error:|undefined reference|multiple definition|cannot find -l|No space left|[Kk]illed|^ninja: (error|fatal)/ { keep = 5 }
    keep-- > 0 { print; if (++printed == 40) exit }
    END { exit printed == 0 }
  ' "$1" || last_lines "$1"
}

# Prints the output of the failed tests in a LOG of ctest, the tests that have not ended, and the summary.
ctest_failures() {
  awk '
    /^ +Start +[0-9]+: / { keep = 0; running[$3] = 1; next }
    /^ *[0-9]+\/[0-9]+ +Test +#[0-9]+: / { delete running[$4]; keep = /\*\*\*/ && !/\*\*\*Skipped/ ? 200 : 0 }
    /^[0-9]+% tests passed/ { keep = 1000 }
    keep > 0 { print; printed = 1; if (--keep == 0) print "(more in the log)" }
    END { for (name in running) { print "not ended: " name; printed = 1 } exit !printed }
  ' "$1" || last_lines "$1"
}

# run_phase SCRIPT NAME TEXT COMMAND...: runs COMMAND and returns its exit status. TEXT says what it does ("compiling").
# The variable `explain` names the function that prints the useful lines of the log after a failure; last_lines by default.
# COMMAND must not rely on `set -e` if it is a function.
run_phase() {
  local log=$log_folder/$2.log label="$1: $3" name=$1 status=0 start reporter took
  shift 3
  mkdir -p "$log_folder"
  # `sudo script/bootstrap` must not leave a directory that the next script cannot write.
  [[ $(id -u) -ne 0 || -z ${SUDO_UID:-} ]] || chown "$SUDO_UID" build "$log_folder"
  exec 9>>"$log_folder/$phase_lock.lock"
  if command -v flock >/dev/null && ! flock --nonblock 9; then
    echo "$name: waiting for another script in this clone"
    flock 9
  fi
  rm -f "$log"
  : >"$log"
  start=$SECONDS
  report_progress "$label" "$log" 9>&- &
  reporter=$!
  # `timeout` signals the whole group. This shell outlives its command, to print what did not end.
  trap 'status=143' TERM
  "$@" >>"$log" 2>&1 9>&- || status=$?
  trap - TERM
  kill "$reporter" 2>/dev/null || true
  wait "$reporter" 2>/dev/null || true
  exec 9>&-
  took=$((SECONDS - start))
  [[ ! -t 1 ]] || printf '\r\033[K'
  if [[ $status -ne 0 ]]; then
    echo "$label failed after $(duration $took); from $log:" >&2
    "${explain:-last_lines}" "$log" >&2
    return "$status"
  fi
  [[ $took -lt $phase_least ]] || echo "$label took $(duration $took)"
}
