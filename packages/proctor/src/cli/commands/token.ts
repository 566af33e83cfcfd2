// `proctor token`: who may use the hub, and for what.
import type { Command } from "commander";
import { CREATE_FLAGS, LIST_TOKENS_FLAGS, LOG_FLAGS, ROTATE_FLAGS } from "../actions/token/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const ID = ["<id>", "id of the token: the third part of its text"] as const;

export function defineToken(program: Command, execute: Execute): void {
  const token = program
    .command("token")
    .summary("create, list, rotate and revoke tokens")
    .description("Create, list, rotate and revoke the tokens of a hub, and read its audit log.");
  defineCommand(token, execute, {
    name: "create",
    summary: "create a token",
    flags: CREATE_FLAGS,
    examples: [
      "proctor token create --name ci --scope runs:read --scope runs:write --agent writer",
      "proctor token create --enrol --folder team.payments",
      "proctor token create --scope admin --expires 1d",
    ],
    note: `The secret is shown once. In a pipe it is all that is printed.
The first token closes the hub: from then on every request needs one.`,
    action: async () => (await import("../actions/token/create-token.ts")).createToken,
  });
  defineCommand(token, execute, {
    name: "list",
    summary: "list tokens, newest first",
    flags: LIST_TOKENS_FLAGS,
    examples: ["proctor token list", "proctor token list --json"],
    action: async () => (await import("../actions/token/list-tokens.ts")).listTokens,
  });
  defineCommand(token, execute, {
    name: "show",
    summary: "show a token, without its secret",
    arguments: [ID],
    flags: documentFlags("the token"),
    examples: ["proctor token show 8mB2kQx0LzYt"],
    action: async () => (await import("../actions/token/one-token.ts")).showToken,
  });
  defineCommand(token, execute, {
    name: "rotate",
    summary: "give a token a new secret",
    description: "Give a token a new secret. The old one counts for a while.",
    arguments: [ID],
    flags: ROTATE_FLAGS,
    examples: ["proctor token rotate 8mB2kQx0LzYt --overlap 1h"],
    action: async () => (await import("../actions/token/one-token.ts")).rotateToken,
  });
  defineCommand(token, execute, {
    name: "revoke",
    summary: "end a token at once and for good",
    arguments: [ID],
    flags: documentFlags("the token"),
    examples: ["proctor token revoke 8mB2kQx0LzYt"],
    action: async () => (await import("../actions/token/one-token.ts")).revokeToken,
  });
  defineCommand(token, execute, {
    name: "log",
    summary: "show who did what, newest first",
    flags: LOG_FLAGS,
    examples: ["proctor token log", "proctor token log --actor token:8mB2kQx0LzYt"],
    action: async () => (await import("../actions/token/print-audit.ts")).printAudit,
  });
}
