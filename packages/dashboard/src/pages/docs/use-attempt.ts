// One request that a visitor tries, from its sending to the end of its answer: a document, bytes, or a stream that is read until it is stopped.
import { useEffect, useRef, useState } from "preact/hooks";
import { readFrames, type Frame } from "../../api/read-frames.ts";
import { ask } from "../../api/http-source.ts";
import type { DraftRequest } from "./draft.ts";

/** Number of newest frames that are kept of a long stream. */
const KEPT_FRAMES = 200;
/** Bytes of a text that are shown; the rest can be saved. */
export const SHOWN_BYTES = 200_000;

export interface Tried {
  status: number;
  reason: string;
  headers: readonly (readonly [string, string])[];
  tookMs: number;
  body: TriedBody;
}

export type TriedBody =
  | { kind: "empty" }
  | { kind: "json"; value: unknown }
  | { kind: "text"; text: string; blob: Blob }
  | { kind: "bytes"; blob: Blob }
  | { kind: "stream"; stream: Streamed };

export interface Streamed {
  frames: readonly ShownFrame[];
  /** Number of frames that have arrived. */
  seen: number;
  state: "live" | "ended" | "stopped";
}

interface ShownFrame {
  number: number;
  id: string | undefined;
  event: string | undefined;
  data: unknown;
}

export interface Attempt {
  tried: Tried | undefined;
  isLive: boolean;
  send: (method: string, request: DraftRequest) => Promise<void>;
  stop: () => void;
}

export function useAttempt(): Attempt {
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const current = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => current.current?.abort(), []);

  async function send(method: string, { path, ...options }: DraftRequest): Promise<void> {
    current.current?.abort();
    const stop = new AbortController();
    current.current = stop;
    const sentAt = performance.now();
    setTried(undefined);
    const response = await ask(method, path, { ...options, signal: stop.signal });
    const head = {
      status: response.status,
      reason: response.statusText,
      headers: [...response.headers.entries()],
      tookMs: performance.now() - sentAt,
    };
    const type = response.headers.get("content-type") ?? "";
    if (!type.startsWith("text/event-stream") || response.body === null) {
      setTried({ ...head, body: await readBody(response, type) });
      return;
    }
    const show = (stream: Streamed): void => {
      if (current.current === stop) setTried({ ...head, body: { kind: "stream", stream } });
    };
    // Not awaited: the form can be used, and the stream stopped, while it runs.
    void follow(response.body, stop.signal, show);
  }

  return {
    tried,
    isLive: tried?.body.kind === "stream" && tried.body.stream.state === "live",
    send,
    stop: () => current.current?.abort(),
  };
}

/** Reads the stream to its end. Frames that arrive before the screen is drawn again are shown together. */
async function follow(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  show: (stream: Streamed) => void,
): Promise<void> {
  let frames: ShownFrame[] = [];
  let seen = 0;
  let picture = 0;
  const now = (state: Streamed["state"]): void => show({ frames, seen, state });
  now("live");
  try {
    for await (const frame of readFrames(body)) {
      if (frame?.data === undefined) continue;
      frames = [...frames, shownFrame(frame, ++seen)].slice(-KEPT_FRAMES);
      picture ||= requestAnimationFrame(() => {
        picture = 0;
        now("live");
      });
    }
  } catch {
    // A stream that broke off has ended, too.
  }
  cancelAnimationFrame(picture);
  now(signal.aborted ? "stopped" : "ended");
}

function shownFrame({ id, event, data = "" }: Frame, number: number): ShownFrame {
  return { number, id, event, data: parsed(data) ?? data };
}

async function readBody(response: Response, type: string): Promise<TriedBody> {
  const blob = await response.blob();
  if (blob.size === 0) return { kind: "empty" };
  if (/\bjson\b/.test(type)) {
    const value = parsed(await blob.text());
    if (value !== undefined) return { kind: "json", value };
  }
  if (!/^text\/|\bjson\b|\byaml\b|\bxml\b/.test(type)) return { kind: "bytes", blob };
  return { kind: "text", text: await blob.slice(0, SHOWN_BYTES).text(), blob };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
