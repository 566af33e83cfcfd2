// `proctor token rotate`.
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { printIssued } from "./create-token.ts";
import type { RotateFlags } from "./flags.ts";

export function rotateToken(id: string, flags: RotateFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "write", async ({ platform }) => {
    const issued = await platform.tokens.rotate(id, flags.overlap);
    printIssued(issued, "rotated", flags.json === true, context);
    return 0;
  });
}
