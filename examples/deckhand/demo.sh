#!/usr/bin/env bash
# A site in four layers: services with defaults, a type, a region; a network that replaces the common one; a password.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

show() {
  printf '\n$ strata render %s\n' "$*"
  strata render "$@"
}

echo "What the services of the site will get (the one with the password is hidden):"
show --schema example/Service site
printf '\nThe same with the password:\n'
show --cleartext-secrets --name api site
printf '\nWhich file and line supplied each line of it:\n'
show --blame --name web site
printf '\nWhy it has so many workers:\n'
show --explain=/0/data/limits/workers --name web site
printf '\nWhether anything is wrong:\n'
show --check --strict site && echo "nothing is"
