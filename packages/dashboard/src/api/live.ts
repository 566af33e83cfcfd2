// What arrives while pages are open: status changes of all runs, and every event of the runs that a page watches. The source of documents
// decides where they come from; a file sends nothing.
import { signal } from "@preact/signals";
import type { EvaluationEvent, Event } from "./gen/schema.ts";

type Connection = "connecting" | "live" | "lost";
type Listener = (event: Event) => void;

/** State of the connection. */
export const connection = signal<Connection>("connecting");
/** Grows when events were missed that cannot be sent again: pages then read everything again. */
export const generation = signal(0);

const listeners = new Set<Listener>();
const ofEvaluations = new Set<(event: EvaluationEvent) => void>();
const watched = new Map<string, number>();
let connect: (() => void) | undefined;

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
  connect?.();
}

/** Sets the function that connects. Called once, before the first page is drawn. */
export function setConnect(start: () => void): void {
  connect = start;
}

/** Returns the ids of the runs that pages watch now. */
export function watchedRuns(): string[] {
  return [...watched.keys()];
}

/** Calls every listener. The stream carries what the OpenAPI document says. */
export function dispatch(kind: string | undefined, data: unknown): void {
  if (kind === "evaluation") for (const listener of ofEvaluations) listener(data as EvaluationEvent);
  // Frames of other kinds end the stream, which then is opened again.
  if (kind === undefined) for (const listener of listeners) listener(data as Event);
}
