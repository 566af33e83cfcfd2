// Tickets: what a hub must know of a run that it gave to a worker, signed, so that the worker can bring it back to any server of the hub.
// A ticket says whose the run is; whether it still is, the fence and the queue say. A receipt says that a worker brought bytes for its run.
import { createHmac, timingSafeEqual } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { LentRun } from "../../core/ports/lent-runs.ts";
import type { WorkCaller } from "../../core/ports/work-desk.ts";

export interface Tickets {
  issue(who: WorkCaller, lent: LentRun): Promise<string>;
  /** Throws FORBIDDEN for a ticket that is not this caller's, or not this hub's. */
  check(who: WorkCaller, ticket: string): Promise<LentRun>;
  /** Returns a receipt: bytes with this hash were sent here for the run. */
  receipt(runId: string, sha256: string): Promise<string>;
  isReceipt(text: string, runId: string, sha256: string): Promise<boolean>;
}

type Fields = [
  run: string,
  fence: number,
  queue: string,
  retryCount: number,
  since: number,
  worker: string,
  caller: string,
];

/** Creates tickets; `runKey` is the key of the hub from which that of tickets is derived. */
export function createTickets(runKey: () => Promise<Buffer>): Tickets {
  let derived: Promise<Buffer> | undefined;
  const key = (): Promise<Buffer> => (derived ??= derive(runKey));

  async function sign(text: string): Promise<Buffer> {
    return createHmac("sha256", await key())
      .update(text)
      .digest();
  }

  return {
    async issue({ caller, worker }, { job, fence }) {
      const fields: Fields = [job.id, fence, job.queue, job.retryCount, job.since, worker, caller.name];
      const text = Buffer.from(JSON.stringify(fields)).toString("base64url");
      return `${text}.${(await sign(text)).toString("base64url")}`;
    },
    receipt: async (runId, sha256) => (await sign(bytesOf(runId, sha256))).toString("base64url"),
    async isReceipt(text, runId, sha256) {
      return isSame(Buffer.from(text, "base64url"), await sign(bytesOf(runId, sha256)));
    },
    async check({ caller, worker }, ticket) {
      const [text = "", signature = ""] = ticket.split(".", 2);
      const given = Buffer.from(signature, "base64url");
      const wanted = await sign(text);
      if (!isSame(given, wanted)) throw foreign("it was not issued by this hub");
      // The signature is this hub's: these are the fields that `issue` wrote.
      const fields = JSON.parse(Buffer.from(text, "base64url").toString()) as Fields;
      const [id, fence, queue, retryCount, since, owner, name] = fields;
      if (name !== caller.name) throw foreign("it belongs to another token");
      if (owner !== worker) throw foreign("it belongs to another worker");
      return { job: { id, retryCount, queue, since }, fence };
    },
  };
}

async function derive(runKey: () => Promise<Buffer>): Promise<Buffer> {
  return createHmac("sha256", await runKey())
    .update("tickets of workers")
    .digest();
}

/** Returns what is signed for a receipt; no ticket has a space. */
function bytesOf(runId: string, sha256: string): string {
  return `bytes ${runId} ${sha256}`;
}

function isSame(given: Buffer, wanted: Buffer): boolean {
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function foreign(why: string): ProctorError {
  return new ProctorError("FORBIDDEN", `the ticket of the run is refused: ${why}`);
}
