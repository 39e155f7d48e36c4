# shellcheck shell=bash
# Sourced by the demos.

# show LINES COMMAND...: the command, cut to the width of a screen, and the first LINES lines of what it prints.
show() {
  local lines=$1 command output
  shift
  command="$*"
  [[ ${#command} -le 110 ]] || command="${command:0:110}…"
  printf '$ %s\n' "$command"
  output=$("$@") || return
  [[ -n $output ]] || return 0
  head -n "$lines" <<<"$output"
  [[ $(wc -l <<<"$output") -le $lines ]] || echo "…"
}
