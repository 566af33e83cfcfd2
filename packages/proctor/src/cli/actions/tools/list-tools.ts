// `proctor tools list`.
import { given } from "../../../core/given.ts";
import type { ScriptTool } from "../../../core/script-tool.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import type { ListToolsFlags } from "./flags.ts";

export function listTools(flags: ListToolsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const screen = createScreen(context.io);
    const { limit, cursor } = flags;
    const page = await platform.scriptTools.list(given({ limit, cursor }));
    if (flags.json === true) {
      screen.printJson(page);
      return 0;
    }
    if (page.items.length === 0) {
      screen.print(
        "no tools yet",
        "   add one: proctor tools add slug slug.js --parameters slug.schema.json",
      );
      return 0;
    }
    const { paint, width } = screen;
    screen.print(...renderTable(toolColumns(Date.now()), page.items, { width, paintTitle: paint.dim }));
    if (page.next_cursor !== null) {
      screen.print("", paint.dim(`more: proctor tools list --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

function toolColumns(nowMs: number): Column<ScriptTool>[] {
  return [
    { title: "NAME", cell: (tool) => tool.name, minWidth: 12 },
    { title: "LANGUAGE", cell: (tool) => tool.language },
    { title: "VERSION", cell: (tool) => tool.version ?? "" },
    { title: "DESCRIPTION", cell: (tool) => tool.description ?? "", minWidth: 16 },
    { title: "CHANGED", cell: (tool) => formatAgo(tool.updated_at, nowMs) },
  ];
}
