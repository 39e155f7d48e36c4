# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Sourced by the demos, which run in the root of the repository. STRATA names the program; by default it is the one that
# script/build made, or without a build the installed one.

# shellcheck disable=SC2034 # The demos use it.
strata=${STRATA:-$([[ -x build/strata ]] && echo build/strata || echo strata)}

# quoted ARGUMENT: as a shell reads it.
quoted() {
  if [[ $1 =~ ^[A-Za-z0-9_./:=,@%#+-]+$ ]]; then printf %s "$1"; else printf %s "${1@Q}"; fi
}

# show COMMAND...: prints the command, ready to be pasted, and runs it. A line of it has at most 100 columns if its words allow;
# an option stays with its argument.
show() {
  local line='$ ' word i
  local -a words=("$@")
  for ((i = 0; i < ${#words[@]}; ++i)); do
    word=$(quoted "${words[i]}")
    if [[ $word == -* && $word != *=* && ${words[i + 1]:--} != -* ]]; then
      ((++i))
      word+=" $(quoted "${words[i]}")"
    fi
    if [[ $((${#line} + ${#word})) -gt 98 ]]; then
      printf '%s\\\n' "$line"
      line='    '
    fi
    line+="$word "
  done
  printf '%s\n' "${line% }"
  "$@"
}
