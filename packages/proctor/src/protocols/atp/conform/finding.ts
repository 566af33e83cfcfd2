// What trying one of ATP's rules showed, and how the exchange behind it is reported.
import type { JsonObject } from "../../../core/json.ts";
import { evidenceText, firstMessages, type Finding } from "../../../conformance/finding.ts";
import type { Exchange } from "./exchange.ts";
import type { Trial } from "./trial.ts";

export type AtpFinding = Finding<Exchange>;

/** Tries one rule. */
export type Check = (trial: Trial) => Promise<AtpFinding>;

/** Returns the exchange as JSON, short enough to read. */
export function describeExchange(exchange: Exchange, hide: (text: string) => string): JsonObject {
  const { ended, messages, sent, durationMs } = exchange;
  const show = (text: string): string => evidenceText(text, hide);
  const { overtime, cancelled, lingered, unreachable: _, error, ...how } = ended;
  return {
    sent: show(sent),
    ...firstMessages(messages, ({ text, channel, name }) => ({
      channel,
      ...(name !== undefined && { name: show(name) }),
      text: show(text),
    })),
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
