// `proctor token log`: the audit log.
import { given } from "../../../core/given.ts";
import type { AuditEntry } from "../../../core/token.ts";
import { hubAction } from "../hub-action.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import type { LogFlags } from "./flags.ts";

export const printAudit = hubAction("read", async ({ platform, screen }, flags: LogFlags) => {
  const { actor, subject, limit, cursor, json } = flags;
  printPage(screen, await platform.tokens.audit(given({ limit, cursor, actor, subject })), {
    json,
    none: ["nothing was noted yet"],
    columns: COLUMNS,
    command: "proctor token log",
  });
});

const COLUMNS: Column<AuditEntry>[] = [
  { title: "AT", cell: ({ at }) => at },
  { title: "WHO", cell: ({ actor }) => oneLine(actor) },
  { title: "DID", cell: ({ action }) => oneLine(action) },
  { title: "TO", cell: ({ subject }) => oneLine(subject), minWidth: 12 },
  { title: "DETAILS", cell: ({ details }) => oneLine(JSON.stringify(details)), minWidth: 12 },
];
