// The flags of `proctor messages`.
import { documentFlags, flag, PAGE_FLAGS, positiveInteger, type FlagsOf } from "../../flags.ts";

export const SEND_FLAGS = [
  flag("--action <word>", "what is wanted: execute, cancel, negotiate, or any other word (execute)"),
  flag("--text <text>", "the payload as text; - reads it from stdin"),
  flag("--payload <json>", "the payload as JSON; - reads it from stdin"),
  flag("--type <type>", "request, response, notification or error (request)"),
  flag("--from <party>", "who sends: an agent's name or user:<id> (whoever the token is for)"),
  flag("--id <id>", "id of the envelope; one that was used is not sent again"),
  flag("--in-reply-to <id>", "id of the envelope that this one answers"),
  flag("--ttl <seconds>", "how long it may wait (86400)", positiveInteger),
  flag("--wait", "wait for the answer, and print it"),
  ...documentFlags("what became of it"),
] as const;
export type SendFlags = FlagsOf<typeof SEND_FLAGS>;

export const INBOX_FLAGS = [
  flag("--follow", "go on with what comes"),
  flag("--ack", "acknowledge what was printed"),
  flag("--limit <n>", "at most n envelopes (100)", positiveInteger),
  ...documentFlags("one entry per line"),
] as const;
export type InboxFlags = FlagsOf<typeof INBOX_FLAGS>;

export const INBOXES_FLAGS = PAGE_FLAGS;
export type InboxesFlags = FlagsOf<typeof INBOXES_FLAGS>;

export const DEAD_FLAGS = [flag("--receiver <party>", "only those for this party"), ...PAGE_FLAGS] as const;
export type DeadFlags = FlagsOf<typeof DEAD_FLAGS>;
