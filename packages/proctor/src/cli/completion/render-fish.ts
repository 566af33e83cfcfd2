// Completion for fish, with descriptions.
import type { CompletionCommand, CompletionFlag } from "./command-tree.ts";

export function renderFish(tree: readonly CompletionCommand[]): string {
  const lines = tree.flatMap((command) => [
    ...command.subcommands.map(({ name, description }) =>
      line(command.path, `-f -a ${quote(name)} -d ${quote(description)}`),
    ),
    ...command.choices.map((choice) => line(command.path, `-f -a ${quote(choice)}`)),
    ...command.flags.map((flag) => line(command.path, renderFlag(flag))),
  ]);
  return `# fish completion for proctor; made by: proctor completion fish
function __proctor_at
    set -l path
    for word in (commandline -opc)[2..-1]
        switch "$path|$word"
${pathCases(tree)}
        end
    end
    test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

function pathCases(tree: readonly CompletionCommand[]): string {
  return tree
    .filter(({ path }) => path !== "")
    .map(({ path }) => {
      const at = path.lastIndexOf(" ");
      const step = `${path.slice(0, Math.max(at, 0))}|${path.slice(at + 1)}`;
      return `            case ${quote(step)}\n                set path ${quote(path)}`;
    })
    .join("\n");
}

function line(path: string, rest: string): string {
  return `complete -c proctor -n ${quote(`__proctor_at '${path}'`)} ${rest}`;
}

function renderFlag({ names, description, takesValue, choices }: CompletionFlag): string {
  const spelled = names.map((name) =>
    name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`,
  );
  const value = takesValue ? (choices.length === 0 ? ["-r"] : ["-x", `-a ${quote(choices.join(" "))}`]) : [];
  return [...spelled, ...value, `-d ${quote(description)}`].join(" ");
}

function quote(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
