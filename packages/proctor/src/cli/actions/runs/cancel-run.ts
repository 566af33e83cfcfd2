// `proctor runs cancel`.
import type { RunFlags } from "../../commands/runs.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { createScreen } from "../../terminal/screen.ts";
import { findRun } from "./find-run.ts";
import { isTerminal } from "../../../core/run.ts";

export function cancelRun(reference: string, flags: RunFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ hub }) => {
    const { id } = await findRun(hub, reference);
    const run = await hub.cancel(id, "cancelled at the command line");
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(run);
    else if (isTerminal(run.status)) screen.print(`${screen.paint.yellow("■")} ${id} is cancelled`);
    else
      screen.print(
        `${screen.paint.yellow("■")} ${id} is being cancelled`,
        `   watch: proctor runs events ${id} --follow`,
      );
    return 0;
  });
}
