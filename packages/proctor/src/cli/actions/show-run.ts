// `proctor runs show`.
import type { RunFlags } from "../commands/runs.ts";
import { withHub, type CommandContext } from "../context.ts";
import { renderRunDetails } from "../terminal/run-details.ts";
import { createScreen } from "../terminal/screen.ts";

export function showRun(id: string, flags: RunFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const run = await hub.run(id);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(run);
    else screen.print(...renderRunDetails(run, screen.paint, Date.now(), screen.width));
    return 0;
  });
}
