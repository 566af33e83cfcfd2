// Completion for zsh, with descriptions. Without a proposal of ours zsh completes file names.
import { pathCases } from "./render-bash.ts";
import type { CompletionCommand } from "./command-tree.ts";
import { valueCases } from "./value-cases.ts";

export function renderZsh(tree: readonly CompletionCommand[]): string {
  return `#compdef proctor
# zsh completion for proctor; made by: proctor completion zsh
_proctor() {
  local current="\${words[CURRENT]}" previous="\${words[CURRENT-1]}" path_="" word index
  local -a proposals flags
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "$path_|$word" in
${pathCases(tree).replaceAll('path="', 'path_="')}
    esac
  done
  case "$path_|$previous" in
${valueCases(tree, offer)}
  esac
  case "$path_" in
${wordCases(tree)}
  esac
  if [[ "$current" == -* ]]; then
    _describe 'option' flags
  elif (( \${#proposals} )); then
    _describe 'command' proposals
  else
    _files
  fi
}
if [[ "\${funcstack[1]}" == "_proctor" ]]; then
  _proctor "$@"
else
  compdef _proctor proctor
fi
`;
}

function offer(choices: readonly string[]): string {
  return choices.length === 0 ? "_files; " : `compadd -- ${choices.join(" ")}; `;
}

function wordCases(tree: readonly CompletionCommand[]): string {
  return tree
    .map(({ path, subcommands, flags, choices }) => {
      const proposals = [
        ...subcommands.map(({ name, description }) => quote(name, description)),
        ...choices.map((choice) => quote(choice, "")),
      ].join(" ");
      const options = flags
        .flatMap(({ names, description }) => names.map((name) => quote(name, description)))
        .join(" ");
      return `    "${path}") proposals=(${proposals}); flags=(${options}) ;;`;
    })
    .join("\n");
}

/** `name:description`, as _describe reads it, in single quotes. */
function quote(name: string, description: string): string {
  const text = description === "" ? name : `${name}:${description.replaceAll(":", "\\:")}`;
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
