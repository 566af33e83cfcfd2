// `proctor validate`.
import { CONFIGURE_JUDGE, missingJudge } from "../../../suites/judge/missing-judge.ts";
import type { Suite } from "../../../suites/suite.ts";
import type { ValidateFlags } from "../test/flags.ts";
import type { CommandContext } from "../../compose/compose.ts";
import { plural } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { oneLine, padEnd, textWidth } from "../../terminal/text.ts";
import { unjudged } from "../test/require-judge.ts";
import { loadSuites } from "../test/load-suites.ts";

export async function validateSuites(
  names: readonly string[],
  flags: ValidateFlags,
  context: CommandContext,
): Promise<number> {
  const suites = await loadSuites(names, context);
  const tests = suites.flatMap((suite) => suite.tests);
  const lacking = flags.withoutJudge === true ? [] : await unjudged(tests, {}, context);
  const exit = lacking.length === 0 ? 0 : 3;
  const screen = createScreen(context.io);
  if (flags.json === true) {
    const unevaluated = lacking.map(({ type, file, line, col }) => ({ type, file, line, col }));
    screen.printJson({ suites: suites.map(describe), unevaluated });
    return exit;
  }
  const columns = Math.max(...suites.map(({ file }) => textWidth(oneLine(file))));
  for (const { file, tests, agents } of suites) {
    const counts = `${plural(tests.length, "test")}, ${plural(agents.length, "agent")}`;
    screen.print(`${screen.paint.green("✓")} ${padEnd(oneLine(file), columns)}  ${screen.paint.dim(counts)}`);
  }
  const missing = missingJudge(lacking);
  if (missing !== undefined)
    screen.print(
      `${screen.paint.yellow("?")} ${oneLine(missing.place)}  ${missing.message}`,
      `  ${CONFIGURE_JUDGE}`,
    );
  return exit;
}

function describe({ file, name, tests, agents }: Suite): object {
  return {
    file,
    name,
    tests: tests.map(({ id, name: title, tags }) => ({ id, name: title, tags })),
    agents: agents.map((agent) => agent.name),
  };
}
