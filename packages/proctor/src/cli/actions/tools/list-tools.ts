// `proctor tools list`.
import { given } from "../../../core/given.ts";
import type { ScriptTool } from "../../../core/script-tool.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListToolsFlags } from "./flags.ts";

export function listTools(flags: ListToolsFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const { limit, cursor, json } = flags;
    printPage(createScreen(context.io), await platform.scriptTools.list(given({ limit, cursor })), {
      json,
      none: ["no tools yet", "   add one: proctor tools add slug slug.js --parameters slug.schema.json"],
      columns: toolColumns(Date.now()),
      command: "proctor tools list",
    });
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
