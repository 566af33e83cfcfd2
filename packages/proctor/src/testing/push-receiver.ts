// A receiver of push notifications and webhooks inside a test's process.
import { composition } from "../cli/compose/compose.ts";

type Opened = Awaited<ReturnType<typeof composition.openPushReceiver>>;

/** One delivery, with what it reports, how it was verified, and how it relates to those before it. */
export type PushReceiverDelivery = ReturnType<Opened["deliveries"]>[number];
/** What the receiver answers and checks, in the form of a script file. */
export type PushReceiverScript = Opened["script"];
export type PushReceiverAnswers = Parameters<Opened["setAnswers"]>[0];

export interface StartPushReceiverOptions {
  /** The script, or the path of its file; without one every delivery is accepted. */
  script?: string | PushReceiverScript;
  /** Port to listen on; any free one when absent. */
  port?: number;
}

export interface PushReceiverServer extends AsyncDisposable {
  /** Any path below this address takes deliveries: `http://127.0.0.1:41200`. */
  readonly url: string;
  /** Every delivery so far, oldest first. */
  readonly deliveries: readonly PushReceiverDelivery[];
  /** Resolves with the deliveries as soon as there are `count` of them; rejects when they do not come in time, by default 10 seconds. */
  waitFor(count: number, options?: { timeoutMs?: number }): Promise<PushReceiverDelivery[]>;
  clearDeliveries(): void;
  /** Replaces the answers that deliveries get. */
  setAnswers(answers: PushReceiverAnswers): void;
  close(): Promise<void>;
}

const WAIT_MS = 10_000;

/** Throws when the script is wrong, or the port is taken. */
export async function startPushReceiver(options: StartPushReceiverOptions = {}): Promise<PushReceiverServer> {
  const receiver = await composition.openPushReceiver({ ...options, env: process.env });
  return {
    url: receiver.url,
    get deliveries() {
      return receiver.deliveries();
    },
    waitFor: (count, { timeoutMs = WAIT_MS } = {}) => receiver.waitFor(count, AbortSignal.timeout(timeoutMs)),
    clearDeliveries: () => receiver.clear(),
    setAnswers: (answers) => receiver.setAnswers(answers),
    close: () => receiver.close(),
    [Symbol.asyncDispose]: () => receiver.close(),
  };
}
