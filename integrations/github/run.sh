#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The step of action.yml: annotations for what strata check finds, and the impact of the change in the summary and in one comment of the pull request.
# Reads the STRATA_… that action.yml sets, and the variables of a runner (GITHUB_…, RUNNER_TEMP). Manual: docs/ci.md.
# Exit status: 0; 1 for findings; 2 for wrong inputs; 3 if strata has no answer.
set -euo pipefail

say() { # say error|warning TEXT: an annotation
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  echo "::$1 title=strata::${text//$'\n'/%0A}"
}

fail() { # fail STATUS TEXT
  say error "$2"
  exit "$1"
}

work=$(mktemp -d "${RUNNER_TEMP:-/tmp}/strata.XXXXXX")
question=${STRATA_PROJECT:?}
[[ $question == @?* ]] || fail 2 "the input 'project' is '$question': give the name of a project of .strata.yaml, like @fleet"

install_package() {
  local package=$1 file
  case $package in
    *://*) ;;
    *.deb) [[ $package == /* ]] || package=$PWD/$package ;;
    *) package=${STRATA_RELEASES:?}/v$package/strata_${package}_$(dpkg --print-architecture).deb ;;
  esac
  file=$work/strata.deb
  if [[ $package == *://* ]]; then
    curl --fail --silent --show-error --location --max-time 300 --output "$file" "$package" || fail 3 "$package cannot be fetched"
  else
    cp "$package" "$file" || fail 2 "the package $package is missing"
  fi
  if [[ -n ${STRATA_SHA256:-} ]] && ! sha256sum --quiet --check <<<"$STRATA_SHA256  $file" >&2; then
    fail 2 "$package has another checksum than the input 'sha256' says"
  fi
  local as_root=()
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  "${as_root[@]}" apt-get install --yes --quiet "$file" >&2 || fail 3 "$package cannot be installed"
}

# The checkout was made by the runner, perhaps as another user than the one of this container: git and strata trust it in this step. git takes the variables,
# strata, whose library of git does not know them, the file.
trust_checkout() {
  local top=$PWD count=${GIT_CONFIG_COUNT:-0} own=${XDG_CONFIG_HOME:-${HOME:-}/.config}/git/config
  while [[ $top != / && ! -e $top/.git ]]; do top=$(dirname "$top"); done
  mkdir -p "$work/config/git"
  [[ ! -f $own ]] || cp "$own" "$work/config/git/config"
  git config --file "$work/config/git/config" --add safe.directory "$top"
  export XDG_CONFIG_HOME=$work/config
  export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$top" GIT_CONFIG_COUNT=$((count + 1))
}

# Where the change begins: a revision, or nothing if there is none.
begin_of_change() {
  local base=${GITHUB_BASE_REF:-} before=${STRATA_BEFORE:-}
  if [[ -n ${STRATA_FROM:-} ]]; then
    echo "$STRATA_FROM"
  elif [[ -n $base ]]; then
    # A checkout has only the newest commit, unless its fetch-depth says otherwise.
    local depth=()
    [[ $(git rev-parse --is-shallow-repository) == false ]] || depth=(--unshallow)
    git fetch --quiet --no-tags "${depth[@]}" origin "+refs/heads/$base:refs/remotes/origin/$base" >&2 || return 1
    git merge-base "refs/remotes/origin/$base" HEAD
  elif [[ -n ${before//0/} ]] && git cat-file -e "$before^{commit}" 2>/dev/null; then
    echo "$before"
  else
    git rev-parse --verify --quiet 'HEAD^' || true
  fi
}

# api METHOD PATH [BODY]: asks GitHub. The token is in no list of processes.
api() {
  local body=()
  [[ $# -lt 3 ]] || body=(--header 'Content-Type: application/json' --data-binary "@$3")
  printf 'header = "Authorization: Bearer %s"\n' "$STRATA_TOKEN" | curl --fail --silent --show-error --max-time 60 --config - --request "$1" \
    --header 'Accept: application/vnd.github+json' "${body[@]}" "${GITHUB_API_URL:?}/repos/${GITHUB_REPOSITORY:?}/$2"
}

# comment FILE NUMBER: sets the comment of the pull request with this number to the contents of FILE. A change without effects is reported only if a comment exists.
comment() {
  local marker="<!-- strata impact $question -->" page known='' some
  for ((page = 1; page <= 30; ++page)); do
    some=$(api GET "issues/$2/comments?per_page=100&page=$page") || return 1
    known=$(jq -r --arg marker "$marker" '[.[] | select(.body | startswith($marker))] | (map(select(.user.type == "Bot")) + .)[0].id // empty' <<<"$some")
    [[ -z $known && $(jq length <<<"$some") -eq 100 ]] || break
  done
  jq -n --arg marker "$marker" --rawfile text "$1" '{body: ($marker + "\n" + $text)}' >"$work/body.json"
  if [[ -n $known ]]; then
    api PATCH "issues/comments/$known" "$work/body.json" >/dev/null
  elif [[ $changed == true ]]; then
    api POST "issues/$2/comments" "$work/body.json" >/dev/null
  fi
}

[[ -z ${STRATA_VERSION:-} ]] || install_package "$STRATA_VERSION"
command -v strata >/dev/null || fail 2 "strata is not on the PATH: give the input 'version'"
command -v git >/dev/null || fail 2 "git is not on the PATH: run the job without 'container', or in an image with git"
trust_checkout

options=()
[[ ${STRATA_STRICT:-false} != true ]] || options+=(--strict)
# No file of the repository can give these.
[[ ${STRATA_ALLOW_PROGRAMS:-false} != true ]] || options+=(--allow-programs)
[[ ${STRATA_ALLOW_NETWORK:-false} != true ]] || options+=(--allow-network)
known_findings=()
[[ ! -f ${STRATA_BASELINE:-} ]] || known_findings=(--baseline "$STRATA_BASELINE")

status=0
strata check "${options[@]}" "${known_findings[@]}" --output github "$question" || status=$?
case $status in
  0 | 1) ;;
  *) fail "$status" "strata check has no answer: its message is in the log" ;;
esac
strata check --exit-zero "${options[@]}" "${known_findings[@]}" --output sarif "$question" >"$work/strata.sarif"

from=$(begin_of_change) || fail 3 "the commit where the pull request begins is not known: give the input 'from'"
changed=false
if [[ -n $from ]]; then
  found=0
  strata impact "${options[@]}" --from "$from" --output markdown "$question" >"$work/impact.md" || found=$?
  case $found in
    0) ;;
    1) changed=true ;;
    *) fail "$found" "strata impact has no answer: its message is in the log" ;;
  esac
  cat "$work/impact.md" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"
  if [[ ${STRATA_COMMENT:-true} == true && ${GITHUB_REF:-} =~ ^refs/pull/([0-9]+)/ ]]; then
    number=${BASH_REMATCH[1]}
    if ! command -v jq >/dev/null || ! command -v curl >/dev/null; then
      say warning "the comment needs jq and curl in the image of the job"
    elif [[ -z ${STRATA_TOKEN:-} ]] || ! comment "$work/impact.md" "$number"; then
      say warning "the pull request has no comment: the token may not write it (permission pull-requests: write; pull requests of forks never have it)"
    fi
  fi
fi
{
  echo "sarif=$work/strata.sarif"
  echo "impact=$work/impact.md"
  echo "changed=$changed"
} >>"${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
