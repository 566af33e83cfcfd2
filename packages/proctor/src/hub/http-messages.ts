// The inboxes of a hub elsewhere, over HTTP.
import type { Envelope, EnvelopeDraft } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { uuidV7 } from "../core/id.ts";
import type { Page } from "../core/page.ts";
import type { DeadLetter, InboxEntry, InboxState, Messages, Sent } from "../core/ports/messages.ts";
import type { HttpClient } from "./http-client.ts";
import type { ReadSse } from "./http-follow.ts";
import { query } from "./http-query.ts";

/** Seconds that a hub waits at most; a longer wait is requested again. */
const MAX_WAIT_SECONDS = 60;

type SentAnswer = Omit<Sent, "envelope"> & Pick<Envelope, "id" | "from">;

export function createHttpMessages(client: HttpClient, readSse: ReadSse): Messages {
  async function send(draft: EnvelopeDraft): Promise<Sent> {
    // With an id of its own, so that it can be sent again after an answer that was lost.
    const body = { ...draft, id: draft.id ?? uuidV7() };
    const answer = await client.sendJson<SentAnswer>("/messages", { method: "POST", body });
    const { from, receiver, created, run_id } = answer;
    // What else the hub filled in is known to its receiver.
    const envelope = { ...body, from } as Envelope;
    return { envelope, receiver, created, ...(run_id !== undefined && { run_id }) };
  }

  function read(receiver: string, after: number, limit: number, waitMs: number, signal: AbortSignal) {
    const wait = Math.min(Math.ceil(waitMs / 1000), MAX_WAIT_SECONDS);
    const path = `/messages${query({ for: receiver, after, limit, wait })}`;
    return client.sendJson<{ items: InboxEntry[] }>(path, { signal });
  }

  async function* follow(receiver: string, after: number, signal: AbortSignal): AsyncGenerator<InboxEntry[]> {
    const headers = { accept: "text/event-stream" };
    const path = `/messages${query({ for: receiver, after })}`;
    const { body } = await client.send(path, { headers, signal });
    if (body === null) return;
    try {
      for await (const { data } of readSse(body)) {
        // Frames of the hub hold exactly one entry.
        if (data !== undefined) yield [JSON.parse(data) as InboxEntry];
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  return {
    send,
    async receive(receiver, { after, limit, waitMs }, signal) {
      try {
        return (await read(receiver, after, limit, waitMs, signal)).items;
      } catch (error) {
        if (signal.aborted) return [];
        throw error;
      }
    },
    follow,
    async acknowledge(receiver, upTo) {
      await client.send("/messages/ack", { method: "POST", body: { for: receiver, up_to: upTo } });
    },
    inboxes: ({ cursor, limit }) =>
      client.sendJson<Page<InboxState>>(`/messages/inboxes${query({ cursor, limit })}`),
    deadLetters: ({ cursor, limit, receiver }) =>
      client.sendJson<Page<DeadLetter>>(`/messages/dead${query({ cursor, limit, receiver })}`),
    async redeliver(position) {
      await client.send(`/messages/dead/${position}/redeliver`, { method: "POST", body: {} });
    },
    async discard(position) {
      if (!Number.isSafeInteger(position))
        throw new ProctorError("MESSAGE_NOT_FOUND", "there is no such dead letter");
      await client.send(`/messages/dead/${position}`, { method: "DELETE" });
    },
  };
}
