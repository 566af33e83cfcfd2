// Which runs have a receiver, and how far it has been notified: one small file each, so that a restart continues there. The events
// themselves are in the run's log and nowhere else. Secrets are sealed.
import { createHash } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Receiver } from "../core/ports/receivers.ts";
import type { Sealer } from "../core/ports/sealer.ts";
import { decodeSubscription, encodeSubscription } from "./stored-subscription.ts";

export interface Subscription {
  /** The run whose log is followed. */
  run_id: string;
  /** The receiver that was added while the run worked; absent for the webhook that the run's options name. On disk its `config` is sealed. */
  receiver?: Receiver;
  /** Set once everything was sent: a receiver is kept so that it can still be listed. */
  done?: true;
  url: string;
  events?: string[];
  /** The secret as the client gave it; on disk it is sealed. */
  secret?: string;
  /** `seq` of the last event that was delivered or given up. */
  settled: number;
  /** True when the last event was given up: until one is delivered, each is tried once. */
  struggling: boolean;
}

export interface Outbox {
  /** Stores a subscription in place of the one of its name; it is on disk when this resolves. */
  add(subscription: Subscription): Promise<void>;
  /** Stores a new subscription. False where another process has one of its name: that one sends, and knows how far it is. */
  addNew(subscription: Subscription): Promise<boolean>;
  /** Stores progress. A crash may lose it, and then events are sent again. */
  update(subscription: Subscription): Promise<void>;
  remove(subscription: Subscription): Promise<void>;
  /** Lists all stored subscriptions. One that cannot be read is reported and left where it is. */
  all(report: (problem: unknown, runId: string) => void): Promise<Subscription[]>;
  /** Present where other processes send as well; `all` then takes over subscriptions that no process sends for. */
  shared?: {
    /** Proves that this process is alive; returns the keys of the subscriptions that are still its own. */
    renew(): Promise<string[]>;
    /** Lists the receivers of a run, whichever process notifies them. */
    receiversOf(runId: string): Promise<Receiver[]>;
  };
}

/** Suffix of the name of a stored subscription. */
export const SUFFIX = ".json";

/** Names a subscription: by the run it began with, and by its receiver, whose id a client chose. */
export function subscriptionKey({ run_id: runId, receiver }: Subscription): string {
  if (receiver === undefined) return runId;
  return `${receiver.run_id}.${createHash("sha256").update(receiver.id).digest("hex").slice(0, 32)}`;
}

/** Makes the folder when the first subscription is added. */
export function createOutbox(folder: string, sealer: Sealer): Outbox {
  const place = (subscription: Subscription): string => {
    return join(folder, `${subscriptionKey(subscription)}${SUFFIX}`);
  };

  async function write(subscription: Subscription, durable: boolean): Promise<void> {
    const text = encodeSubscription(subscription, sealer);
    const file = place(subscription);
    await writeFile(`${file}.new`, text, { mode: 0o600, flush: durable });
    await rename(`${file}.new`, file);
    if (!durable) return;
    const directory = await open(folder, "r");
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  }

  async function read(name: string): Promise<Subscription> {
    return decodeSubscription(await readFile(join(folder, name), "utf8"), sealer);
  }

  async function names(): Promise<string[]> {
    try {
      return await readdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
  }

  async function add(subscription: Subscription): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await write(subscription, true);
  }

  return {
    add,
    // No other process sends here.
    addNew: (subscription) => add(subscription).then(() => true),
    update: (subscription) => write(subscription, false),
    remove: (subscription) => rm(place(subscription), { force: true }),
    async all(report) {
      const found: Subscription[] = [];
      for (const name of await names()) {
        if (!name.endsWith(SUFFIX)) continue;
        try {
          found.push(await read(name));
        } catch (error) {
          report(error, name.slice(0, -SUFFIX.length));
        }
      }
      return found;
    },
  };
}
