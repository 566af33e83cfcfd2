// `proctor completion`: a script that completes commands and flags in the user's shell.
import { Argument, type Command } from "commander";
import type { Execute } from "../compose/compose.ts";

const INSTALL = `
Examples:
  $ proctor completion bash > ~/.local/share/bash-completion/completions/proctor
  $ proctor completion zsh > "\${fpath[1]}/_proctor"
  $ proctor completion fish > ~/.config/fish/completions/proctor.fish
  $ source <(proctor completion bash)        only in this shell`;

export function defineCompletion(program: Command, execute: Execute): void {
  program
    .command("completion")
    .summary("print a completion script for a shell")
    .description("Print a script that completes commands and flags in your shell.")
    .addArgument(new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", INSTALL)
    .action((shell: string) =>
      execute(async ({ io }) => {
        const { renderCompletion } = await import("../completion/render-completion.ts");
        io.stdout.write(renderCompletion(program, shell));
        return 0;
      }),
    );
}
