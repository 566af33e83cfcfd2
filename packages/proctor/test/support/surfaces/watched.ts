// What the clients of surfaces share: the bookkeeping of a task that one watches, and a body that is too large.
import { request } from "node:http";
import { text } from "node:stream/consumers";
import type { JsonObject } from "../../../src/core/json.ts";
import type { WatchedTask } from "../../../src/protocols/surface.case.ts";

export interface Watched extends WatchedTask {
  /** Notes what was received; an event shows that the agent works. */
  hear(message: string, isEvent?: boolean): void;
  /** Notes how the task ended, once. */
  end(status: unknown): void;
}

export function createWatched(cancel: () => void | Promise<unknown>): Watched {
  const texts: string[] = [];
  let end = (_status: string | undefined): void => undefined;
  let work = (): void => undefined;
  const ended = new Promise<string | undefined>((resolve) => (end = resolve));
  const working = new Promise<void>((resolve) => (work = resolve));
  return {
    ended,
    working,
    received: () => texts.join("\n"),
    hear(message, isEvent = false) {
      texts.push(message);
      if (isEvent) work();
    },
    end(status) {
      end(typeof status === "string" ? status : undefined);
      // Nobody waits for the work of a task that is over.
      work();
    },
    async cancel() {
      await cancel();
    },
  };
}

/** The answer to a POST that announces more than any surface takes. Nothing of it is sent: a refusal could be lost while it is. */
export async function announceLarge(url: string, sizeBytes = 10 * 1024 * 1024 + 1): Promise<JsonObject> {
  const sent = request(url, {
    method: "POST",
    headers: { "content-type": "application/json", "content-length": sizeBytes },
  });
  sent.flushHeaders();
  return new Promise((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      void text(response).then((body) => {
        sent.destroy();
        resolve(JSON.parse(body) as JsonObject);
      }, reject);
    });
  });
}

/** A field that must be a text. */
export function textIn(document: JsonObject, field: string): string {
  const value = document[field];
  if (typeof value === "string") return value;
  throw new Error(`there is no ${field} in ${JSON.stringify(document).slice(0, 200)}`);
}
