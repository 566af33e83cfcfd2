// `proctor agents list`.
import { given } from "../../../core/given.ts";
import type { RegisteredAgent } from "../../../core/registration.ts";
import { parsePairs } from "../key-values.ts";
import type { ListFlags } from "./flags.ts";
import { hubAction } from "../hub-action.ts";
import { loadText, paintState, stateText } from "../../terminal/agent-state.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";

export const listAgents = hubAction("read", async ({ platform, screen }, flags: ListFlags) => {
  const { limit, cursor, capability, stage, state, json } = flags;
  const page = await platform.registry.list({
    ...given({ limit, cursor, capability, stage }),
    ...(state !== undefined && { state: [state] }),
    ...(flags.label !== undefined && { labels: parsePairs("--label", flags.label) }),
  });
  printPage(screen, page, {
    json,
    none: ["no agents yet", `   add one: proctor agents add writer "atp+stdio:python writer.py"`],
    columns: agentColumns(Date.now(), screen.paint),
    command: "proctor agents list",
  });
});

function agentColumns(nowMs: number, paint: Paint): Column<RegisteredAgent>[] {
  return [
    { title: "NAME", cell: ({ name }) => name, minWidth: 12 },
    { title: "ADDRESS", cell: ({ address }) => address, minWidth: 16 },
    { title: "KIND", cell: ({ kind }) => kind },
    {
      title: "STATE",
      cell: ({ health }) => stateText(health.state),
      paint: (text, { health }) => paintState(paint, health.state)(text),
    },
    { title: "LOAD", cell: ({ health }) => loadText(health.load) },
    { title: "STAGE", cell: ({ stage }) => stage },
    { title: "ADDED", cell: ({ created_at }) => formatAgo(created_at, nowMs) },
  ];
}
