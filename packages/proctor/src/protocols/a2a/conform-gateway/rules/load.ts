// Rules about much at once: large messages and many tasks.
import { broken, KEPT, noOccasion } from "../../conform/finding.ts";
import { TransportFailure } from "../../client/transport-failure.ts";
import { arrivedAt, neverArrived, refused, same } from "../findings.ts";
import { createCrowd } from "../create-crowd.ts";
import type { GatewayRule } from "../gateway-rule.ts";

const LARGE = 1024 * 1024;
const TASKS = 200;

export const LOAD_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.size",
    section: "13.4",
    level: "should",
    first: true,
    title: "passes a message of 1 MB on, or refuses it with an error of the protocol",
    advice: "Raise the limit of a body, or answer with an error when it is reached; never cut a message.",
    async examine({ scene, send }) {
      const played = scene();
      const text = `${played.key} ${"0123456789abcdef".repeat(LARGE / 16)}`;
      const attempt = await send(played, { request: { message: played.message({ parts: [{ text }] }) } });
      const arrived = arrivedAt(played);
      if (arrived) return same(arrived.request, { message: { parts: [{ text }] } }, "request", attempt);
      if (attempt.error === undefined) return neverArrived(attempt, "the message");
      if (attempt.error.cause instanceof TransportFailure) return refused(attempt, "a large message");
      return { ...KEPT, got: `refused: ${attempt.error.message}` };
    },
  },
  {
    id: "gateway.concurrent",
    section: "3.1.1",
    level: "must",
    first: true,
    title: `gives ${TASKS} clients at once each its own answer`,
    advice: "Keep nothing of a request where the next one finds it.",
    async examine({ scene, send, trial: { signal } }) {
      const hold = createCrowd(TASKS, signal);
      const all = await Promise.all(
        Array.from({ length: TASKS }, async () => {
          const played = scene({ hold });
          return { played, attempt: await send(played) };
        }),
      );
      for (const { played, attempt } of all) {
        if (attempt.timedOut || attempt.error?.reason === "RESOURCE_EXHAUSTED")
          return noOccasion(`the gateway is too busy for ${TASKS} at once`, attempt.transcript);
        if (attempt.value === undefined) return refused(attempt, `one of ${TASKS} messages`);
        const said = JSON.stringify(attempt.value.task?.status.message?.parts ?? []);
        if (said.includes(played.key)) continue;
        return broken("a client got the answer of another", attempt.transcript, {
          expected: `heard ${played.key} says hello`,
          got: said,
        });
      }
      return KEPT;
    },
  },
];
