// `proctor messages dead`: what did not arrive, and what to do with it.
import { ProctorError } from "../../../core/errors.ts";
import { given } from "../../../core/given.ts";
import type { DeadLetter } from "../../../core/ports/messages.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import { positionOf } from "./acknowledge.ts";
import type { DeadFlags } from "./flags.ts";

export function deadLetters(
  what: string | undefined,
  position: string | undefined,
  flags: DeadFlags,
  context: CommandContext,
): Promise<number> {
  return what === undefined ? list(flags, context) : change(what, position, flags, context);
}

function change(
  what: string,
  position: string | undefined,
  flags: DeadFlags,
  context: CommandContext,
): Promise<number> {
  if (what !== "redeliver" && what !== "discard")
    throw new ProctorError(
      "USAGE",
      `"${what}" is neither redeliver nor discard\nsee: proctor messages dead --help`,
    );
  const place = positionOf(position ?? "");
  return withHub(context, flags, "write", async ({ platform: { messages } }) => {
    await (what === "redeliver" ? messages.redeliver(place) : messages.discard(place));
    const screen = createScreen(context.io);
    const done = what === "redeliver" ? "delivered again" : "discarded";
    if (flags.json === true) screen.printJson({ position: place, [what]: true });
    else screen.print(`${screen.paint.green("✓")} ${done}: ${place}`);
    return 0;
  });
}

const list = hubAction("read", async ({ platform: { messages }, screen }, flags: DeadFlags) => {
  const { receiver, limit, cursor, json } = flags;
  const page = await messages.deadLetters(given({ receiver, limit, cursor }));
  printPage(screen, page, {
    json,
    none: ["everything arrived"],
    columns: columns(Date.now()),
    command: "proctor messages dead",
    next: "again: proctor messages dead redeliver <position>",
  });
});

function columns(nowMs: number): Column<DeadLetter>[] {
  return [
    { title: "POSITION", cell: ({ position }) => `${position}`, align: "right" },
    { title: "FOR", cell: ({ receiver }) => receiver, minWidth: 8 },
    { title: "FROM", cell: ({ envelope }) => envelope.from, minWidth: 8 },
    { title: "ACTION", cell: ({ envelope }) => `${envelope.type} ${envelope.action}`, minWidth: 8 },
    { title: "REASON", cell: ({ reason }) => reason },
    { title: "WHEN", cell: ({ at }) => formatAgo(at, nowMs) },
  ];
}
