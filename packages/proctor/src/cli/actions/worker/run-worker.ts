// `proctor worker`: carries out runs for hubs elsewhere, says what it takes, and ends when it is asked to.
import type { CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { WorkerFlags } from "./flags.ts";

export async function runWorker(flags: WorkerFlags, { io, composition }: CommandContext): Promise<number> {
  const screen = createScreen(io);
  const { database: databaseUrl, artifacts: artifactsDir, root: environmentRoot, ...others } = flags;
  const { drain, unsafeLocal: unsafe, allowHttp, ...rest } = others;
  const unsafeLocal = unsafe === true ? "true" : undefined;
  const config = await composition.loadConfig({
    cwd: io.cwd,
    env: io.env,
    flags: { ...rest, databaseUrl, artifactsDir, environmentRoot, unsafeLocal },
  });
  io.signal.throwIfAborted();
  const { paint } = screen;
  await composition.work(config, {
    signal: io.signal,
    drain: drain === true,
    overHub: flags.hub !== undefined && flags.database === undefined,
    allowHttp: allowHttp === true,
    writeLog: (text) => void io.stderr.write(text),
    onReady: ({ worker, slots, labels }) => {
      const has = labels.length === 0 ? "" : `, labels ${labels.join(", ")}`;
      screen.print(`${paint.green("●")} worker ${paint.bold(worker)} takes ${slots} runs at once${has}`);
    },
    onDrain: (active) => screen.print(`draining: no more runs are taken, ${active} in flight`),
  });
  screen.print("stopped");
  return 0;
}
