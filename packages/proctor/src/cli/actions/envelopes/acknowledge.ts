// `proctor messages ack`.
import { ProctorError } from "../../../core/errors.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { DocumentFlags } from "../../flags.ts";

export function acknowledge(
  party: string,
  position: string,
  flags: DocumentFlags,
  context: CommandContext,
): Promise<number> {
  const upTo = positionOf(position);
  return withHub(context, flags, "write", async ({ platform }) => {
    await platform.messages.acknowledge(party, upTo);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson({ receiver: party, up_to: upTo });
    else screen.print(`${screen.paint.green("✓")} acknowledged up to ${upTo}`);
    return 0;
  });
}

/** Returns the position that the text names. Throws USAGE. */
export function positionOf(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ProctorError("USAGE", `"${text}" is no position\nproctor messages inbox shows them`);
}
