// One completion script per shell, from one tree.
import type { Command } from "commander";
import { readCommandTree } from "./command-tree.ts";
import { renderBash } from "./render-bash.ts";
import { renderFish } from "./render-fish.ts";
import { renderZsh } from "./render-zsh.ts";

const SHELLS: Readonly<Record<string, (tree: ReturnType<typeof readCommandTree>) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
};

/** `shell` is one of the choices the command offers. */
export function renderCompletion(program: Command, shell: string): string {
  return SHELLS[shell]?.(readCommandTree(program)) ?? "";
}
