// The receivers that clients asked for while runs work: which there are, kept on disk, and the sending that goes on for each.
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import { MAX_RECEIVERS, type NewReceiver, type Receiver, type Receivers } from "../core/ports/receivers.ts";
import type { WebhookEncoding } from "../core/ports/webhook-encoding.ts";
import type { AllowHost } from "./allow-host.ts";
import type { Outbox, Subscription } from "./outbox.ts";
import { readUrl, refusePrivate } from "./read-webhook.ts";

export interface ReceiversDeps {
  outbox: Outbox;
  allow: AllowHost;
  hub: Pick<Hub, "run">;
  clock: Clock;
  report: (problem: unknown, runId: string) => void;
  loadEncoding: (protocol?: string) => Promise<WebhookEncoding>;
  /** Sends what there is to send; resolves when that is over, or stopped. */
  begin: (subscription: Subscription, encoding: WebhookEncoding, stop: AbortSignal) => Promise<void>;
  /** Aborted when nothing more is sent at all. */
  stopping: AbortSignal;
}

export interface KeptReceivers extends Receivers {
  /** Resumes what the last process left; resolves with the subscriptions that are not receivers. */
  load(): Promise<Subscription[]>;
  /** Marks a receiver that everything was sent to: it is only remembered. */
  finish(subscription: Subscription): Promise<void>;
}

interface Kept {
  receiver: Receiver;
  stop: AbortController;
  work: Promise<void>;
}

/** Milliseconds for which the receivers of an ended run can be listed, and most of them over all runs. */
const REMEMBERED_MS = 86_400_000;
const MAX_REMEMBERED = 1000;
const MAX_ID_CHARS = 400;

export function createReceivers(deps: ReceiversDeps): KeptReceivers {
  const { outbox, allow, clock, hub, report, loadEncoding, begin, stopping } = deps;
  /** Receivers by run, then by id. */
  const kept = new Map<string, Map<string, Kept>>();
  /** Receivers that everything was sent to, and when, oldest first. */
  const finished: { receiver: Receiver; atMs: number }[] = [];
  let loading: Promise<Subscription[]> | undefined;

  async function keep(subscription: Subscription, receiver: Receiver): Promise<void> {
    const stop = new AbortController();
    const entry: Kept = { receiver, stop, work: Promise.resolve() };
    const group = kept.get(receiver.run_id) ?? new Map<string, Kept>();
    kept.set(receiver.run_id, group.set(receiver.id, entry));
    if (subscription.done) return remember(receiver);
    const encoding = await loadEncoding(receiver.protocol);
    entry.work = begin(subscription, encoding, AbortSignal.any([stop.signal, stopping]));
  }

  /** Remembers a finished receiver, and forgets those of long ago. */
  async function remember(receiver: Receiver): Promise<void> {
    finished.push({ receiver, atMs: clock.now() });
    for (;;) {
      const [oldest] = finished;
      const isOld = oldest !== undefined && oldest.atMs < clock.now() - REMEMBERED_MS;
      if (oldest === undefined || (!isOld && finished.length <= MAX_REMEMBERED)) return;
      finished.shift();
      const { run_id: runId, id } = oldest.receiver;
      // It may have been replaced meanwhile.
      if (kept.get(runId)?.get(id)?.receiver === oldest.receiver) await forget(runId, id);
    }
  }

  /** Removes a receiver that does nothing any more. */
  async function forget(runId: string, id: string): Promise<void> {
    const group = kept.get(runId);
    const entry = group?.get(id);
    if (group === undefined || entry === undefined) return;
    group.delete(id);
    if (group.size === 0) kept.delete(runId);
    await outbox.remove({ ...begun(entry.receiver), settled: -1 });
  }

  async function load(): Promise<Subscription[]> {
    const others: Subscription[] = [];
    for (const subscription of await outbox.all(report)) {
      const { receiver } = subscription;
      if (receiver === undefined) others.push(subscription);
      else if (subscription.done && (await isForgotten(subscription))) await outbox.remove(subscription);
      else await keep(subscription, receiver);
    }
    return others;
  }

  async function isForgotten({ run_id: runId }: Subscription): Promise<boolean> {
    try {
      const { ended_at: ended } = await hub.run(runId);
      return ended !== null && Date.parse(ended) < clock.now() - REMEMBERED_MS;
    } catch (error) {
      if (ProctorError.is(error) && error.code === "RUN_NOT_FOUND") return true;
      throw error;
    }
  }

  async function remove(runId: string, id: string): Promise<void> {
    const entry = kept.get(runId)?.get(id);
    entry?.stop.abort();
    // Otherwise its last progress would be written after it is gone.
    await entry?.work;
    await forget(runId, id);
    // Another process may tell it: that one stops when it finds it gone.
    if (outbox.shared && entry === undefined) await outbox.remove(nobody(runId, id));
  }

  /** Where others send as well, only a hub takes over what was left. */
  const loaded = (): Promise<unknown> => (outbox.shared ? Promise.resolve() : (loading ??= load()));
  const receiversOf = async (runId: string): Promise<Receiver[]> =>
    outbox.shared
      ? outbox.shared.receiversOf(runId)
      : [...(kept.get(runId)?.values() ?? [])].map(({ receiver }) => receiver);

  return {
    load: () => (outbox.shared ? load() : (loading ??= load())),
    async finish(subscription) {
      await outbox.update({ ...subscription, done: true });
      if (subscription.receiver) await remember(subscription.receiver);
    },
    async add({ after, ...receiver }: NewReceiver) {
      await loaded();
      const { run_id: runId, id, url } = receiver;
      if (id === "" || id.length > MAX_ID_CHARS)
        throw wrong("id", `must have 1 to ${MAX_ID_CHARS} characters`);
      refusePrivate({ url: readUrl(url, "url") }, allow, "url");
      const others = (await receiversOf(runId)).filter((other) => other.id !== id);
      if (others.length >= MAX_RECEIVERS)
        throw new ProctorError("LIMIT_REACHED", `run ${runId} has ${MAX_RECEIVERS} receivers already`);
      await remove(runId, id);
      const subscription = { ...begun(receiver), settled: after };
      await outbox.add(subscription);
      await keep(subscription, receiver);
    },
    async list(runId) {
      await loaded();
      return receiversOf(runId);
    },
    async remove(runId, id) {
      await loaded();
      await remove(runId, id);
    },
  };
}

function begun(receiver: Receiver): Omit<Subscription, "settled"> {
  return { run_id: receiver.run_id, url: receiver.url, receiver, struggling: false };
}

/** Enough of a subscription to name it. */
function nobody(runId: string, id: string): Subscription {
  return { ...begun({ run_id: runId, id, url: "", protocol: "", config: {} }), settled: -1 };
}

function wrong(path: string, what: string): ProctorError {
  return new ProctorError("INVALID_REQUEST", `${path} ${what}`, { details: [{ path, message: what }] });
}
