// `proctor validate`.
import type { Suite } from "../../suites/suite.ts";
import type { ValidateFlags } from "../commands/validate.ts";
import type { CommandContext } from "../context.ts";
import { plural } from "../terminal/amounts.ts";
import { createScreen } from "../terminal/screen.ts";
import { oneLine, padEnd, textWidth } from "../terminal/text.ts";
import { loadSuites } from "./load-suites.ts";

export async function validateSuites(
  names: readonly string[],
  flags: ValidateFlags,
  context: CommandContext,
): Promise<number> {
  const suites = await loadSuites(names, context);
  const screen = createScreen(context.io);
  if (flags.json === true) {
    screen.printJson({ suites: suites.map(describe) });
    return 0;
  }
  const columns = Math.max(...suites.map(({ file }) => textWidth(oneLine(file))));
  for (const { file, tests, agents } of suites) {
    const counts = `${plural(tests.length, "test")}, ${plural(agents.length, "agent")}`;
    screen.print(`${screen.paint.green("✓")} ${padEnd(oneLine(file), columns)}  ${screen.paint.dim(counts)}`);
  }
  return 0;
}

function describe({ file, name, tests, agents }: Suite): object {
  return {
    file,
    name,
    tests: tests.map(({ id, name: title, tags }) => ({ id, name: title, tags })),
    agents: agents.map((agent) => agent.name),
  };
}
