// `proctor token revoke`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { OneTokenFlags } from "./flags.ts";

export function revokeToken(id: string, flags: OneTokenFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    const token = await platform.tokens.revoke(id);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(token);
    else screen.print(`${screen.paint.green("✓")} revoked ${screen.paint.bold(token.id)}`);
    return 0;
  });
}
