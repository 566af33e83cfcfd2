// Which tasks have somebody to tell, and how far he has been told: one small file each, so that a restart goes on where it was. What
// is told is in the task's log and nowhere else. Secrets are sealed.
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sealer } from "../../../core/ports/sealer.ts";

export interface Subscription {
  run_id: string;
  url: string;
  events?: string[];
  /** As the client gave it; on disk it is sealed. */
  secret?: string;
  /** `seq` of the last event that is settled: delivered, or given up. */
  settled: number;
  /** The last one was given up: until one arrives, each is tried once. */
  struggling: boolean;
}

export interface Outbox {
  /** On disk when it resolves. */
  add(subscription: Subscription): Promise<void>;
  /** To lose it means to tell again what was told. */
  update(subscription: Subscription): Promise<void>;
  remove(runId: string): Promise<void>;
  /** Those of the last time; what cannot be read is reported and left. */
  all(report: (problem: unknown, runId: string) => void): Promise<Subscription[]>;
}

const SUFFIX = ".json";

export async function openOutbox(folder: string, sealer: Sealer): Promise<Outbox> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = (runId: string): string => join(folder, `${runId}${SUFFIX}`);

  async function write(subscription: Subscription, durable: boolean): Promise<void> {
    const { secret, ...rest } = subscription;
    const text = JSON.stringify({ ...rest, ...(secret !== undefined && { secret: sealer.seal(secret) }) });
    const file = place(subscription.run_id);
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
    // Only this file writes there.
    const stored = JSON.parse(await readFile(join(folder, name), "utf8")) as Subscription;
    if (stored.secret === undefined) return stored;
    const secret = sealer.open(stored.secret);
    if (secret === undefined) throw new Error("the secret of a webhook was sealed with a key that is gone");
    return { ...stored, secret };
  }

  return {
    add: (subscription) => write(subscription, true),
    update: (subscription) => write(subscription, false),
    remove: (runId) => rm(place(runId), { force: true }),
    async all(report) {
      const found: Subscription[] = [];
      for (const name of await readdir(folder)) {
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
