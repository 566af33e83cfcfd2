// `proctor messages`: envelopes between agents, users and the hub.
import type { Command } from "commander";
import { DEAD_FLAGS, INBOX_FLAGS, INBOXES_FLAGS, SEND_FLAGS } from "../actions/envelopes/flags.ts";
import type { Execute } from "../compose/compose.ts";
import { defineCommand } from "./define-command.ts";
import { documentFlags } from "../flags.ts";

const PARTY = ["<party>", "an agent's name or user:<id>"] as const;

export function defineMessages(program: Command, execute: Execute): void {
  const messages = program
    .command("messages")
    .summary("send and receive envelopes")
    .description("Send and receive envelopes: messages between agents, users and the hub.");
  defineCommand(messages, execute, {
    name: "send",
    summary: "send an envelope",
    description: "Send an envelope to an agent, a user, whoever has a capability, or the hub.",
    arguments: [["<to>", "an agent's name, capability:<name>, user:<id> or hub"]],
    flags: SEND_FLAGS,
    examples: [
      'proctor messages send writer --text "Summarise README.md" --wait',
      `proctor messages send capability:translate --payload '{"task": "Translate", "input": {"text": "Hallo"}}'`,
      "proctor messages send hub --action negotiate",
    ],
    action: async () => (await import("../actions/envelopes/send-message.ts")).sendMessage,
  });
  defineCommand(messages, execute, {
    name: "inbox",
    summary: "print what waits for somebody",
    description:
      "Print the envelopes that wait for somebody, oldest first. They wait until they are acknowledged.",
    arguments: [PARTY],
    flags: INBOX_FLAGS,
    examples: ["proctor messages inbox user:operator", "proctor messages inbox writer --follow --ack --json"],
    action: async () => (await import("../actions/envelopes/print-inbox.ts")).printInbox,
  });
  defineCommand(messages, execute, {
    name: "ack",
    summary: "acknowledge envelopes",
    description: "Acknowledge every envelope up to a position: they are not handed out again.",
    arguments: [PARTY, ["<position>", "of the last one"]],
    flags: documentFlags("{receiver, up_to}"),
    examples: ["proctor messages ack user:operator 42"],
    action: async () => (await import("../actions/envelopes/acknowledge.ts")).acknowledge,
  });
  defineCommand(messages, execute, {
    name: "inboxes",
    summary: "list inboxes that are not empty",
    flags: INBOXES_FLAGS,
    examples: ["proctor messages inboxes"],
    action: async () => (await import("../actions/envelopes/list-inboxes.ts")).listInboxes,
  });
  defineCommand(messages, execute, {
    name: "dead",
    summary: "list, redeliver or discard what did not arrive",
    description:
      "List the envelopes that did not arrive, newest first; put one into its inbox again, or discard it.",
    arguments: [
      ["[what]", "redeliver or discard"],
      ["[position]", "of the dead letter"],
    ],
    flags: DEAD_FLAGS,
    examples: [
      "proctor messages dead",
      "proctor messages dead redeliver 42",
      "proctor messages dead discard 42",
    ],
    action: async () => (await import("../actions/envelopes/dead-letters.ts")).deadLetters,
  });
}
