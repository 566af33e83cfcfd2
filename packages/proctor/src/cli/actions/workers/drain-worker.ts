// `proctor workers drain`.
import { OPERATOR } from "../../../core/caller.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { OneWorkerFlags } from "./flags.ts";

export function drainWorker(id: string, flags: OneWorkerFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    const screen = createScreen(context.io);
    const worker = await platform.workers.drain(id, OPERATOR);
    if (flags.json === true) screen.printJson(worker);
    else screen.print(`${worker.id} takes no more runs and ends when its ${worker.busy} in flight have`);
    return 0;
  });
}
