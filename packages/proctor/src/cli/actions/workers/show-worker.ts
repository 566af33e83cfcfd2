// `proctor workers show`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { OneWorkerFlags } from "./flags.ts";
import { workerLines } from "./worker-lines.ts";

export function showWorker(id: string, flags: OneWorkerFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const screen = createScreen(context.io);
    const worker = await platform.workers.get(id);
    if (flags.json === true) screen.printJson(worker);
    else screen.print(...workerLines(worker, screen.paint));
    return 0;
  });
}
