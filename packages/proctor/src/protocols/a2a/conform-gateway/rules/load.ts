// Rules about much at once: large messages and many tasks.
import { end } from "../../../../conformance/demand.ts";
import { assume, demand, KEPT } from "../../conform/finding.ts";
import { TransportFailure } from "../../client/transport-failure.ts";
import { answerOf, arrival, arrivedAt, demandSame } from "../findings.ts";
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
      if (arrived === undefined && attempt.error) {
        if (attempt.error.cause instanceof TransportFailure) answerOf(attempt, "a large message");
        end({ ...KEPT, got: `refused: ${attempt.error.message}` });
      }
      const { request } = arrival(arrived, attempt, "the message");
      demandSame(request, { message: { parts: [{ text }] } }, "request", attempt);
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
        const { timedOut, error, transcript } = attempt;
        const isBusy = timedOut || error?.reason === "RESOURCE_EXHAUSTED";
        assume(!isBusy, `the gateway is too busy for ${TASKS} at once`, transcript);
        const { task } = answerOf(attempt, `one of ${TASKS} messages`);
        const got = JSON.stringify(task?.status.message?.parts ?? []);
        const expected = `heard ${played.key} says hello`;
        const isOwn = got.includes(played.key);
        demand(isOwn, "a client got the answer of another", transcript, { expected, got });
      }
    },
  },
];
