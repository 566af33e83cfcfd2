// Clients of the envelope's surface for the shared suite: a sender that is told of its run in its inbox, over HTTP and over a WebSocket.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { WebSocket } from "ws";
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import type { AskedTask, Mistake, SurfaceClient } from "../../../src/protocols/surface.case.ts";
import { DEEP } from "./atp.ts";
import { announceLarge, createWatched } from "./watched.ts";

/** How a sender sends, and hears what comes for it. */
interface Line {
  send(envelope: JsonObject): Promise<void>;
  /** Entries of the inbox, until the connection ends. */
  entries: AsyncIterable<JsonObject>;
  close(): void;
}

type OpenLine = (url: string, party: string) => Promise<Line>;

const JSON_TYPE = { "content-type": "application/json" };

const overHttp: OpenLine = async (url, party) => {
  const leaving = new AbortController();
  const stream = await fetch(`${url}/messages?for=${party}`, {
    headers: { accept: "text/event-stream" },
    signal: leaving.signal,
  });
  return {
    async send(envelope) {
      const answer = await fetch(`${url}/messages`, {
        method: "POST",
        headers: JSON_TYPE,
        body: JSON.stringify(envelope),
      });
      await answer.text();
    },
    entries: (async function* () {
      for await (const frame of readSse(stream.body ?? new ReadableStream<Uint8Array>()))
        if (frame.kind === "message") yield JSON.parse(frame.data) as JsonObject;
    })(),
    close: () => leaving.abort(),
  };
};

const overSocket: OpenLine = async (url, party) => {
  const socket = new WebSocket(`${url.replace("http", "ws")}/messages/ws?for=${party}`, "envelope.v2");
  const heard: JsonObject[] = [];
  let wake = (): void => undefined;
  socket.on("message", (data: Buffer) => {
    heard.push(JSON.parse(data.toString()) as JsonObject);
    wake();
  });
  socket.on("close", () => wake());
  await once(socket, "open");
  return {
    send: async (envelope) => socket.send(JSON.stringify(envelope)),
    entries: (async function* () {
      for (;;) {
        const next = heard.shift();
        if (next !== undefined && "envelope" in next) yield next;
        if (next !== undefined) continue;
        if (socket.readyState >= WebSocket.CLOSING) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    })(),
    close: () => socket.terminate(),
  };
};

function watch(open: OpenLine, url: string, to: string, task: string): AskedTask {
  const from = `user:${randomUUID()}`;
  const id = randomUUID();
  const execute = {
    to,
    type: "request",
    action: "execute",
    payload: { task, options: { conversation: {} } },
  };
  let line: Line | undefined;
  const send = async (envelope: JsonObject): Promise<void> => line?.send({ from, ...envelope });
  const watched = createWatched(() =>
    send({ to: "hub", type: "request", action: "cancel", payload: {}, inReplyTo: id }),
  );
  let asked = (_text: string): void => undefined;
  const question = new Promise<string>((resolve) => (asked = resolve));

  async function read(): Promise<void> {
    line = await open(url, from);
    await send({ id, ...execute });
    for await (const { envelope } of line.entries) {
      const { type, action, payload } = envelope as { type: string; action: string; payload: JsonObject };
      if (action === "cancel" || action === "answer") continue;
      watched.hear(JSON.stringify(envelope), payload["status"] === "running");
      if (isJsonObject(payload["question"])) asked(textIn(payload["question"]["parts"]));
      if (type === "response" || type === "error") {
        watched.end(payload["status"]);
        break;
      }
    }
    line.close();
  }

  void read()
    .catch(() => undefined)
    .then(() => watched.end(undefined));
  return {
    ...watched,
    question,
    reply: (text) =>
      void question.then(() =>
        send({ to: "hub", type: "request", action: "answer", inReplyTo: id, payload: { text } }),
      ),
  };
}

function textIn(parts: Json | undefined): string {
  return (Array.isArray(parts) ? parts.filter(isJsonObject) : [])
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

async function mistakeAt(url: string, mistake: Mistake): Promise<string> {
  const place = `${url}/messages`;
  const valid = { to: "worker", type: "request", action: "execute", payload: "work" };
  const post = async (
    path: string,
    body: string,
    headers = JSON_TYPE,
    isPut = false,
  ): Promise<JsonObject> => {
    const answer = await fetch(path, { headers, body, method: isPut ? "PUT" : "POST" });
    return (await answer.json()) as JsonObject;
  };
  const text = JSON.stringify(valid);
  const made: Record<Mistake, () => Promise<JsonObject>> = {
    "unknown agent": () => post(place, JSON.stringify({ ...valid, to: "nobody" })),
    "bad body": () => post(place, "{"),
    "too large": () => announceLarge(place, 16 * 1024 * 1024 + 1),
    nesting: () => post(place, DEEP),
    "media type": () => post(place, text, { "content-type": "text/plain" }),
    method: () => post(place, text, JSON_TYPE, true),
    path: () => post(`${place}/no/where`, text),
  };
  const { code } = await made[mistake]();
  return typeof code === "string" ? code : "";
}

const ASKED = "its senders can be asked: the answer is theirs";
const SKIPS = {
  reconnect: "entries have positions and stay until they are acknowledged (messages.case.ts has this case)",
  "question denied": ASKED,
  "question unanswered": ASKED,
};

const LINES: Record<string, OpenLine> = {
  "envelopes /messages": overHttp,
  "envelopes /messages/ws": overSocket,
};

export const ENVELOPE_SURFACES: readonly SurfaceClient[] = Object.entries(LINES).map(([name, open]) => ({
  name,
  skips: SKIPS,
  give: ({ url }, agent, description) => watch(open, url, agent, description),
  giveAndListen: ({ url }, agent, description) => watch(open, url, agent, description),
  mistake: ({ url }, mistake) => mistakeAt(url, mistake),
}));
