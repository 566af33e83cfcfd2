// The branches of a shell's `case` for flags that take a value. Shells differ only in how they offer the values.
import type { CompletionCommand } from "./command-tree.ts";

/** `offer` writes what offers these values; it is given none where any value will do. */
export function valueCases(
  tree: readonly CompletionCommand[],
  offer: (choices: readonly string[]) => string,
): string {
  return tree
    .flatMap(({ path, flags }) =>
      flags
        .filter((flag) => flag.takesValue)
        .map((flag) => {
          const patterns = flag.names.map((name) => `"${path}|${name}"`).join("|");
          return `    ${patterns}) ${offer(flag.choices)}return ;;`;
        }),
    )
    .join("\n");
}
