// A mock LLM on a socket of its own: an endpoint in the shape of OpenAI's API that answers from a script, and the log of
// what it was asked.
import { randomBytes } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import type { LlmCall, LlmScript } from "../../core/llm-script.ts";
import type { Clock } from "../../core/ports/clock.ts";
import { createRedactor } from "../../core/redact.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { isLoopback } from "../../runtime/addresses/is-loopback.ts";
import { listen } from "../../runtime/http/listen.ts";
import { createCallLog } from "../call-log.ts";
import { createGuard } from "../guard.ts";
import { createRouter } from "./router.ts";
import { createVisits } from "./visits.ts";

export interface MockLlmOptions {
  script: LlmScript;
  host: string;
  /** Port to listen on; 0 takes any free one. */
  port: number;
  /** Key that clients send as a bearer token; it is hidden in the log. */
  key?: string;
  /** Whether the paths begin with a secret; when absent, they do if other machines can reach the address and there is no key. */
  secret?: boolean;
  /** Called with every call; the call is answered once the promise resolves. */
  onCall: (call: LlmCall) => Promise<void>;
  clock?: Clock;
}

export interface MockLlm {
  /** Base URL for clients: `http://127.0.0.1:8081/v1`. */
  url: string;
  /** Returns the last calls, oldest first. */
  calls(): readonly LlmCall[];
  /** Stops the mock; calls in flight are cut. */
  close(): Promise<void>;
}

/** Milliseconds that clients have to read the answers that were cut short. */
const FLUSH_MS = 1000;

/** Throws CONFIG_INVALID when the address cannot be bound or the key cannot be sent. */
export async function openMockLlm(options: MockLlmOptions): Promise<MockLlm> {
  const { script, host, port, key, onCall, clock = systemClock } = options;
  if (key !== undefined && !/^[\x21-\x7e]+$/.test(key)) {
    throw new ProctorError("CONFIG_INVALID", "the key of the mock must be printable ASCII without blanks");
  }
  const local = isLoopback(host);
  const { secret = !local && key === undefined } = options;
  const prefix = secret ? `/${randomBytes(24).toString("base64url")}` : "";
  const log = createCallLog<LlmCall>();
  const redactor = createRedactor(key === undefined ? [] : [{ name: "key", value: key }]);
  const route = createRouter({
    prefix,
    script,
    clock,
    guard: createGuard({ key, local }),
    redact: (text) => redactor.text(text),
    log: (): JsonObject => log.read(),
    async onCall(call) {
      const shown = redactor.value(call);
      await onCall(shown);
      log.add(shown);
    },
  });
  const visits = createVisits(route);
  const server = await listen({ app: visits, host, port });
  return {
    url: `${server.url}${prefix}/v1`,
    calls: () => log.read().items,
    async close() {
      await visits.end();
      await server.close(FLUSH_MS);
    },
  };
}
