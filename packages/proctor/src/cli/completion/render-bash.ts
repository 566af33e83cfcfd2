// Completion for bash. Without a proposal of ours bash completes file names.
import type { CompletionCommand } from "./command-tree.ts";
import { valueCases } from "./value-cases.ts";

export function renderBash(tree: readonly CompletionCommand[]): string {
  return `# bash completion for proctor; made by: proctor completion bash
_proctor() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" path="" word index
  local words="" flags="" choices=""
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$path|$word" in
${pathCases(tree)}
    esac
  done
  case "$path|$previous" in
${valueCases(tree, offer)}
  esac
  case "$path" in
${wordCases(tree)}
  esac
  if [[ "$current" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  fi
}
complete -o default -F _proctor proctor
`;
}

/** Which word leads from a command to one of its subcommands. */
export function pathCases(tree: readonly CompletionCommand[]): string {
  const steps = tree.filter(({ path }) => path !== "");
  return steps
    .map(({ path }) => {
      const at = path.lastIndexOf(" ");
      return `      "${path.slice(0, Math.max(at, 0))}|${path.slice(at + 1)}") path="${path}" ;;`;
    })
    .join("\n");
}

function offer(choices: readonly string[]): string {
  return choices.length === 0 ? "" : `COMPREPLY=($(compgen -W "${choices.join(" ")}" -- "$current")); `;
}

function wordCases(tree: readonly CompletionCommand[]): string {
  return tree
    .map(({ path, subcommands, flags, choices }) => {
      const words = [...subcommands.map(({ name }) => name), ...choices].join(" ");
      return `    "${path}") words="${words}"; flags="${flags.flatMap(({ names }) => names).join(" ")}" ;;`;
    })
    .join("\n");
}
