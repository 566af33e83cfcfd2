// `proctor tools list` and `remove`.
import { given } from "../../../core/given.ts";
import type { ScriptTool } from "../../../core/script-tool.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListToolsFlags } from "./flags.ts";
import type { DocumentFlags } from "../../flags.ts";

export const listTools = hubAction("read", async ({ platform, screen }, flags: ListToolsFlags) => {
  const { limit, cursor, json } = flags;
  printPage(screen, await platform.scriptTools.list(given({ limit, cursor })), {
    json,
    none: ["no tools yet", "   add one: proctor tools add slug slug.js --parameters slug.schema.json"],
    columns: toolColumns(Date.now()),
    command: "proctor tools list",
  });
});

function toolColumns(nowMs: number): Column<ScriptTool>[] {
  return [
    { title: "NAME", cell: (tool) => tool.name, minWidth: 12 },
    { title: "LANGUAGE", cell: (tool) => tool.language },
    { title: "VERSION", cell: (tool) => tool.version ?? "" },
    { title: "DESCRIPTION", cell: (tool) => tool.description ?? "", minWidth: 16 },
    { title: "CHANGED", cell: (tool) => formatAgo(tool.updated_at, nowMs) },
  ];
}

export const removeTool = hubAction(
  "write",
  async ({ platform, screen }, name: string, flags: DocumentFlags) => {
    await platform.scriptTools.remove(name);
    if (flags.json === true) screen.printJson({ name, removed: true });
    else screen.print(`${screen.paint.green("✓")} removed ${screen.paint.bold(name)}`);
  },
);
