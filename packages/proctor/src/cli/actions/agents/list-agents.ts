// `proctor agents list`.
import type { Agent } from "../../../core/agent.ts";
import type { ListFlags } from "../../commands/agents.ts";
import { withHub, type CommandContext } from "../../context.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";

export function listAgents(flags: ListFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ hub }) => {
    const screen = createScreen(context.io);
    const page = await hub.agents({
      ...(flags.limit !== undefined && { limit: flags.limit }),
      ...(flags.cursor !== undefined && { cursor: flags.cursor }),
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
    screen.print(...renderTable(agentColumns(Date.now()), page.items, { width, paintTitle: paint.dim }));
    if (page.next_cursor !== null) {
      screen.print("", paint.dim(`more: proctor agents list --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

function agentColumns(nowMs: number): Column<Agent>[] {
  return [
    { title: "NAME", cell: (agent) => agent.name, minWidth: 12 },
    { title: "ADDRESS", cell: (agent) => agent.address, minWidth: 16 },
    { title: "AT ONCE", cell: (agent) => `${agent.concurrency ?? ""}`, align: "right" },
    { title: "ADDED", cell: (agent) => formatAgo(agent.created_at, nowMs) },
  ];
}
