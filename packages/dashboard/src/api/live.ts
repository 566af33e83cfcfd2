// The one live connection: status changes of all runs, and every event of the runs that a page watches. It is resumed where it was, after a
// lost network and after a restart of the hub alike.
import { signal } from "@preact/signals";
import { apiUrl } from "./address.ts";
import type { EvaluationEvent, Event } from "./gen/schema.ts";
import { readFrames } from "./read-frames.ts";
import { texts } from "../texts.ts";
import { authHeaders, refuseToken, token } from "./token.ts";

type Connection = "connecting" | "live" | "lost";
type Listener = (event: Event) => void;

/** How the connection is. */
export const connection = signal<Connection>("connecting");
/** Grows when what was missed cannot be told: pages then read everything again. */
export const generation = signal(0);

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** The hub says something every 15 seconds; a connection that is silent for longer is gone. */
const SILENCE_MS = 45_000;

const listeners = new Set<Listener>();
const ofEvaluations = new Set<(event: EvaluationEvent) => void>();
const watched = new Map<string, number>();
let position: string | undefined;
let attempt: AbortController | undefined;
let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Calls the listener with every event, until the returned function is called. */
export function onEvent(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Calls the listener with everything that changes about evaluations, until the returned function is called. */
export function onEvaluation(listener: (event: EvaluationEvent) => void): () => void {
  ofEvaluations.add(listener);
  return () => void ofEvaluations.delete(listener);
}

/** Asks for every event of this run, until the returned function is called. */
export function watchRun(id: string): () => void {
  watched.set(id, (watched.get(id) ?? 0) + 1);
  if (watched.get(id) === 1) reconnect();
  return () => {
    const left = (watched.get(id) ?? 1) - 1;
    if (left > 0) return void watched.set(id, left);
    watched.delete(id);
    reconnect();
  };
}

/** Connects, or connects again at once: the page came back, or what it watches has changed. */
export function reconnect(): void {
  clearTimeout(timer);
  // Several changes in one turn are one connection.
  timer = setTimeout(() => void connect(), 0);
}

async function connect(): Promise<void> {
  attempt?.abort();
  const current = new AbortController();
  attempt = current;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => current.abort(), SILENCE_MS);
  };
  try {
    heard();
    const response = await open(current.signal);
    if (response?.body) {
      connection.value = "live";
      pauseMs = FIRST_PAUSE_MS;
      for await (const frame of readFrames(response.body)) {
        heard();
        if (frame?.id !== undefined) position = frame.id;
        if (frame?.data !== undefined) dispatch(frame.event, JSON.parse(frame.data));
      }
    }
  } catch {
    // A connection that broke is mended below.
  } finally {
    clearTimeout(watchdog);
  }
  if (attempt === current) comeBack();
}

async function open(abort: AbortSignal): Promise<Response | undefined> {
  const also = [...watched.keys()];
  const used = token.peek();
  const url = apiUrl("events", {
    status_changes: true,
    evaluations: true,
    also_run: also.length > 0 ? also : undefined,
  });
  const response = await fetch(url, {
    headers: {
      ...authHeaders(),
      accept: "text/event-stream",
      ...(position !== undefined && { "last-event-id": position }),
    },
    signal: abort,
    credentials: "omit",
    cache: "no-store",
  });
  if (response.ok) return response;
  if (response.status === 401) refuseToken(used, texts.login.title);
  if (response.status === 400 && position !== undefined) {
    // Another hub, or one that was restored from an older copy: it does not know the position.
    position = undefined;
    generation.value++;
  }
  return undefined;
}

function comeBack(): void {
  connection.value = "lost";
  clearTimeout(timer);
  timer = setTimeout(() => void connect(), pauseMs * (0.75 + Math.random() / 2));
  pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
}

/** The stream carries what the OpenAPI document says. */
function dispatch(kind: string | undefined, data: unknown): void {
  if (kind === "evaluation") for (const listener of ofEvaluations) listener(data as EvaluationEvent);
  // Frames of other kinds end the stream, which then is opened again.
  if (kind === undefined) for (const listener of listeners) listener(data as Event);
}

addEventListener("online", reconnect);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && connection.value === "lost") reconnect();
});
