// The flags of `proctor token`.
import { InvalidArgumentError } from "commander";
import type { TokenRate } from "../../../core/token.ts";
import { documentFlags, flag, list, PAGE_FLAGS, type FlagsOf } from "../../flags.ts";

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

export const CREATE_FLAGS = [
  flag("--name <text>", "what you call it (the user or agent it is for)"),
  list("-s, --scope <scope>", "what it may do: runs:read, runs:*, admin, … (repeatable)"),
  flag("--agent <name>", "only for this agent and its runs"),
  flag("--folder <name>", "only for agents whose names begin with this and a dot"),
  flag("--user <id>", "speaks as this user"),
  flag("--expires <time>", "30d, 12h, or never (90d)", lifetime),
  flag("--enrol", "for one registration of an agent, then used up"),
  flag("--rate <n/s>", "requests per second, minute or hour: 10/s, 600/m", rate),
  ...documentFlags("the token and its secret"),
] as const;
export type CreateFlags = FlagsOf<typeof CREATE_FLAGS>;

export const LIST_TOKENS_FLAGS = PAGE_FLAGS;
export type ListTokensFlags = FlagsOf<typeof LIST_TOKENS_FLAGS>;

export const ROTATE_FLAGS = [
  flag("--overlap <time>", "how long the old secret still counts: 1h, 0s for not at all (24h)", seconds),
  ...documentFlags("the token and its new secret"),
] as const;
export type RotateFlags = FlagsOf<typeof ROTATE_FLAGS>;

export const LOG_FLAGS = [
  flag("--actor <name>", "only what this caller did: operator, token:<id>"),
  flag("--subject <name>", "only what was done to it: token:<id>, agent:<name>"),
  ...LIST_TOKENS_FLAGS,
] as const;
export type LogFlags = FlagsOf<typeof LOG_FLAGS>;

/** Returns the seconds of a duration such as `90d`. */
function seconds(text: string): number {
  const [, amount = "", unit = ""] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (amount === "") throw new InvalidArgumentError("It must be a number with a unit: 30s, 15m, 12h, 90d.");
  // The expression above names the same units.
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}

/** Returns the lifetime in seconds, or null for a token that never expires. */
function lifetime(text: string): number | null {
  return text === "never" ? null : seconds(text);
}

/** Returns the rate. As many requests as one unit of time allows may come at once. */
function rate(text: string): TokenRate {
  const [, amount = "", unit = ""] = /^(\d{1,6})\/([smh])$/.exec(text) ?? [];
  if (Number(amount) < 1)
    throw new InvalidArgumentError("It must be a number per unit: 10/s, 600/m, 1000/h.");
  // The expression above names some of the units.
  return { per_second: Number(amount) / UNITS[unit as keyof typeof UNITS], burst: Number(amount) };
}
