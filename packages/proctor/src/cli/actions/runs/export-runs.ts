// `proctor runs export`: a run as a suite, or runs that are over to a collector of traces.
import { isTerminal } from "../../../core/run.ts";
import { readLog } from "../../../core/read-log.ts";
import type { ExportFlags } from "./flags.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { plural } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { writeYaml } from "../../../runtime/yaml/write-yaml.ts";
import { suiteOfRun } from "../../../core/suite-of-run.ts";
import { ProctorError } from "../../../core/errors.ts";
import { writeTo } from "../write-to.ts";
import { findRun } from "./find-run.ts";
import { openTraces } from "../open-traces.ts";

export function exportRuns(
  references: readonly string[],
  flags: ExportFlags,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const { otlp: url } = flags;
  if (url === undefined) return exportSuite(references, flags, context);
  return withHub(context, flags, "read", async ({ hub, composition }) => {
    let problems = 0;
    const traces = await openTraces(url, composition, io, () => void problems++);
    try {
      for (const reference of references) {
        const run = await findRun(hub, reference);
        const { id } = run;
        if (!isTerminal(run.status))
          io.stderr.write(`warning: run ${id} is ${run.status}: sent as it is now\n`);
        await traces.send(run, readLog(hub, id));
      }
    } finally {
      await traces.close();
    }
    if (problems === 0) createScreen(io).print(`${plural(references.length, "run")} sent to ${url}`);
    return problems === 0 ? 0 : 1;
  });
}

function exportSuite(
  references: readonly string[],
  flags: ExportFlags,
  context: CommandContext,
): Promise<number> {
  const [reference, ...others] = references;
  if (reference === undefined || others.length > 0) {
    const next = "export one after the other, or send them as traces: --otlp http://localhost:4318";
    throw new ProctorError("USAGE", `a suite is made of one run\n${next}`);
  }
  return withHub(context, flags, "read", async ({ hub }) => {
    const { id } = await findRun(hub, reference);
    const suite = writeYaml(await suiteOfRun(hub, id));
    await writeTo(flags.output, suite, context.io, (file) => [`run it: proctor test ${file}`]);
    return 0;
  });
}
