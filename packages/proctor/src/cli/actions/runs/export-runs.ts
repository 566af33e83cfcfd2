// `proctor runs export`: runs that are over, to a collector of traces.
import { isTerminal } from "../../../core/run.ts";
import { readLog } from "../../../suites/run/subject.ts";
import type { ExportFlags } from "../../commands/runs.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { requireOption } from "../../options.ts";
import { plural } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findRun } from "./find-run.ts";
import { openTraces } from "../open-traces.ts";

export function exportRuns(
  references: readonly string[],
  flags: ExportFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const url = requireOption(
    flags.otlp,
    "--otlp <url>",
    "proctor runs export <id> --otlp http://localhost:4318",
  );
  return withHub(context, flags, "read", async ({ hub, composition }) => {
    let problems = 0;
    const traces = await openTraces(url, composition, io, () => void problems++);
    try {
      for (const reference of references) {
        const run = await findRun(hub, reference);
        const { id } = run;
        if (!isTerminal(run.status))
          io.stderr.write(`warning: run ${id} is ${run.status}: sent as it is now\n`);
        await traces.send(run, readLog(id, hub));
      }
    } finally {
      await traces.close();
    }
    if (problems === 0) createScreen(io).print(`${plural(references.length, "run")} sent to ${url}`);
    return problems === 0 ? 0 : 1;
  });
}
