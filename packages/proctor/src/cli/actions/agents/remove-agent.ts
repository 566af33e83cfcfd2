// `proctor agents remove`.
import type { RemoveAgentFlags } from "../../commands/agents.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { createScreen } from "../../terminal/screen.ts";

export function removeAgent(name: string, flags: RemoveAgentFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ hub }) => {
    await hub.removeAgent(name);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson({ name, removed: true });
    else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(name)}`);
    return 0;
  });
}
