// `proctor token list`.
import { given } from "../../../core/given.ts";
import type { Token } from "../../../core/token.ts";
import { hubAction } from "../hub-action.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { printPage } from "../../terminal/print-page.ts";
import type { Column } from "../../terminal/table.ts";
import type { ListTokensFlags } from "./flags.ts";
import { tokenState } from "./token-lines.ts";

export const listTokens = hubAction("read", async ({ platform, screen }, flags: ListTokensFlags) => {
  const { limit, cursor, json } = flags;
  printPage(screen, await platform.tokens.list(given({ limit, cursor })), {
    json,
    none: ["no tokens yet", "   create one: proctor token create --scope runs:read"],
    columns: columns(Date.now()),
    command: "proctor token list",
  });
});

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
