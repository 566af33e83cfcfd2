// A receiver of push notifications and webhooks on a socket of its own, and the log of what arrived.
import { getPath } from "hono/utils/url";
import type { Clock } from "../../../core/ports/clock.ts";
import type { PushAnswer, PushDelivery, PushScript } from "../../../core/push-script.ts";
import { createRedactor } from "../../../core/redact.ts";
import { pushAnswersSchema } from "../../../runtime/schemas/push-script.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import { createAwaitedLog } from "../../awaited-log.ts";
import { checked, isControl } from "../../control-api.ts";
import { createLabControl, readCommand } from "../lab-control.ts";
import { listenAsLab } from "../listen-as-lab.ts";
import { createAnswerPlan } from "./choose-answers.ts";
import { createReceive } from "./receive.ts";

export interface PushReceiverOptions {
  script: PushScript;
  host: string;
  /** Port to listen on; 0 takes any free one. */
  port: number;
  /** Called with every delivery; the delivery is answered once the promise resolves. */
  onDelivery?: (delivery: PushDelivery) => Promise<void>;
  clock?: Clock;
}

export interface PushReceiver {
  /** Address of the receiver; deliveries are accepted at any path below it. */
  url: string;
  /** Returns the last deliveries, oldest first. */
  deliveries(): PushDelivery[];
  /** Resolves as soon as there are `count` deliveries; rejects with REQUEST_TIMEOUT when the signal fires. */
  waitFor(count: number, signal: AbortSignal): Promise<PushDelivery[]>;
  clear(): void;
  /** Replaces the answers that deliveries get; throws INVALID_REQUEST. */
  setAnswers(answers: readonly PushAnswer[]): void;
  /** Stops the receiver; what is under way is cut. */
  close(): Promise<void>;
}

/** Throws CONFIG_INVALID when the address cannot be bound. */
export async function openPushReceiver(options: PushReceiverOptions): Promise<PushReceiver> {
  const { script, host, port, onDelivery = () => Promise.resolve(), clock = systemClock } = options;
  const log = createAwaitedLog<PushDelivery>();
  const plan = createAnswerPlan(script.answers ?? []);
  const { token = "", authorization = "", secret = "" } = script.verify ?? {};
  const redactor = createRedactor(
    [
      { name: "token", value: token },
      { name: "authorization", value: authorization },
      { name: "secret", value: secret },
    ].filter(({ value }) => value !== ""),
  );
  const receive = createReceive({
    script,
    plan,
    clock,
    async onDelivery(delivery) {
      const shown = redactor.value(delivery);
      await onDelivery(shown);
      log.add(shown);
    },
  });
  const control = createLabControl({
    what: "deliveries",
    log,
    commands: {
      "PUT /answers": async (request) => {
        plan.replace(await readCommand(request, pushAnswersSchema));
        return undefined;
      },
    },
  });
  const server = await listenAsLab({
    host,
    port,
    // Deliveries are open: a receiver only records them, and may be behind a tunnel with another host name.
    isOpen: (request) => !isControl(getPath(request)),
    fetch: (request, connection) =>
      isControl(getPath(request)) ? control(request) : receive(request, connection),
  });
  return {
    url: server.url,
    deliveries: () => log.list(),
    waitFor: (count, signal) => log.wait(count, { what: "deliveries", signal }),
    clear: () => log.clear(),
    setAnswers: (answers) => plan.replace(checked(pushAnswersSchema, answers, "the answers")),
    close: () => server.close(),
  };
}
