// `proctor token list`.
import { given } from "../../../core/given.ts";
import type { Token } from "../../../core/token.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import { createScreen } from "../../terminal/screen.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListTokensFlags } from "./flags.ts";
import { tokenState } from "./token-lines.ts";

export function listTokens(flags: ListTokensFlags, context: CommandContext): Promise<number> {
  return withHub(context, flags, "read", async ({ platform }) => {
    const { limit, cursor, json } = flags;
    printPage(createScreen(context.io), await platform.tokens.list(given({ limit, cursor })), {
      json,
      none: ["no tokens yet", "   create one: proctor token create --scope runs:read"],
      columns: columns(Date.now()),
      command: "proctor token list",
    });
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
