// `proctor token show`, `rotate` and `revoke`.
import { hubAction } from "../hub-action.ts";
import type { RotateFlags } from "./flags.ts";
import { tokenLines } from "./token-lines.ts";
import { printIssued } from "./create-token.ts";
import type { DocumentFlags } from "../../flags.ts";

export const showToken = hubAction("read", async ({ platform, screen }, id: string, flags: DocumentFlags) => {
  const token = await platform.tokens.get(id);
  if (flags.json === true) screen.printJson(token);
  else screen.print(...tokenLines(token, screen.paint));
});

export const rotateToken = hubAction("write", async ({ platform, io }, id: string, flags: RotateFlags) => {
  printIssued(await platform.tokens.rotate(id, flags.overlap), "rotated", flags.json === true, io);
});

export const revokeToken = hubAction(
  "write",
  async ({ platform, screen }, id: string, flags: DocumentFlags) => {
    const token = await platform.tokens.revoke(id);
    if (flags.json === true) screen.printJson(token);
    else screen.print(`${screen.paint.green("✓")} revoked ${screen.paint.bold(token.id)}`);
  },
);
