// `proctor agents list`.
import type { RegisteredAgent } from "../../../core/registration.ts";
import { parsePairs } from "../key-values.ts";
import type { ListFlags } from "./flags.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { loadText, paintState, stateText } from "../../terminal/agent-state.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import type { Paint } from "../../terminal/paint.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";

export function listAgents(flags: ListFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const screen = createScreen(context.io);
    const { limit, cursor, capability, stage, state } = flags;
    const page = await platform.registry.list({
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
      ...(capability !== undefined && { capability }),
      ...(stage !== undefined && { stage }),
      ...(state !== undefined && { state: [state] }),
      ...(flags.label !== undefined && { labels: parsePairs("--label", flags.label) }),
    });
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      screen.print("no agents yet", `   add one: proctor agents add writer "atp+stdio:python writer.py"`);
      return 0;
    }
    const { paint, width } = screen;
    const columns = agentColumns(Date.now(), paint);
    screen.print(...renderTable(columns, page.items, { width, paintTitle: paint.dim }));
    if (page.next_cursor !== null) {
      screen.print("", paint.dim(`more: proctor agents list --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

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
