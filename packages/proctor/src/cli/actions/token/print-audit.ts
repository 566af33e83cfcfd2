// `proctor token log`: the audit log.
import type { AuditEntry } from "../../../core/token.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import type { LogFlags } from "./flags.ts";
import { pageOf } from "./page-of.ts";

export function printAudit(flags: LogFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const { actor, subject } = flags;
    const page = await platform.tokens.audit({
      ...pageOf(flags),
      ...(actor !== undefined && { actor }),
      ...(subject !== undefined && { subject }),
    });
    const screen = createScreen(context.io);
    const { paint, width } = screen;
    if (flags.json === true) screen.printJson(page);
    else if (page.items.length === 0) screen.print("nothing was noted yet");
    else {
      screen.print(...renderTable(COLUMNS, page.items, { width, paintTitle: paint.dim }));
      if (page.next_cursor !== null)
        screen.print("", paint.dim(`more: proctor token log --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

const COLUMNS: Column<AuditEntry>[] = [
  { title: "AT", cell: ({ at }) => at },
  { title: "WHO", cell: ({ actor }) => oneLine(actor) },
  { title: "DID", cell: ({ action }) => oneLine(action) },
  { title: "TO", cell: ({ subject }) => oneLine(subject), minWidth: 12 },
  { title: "DETAILS", cell: ({ details }) => oneLine(JSON.stringify(details)), minWidth: 12 },
];
