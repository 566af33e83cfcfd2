// The command line from arguments to exit code. Starts nothing by itself: start.ts does, and tests do.
import type { CliIo } from "./cli-io.ts";
import type { Composition } from "./compose/compose.ts";
import { version } from "./version.ts";

export async function main(argv: readonly string[], io: CliIo, given?: Composition): Promise<number> {
  // The most frequent question of scripts and editors is answered before anything is loaded.
  if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) {
    io.stdout.write(`${version()}\n`);
    return 0;
  }
  try {
    const { runProgram } = await import("./program.ts");
    return await runProgram(argv, io, given ?? (await import("./compose/compose.ts")).composition);
  } catch (error) {
    const { reportError } = await import("./report-error.ts");
    return reportError(error, io, wantsJson(argv));
  }
}

function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end === -1 ? argv : argv.slice(0, end)).includes("--json");
}
