// SPDX-License-Identifier: Apache-2.0
// strata completions SHELL: what makes a shell complete command lines of strata. The shells ask `strata complete`; no
// table is in the scripts.
#include <array>
#include <string_view>

#include "command.hpp"
#include "output.hpp"

namespace strata::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string_view script;
};

constexpr std::string_view kBash = R"sh(# bash completion for strata; made by: strata completions bash
_strata() {
  local program=${1/#\~/$HOME} rest=${COMP_LINE-} word candidate quoted breaks cut='' i apart
  local -a words=()
  # bash takes words apart at = and :, even in the middle; the line tells what belongs together.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    apart=1
    if [[ -n $rest ]]; then
      [[ $rest == [[:space:]]* ]] || apart=0
      rest=${rest#"${rest%%[![:space:]]*}"}
      rest=${rest#"$word"}
    elif [[ -n ${COMP_LINE-} ]]; then
      apart=0
    fi
    if ((i == 0 || apart)); then
      words+=("$word")
    else
      words[${#words[@]} - 1]+=$word
    fi
  done
  words=("${words[@]//[\'\"\\]/}")
  # What is replaced begins behind the last such character.
  word=${words[${#words[@]} - 1]}
  breaks=${COMP_WORDBREAKS//[^=:]/}
  [[ -z $breaks ]] || cut=${word%"${word##*[$breaks]}"}
  COMPREPLY=()
  while IFS=$'\t' read -r candidate _; do
    candidate=${candidate#"$cut"}
    if [[ $candidate == '~'* ]]; then
      printf -v quoted '~%q' "${candidate:1}"
    else
      printf -v quoted '%q' "$candidate"
    fi
    [[ -z $candidate ]] || COMPREPLY+=("$quoted")
  done < <("$program" complete -- "${words[@]:1}" 2>/dev/null)
  if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *[/=] ]]; then
    compopt -o nospace 2>/dev/null
  fi
  return 0
}
complete -o nosort -F _strata strata
)sh";

constexpr std::string_view kZsh = R"sh(#compdef strata
# zsh completion for strata; made by: strata completions zsh
_strata() {
  local line candidate about
  local -a whole begun whole_shown begun_shown
  for line in "${(@f)$("${(Q)words[1]/#\~/$HOME}" complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
    candidate=${line%%$'\t'*}
    [[ -n $candidate ]] || continue
    about=
    [[ $line != *$'\t'* ]] || about="  -- ${line#*$'\t'}"
    if [[ $candidate == *[/=] ]]; then
      begun+=("$candidate")
      begun_shown+=("$candidate$about")
    else
      whole+=("$candidate")
      whole_shown+=("$candidate$about")
    fi
  done
  (( ! $#whole )) || compadd -l -V strata -d whole_shown -a -- whole
  (( ! $#begun )) || compadd -l -V strata-begun -S '' -d begun_shown -a -- begun
}
if [[ ${zsh_eval_context[-1]} == loadautofunc ]]; then
  _strata "$@"
elif (( $+functions[compdef] )); then
  compdef _strata strata
fi
)sh";

constexpr std::string_view kFish = R"sh(# fish completion for strata; made by: strata completions fish
function __strata_complete
    set -l words (commandline -opc)
    $words[1] complete -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c strata -f -k -a '(__strata_complete)'
)sh";

constexpr std::array<Shell, 3> kShells{{{"bash", kBash}, {"zsh", kZsh}, {"fish", kFish}}};

class CompletionsCommand final : public Command {
 public:
  void add_to(Arguments& program) override {
    command_ = program.add_subcommand("completions", "print a script that completes command lines in a shell");
    std::vector<std::string> names;
    names.reserve(kShells.size());
    for (const Shell& shell : kShells) names.emplace_back(shell.name);
    command_.add_option("SHELL", shell_, "the shell").one_of(names).required();
  }
  [[nodiscard]] bool is_chosen() const override { return command_.is_given(); }
  SharedOptions& options() override { return options_; }
  [[nodiscard]] int error_status() override { return 1; }

  int execute(const std::vector<std::string>& /*words*/) override {
    for (const Shell& shell : kShells) {
      if (shell.name == shell_) print(shell.script);
    }
    flush_output();
    return 0;
  }

 private:
  Arguments command_;
  SharedOptions options_;
  std::string shell_;
};

const Registration completions_registration({.name = "completions",
                                             .place = 920,
                                             .make = []() -> std::unique_ptr<Command> {
                                               return std::make_unique<CompletionsCommand>();
                                             },
                                             .examples = {"strata completions bash", "strata completions fish"},
                                             .page = "manuals.md"});

}  // namespace

}  // namespace strata::cli
