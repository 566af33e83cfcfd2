// `proctor token list`.
import type { Token } from "../../../core/token.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { createScreen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import type { ListTokensFlags } from "./flags.ts";
import { pageOf } from "./page-of.ts";
import { tokenState } from "./token-lines.ts";

export function listTokens(flags: ListTokensFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const screen = createScreen(context.io);
    const page = await platform.tokens.list(pageOf(flags));
    if (flags.json === true) screen.printJson(page);
    else if (page.items.length === 0) {
      screen.print("no tokens yet", "   create one: proctor token create --scope runs:read");
    } else {
      const { paint, width } = screen;
      screen.print(...renderTable(columns(Date.now()), page.items, { width, paintTitle: paint.dim }));
      if (page.next_cursor !== null)
        screen.print("", paint.dim(`more: proctor token list --cursor ${page.next_cursor}`));
    }
    return 0;
  });
}

function columns(nowMs: number): Column<Token>[] {
  return [
    { title: "ID", cell: (token) => token.id },
    { title: "NAME", cell: (token) => token.name, minWidth: 8 },
    { title: "KIND", cell: (token) => token.kind },
    { title: "STATE", cell: (token) => tokenState(token, nowMs) },
    { title: "SCOPES", cell: (token) => token.scopes.join(","), minWidth: 12 },
    { title: "ONLY FOR", cell: ({ binding }) => (binding === null ? "" : `${binding.kind} ${binding.name}`) },
    {
      title: "USED",
      cell: (token) => (token.last_used_at === null ? "never" : formatAgo(token.last_used_at, nowMs)),
    },
  ];
}
