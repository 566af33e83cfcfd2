// `proctor tools remove`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { RemoveToolFlags } from "./flags.ts";

export function removeTool(name: string, flags: RemoveToolFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    await platform.scriptTools.remove(name);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson({ name, removed: true });
    else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(name)}`);
    return 0;
  });
}
