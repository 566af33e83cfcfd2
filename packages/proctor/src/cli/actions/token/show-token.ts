// `proctor token show`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { OneTokenFlags } from "./flags.ts";
import { tokenLines } from "./token-lines.ts";

export function showToken(id: string, flags: OneTokenFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const token = await platform.tokens.get(id);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(token);
    else screen.print(...tokenLines(token, screen.paint));
    return 0;
  });
}
