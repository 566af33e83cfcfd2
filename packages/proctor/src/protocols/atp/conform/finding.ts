// What trying one rule came to, and the exchange that shows it.
import type { JsonObject } from "../../../core/json.ts";
import type { Exchange } from "./exchange.ts";
import type { Trial } from "./trial.ts";

export interface Finding {
  outcome: "pass" | "fail" | "unevaluated";
  reason?: string;
  /** What to do about it, where that is not what the rule says. */
  advice?: string;
  /** The exchange to look at. */
  exchange?: Exchange;
}

/** Tries one rule. */
export type Check = (trial: Trial) => Promise<Finding>;

export const pass = (exchange?: Exchange): Finding => ({ outcome: "pass", ...(exchange && { exchange }) });

export const fail = (reason: string, exchange?: Exchange): Finding => ({
  outcome: "fail",
  reason,
  ...(exchange && { exchange }),
});

export const unevaluated = (reason: string, exchange?: Exchange): Finding => ({
  outcome: "unevaluated",
  reason,
  ...(exchange && { exchange }),
});

/** Fails with the first problem there is. */
export function judge(exchange: Exchange, problems: Iterable<string | undefined>): Finding {
  for (const problem of problems) if (problem !== undefined) return fail(problem, exchange);
  return pass(exchange);
}

const SHOWN_CHARS = 400;
const SHOWN_MESSAGES = 6;

/** What was sent and what came back, short enough to read. `hide` takes secrets out, before anything is cut. */
export function describeExchange(exchange: Exchange, hide: (text: string) => string): JsonObject {
  const { ended, messages, sent, durationMs } = exchange;
  const show = (text: string): string => shorten(hide(text), SHOWN_CHARS);
  const { overtime, cancelled, lingered, unreachable: _, error, ...how } = ended;
  return {
    sent: show(sent),
    received: messages.slice(0, SHOWN_MESSAGES).map(({ text, channel, name }) => ({
      channel,
      ...(name !== undefined && { name: show(name) }),
      text: show(text),
    })),
    ...(messages.length > SHOWN_MESSAGES && { more_messages: messages.length - SHOWN_MESSAGES }),
    ended: {
      ...(overtime && { overtime }),
      ...(cancelled && { cancelled }),
      ...(lingered && { lingered }),
      ...(error !== undefined && { error: show(error) }),
      ...snakeCased(how),
    },
    duration_ms: Math.round(durationMs),
  };
}

function snakeCased(how: object): JsonObject {
  return Object.fromEntries(
    Object.entries(how).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value as JsonObject[string],
    ]),
  );
}

export function shorten(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars)}… (${text.length} characters)`;
}

/** A value an agent sent, as it may stand in a sentence. */
export function quote(value: unknown): string {
  return value === undefined ? "missing" : shorten(JSON.stringify(value), 80);
}
