// The one live connection to a hub. It is resumed where it was, after a lost network and after a restart of the hub alike.
import { apiUrl } from "./address.ts";
import { refused } from "./http-source.ts";
import { connection, dispatch, generation, watchedRuns } from "./live.ts";
import { readFrames } from "./read-frames.ts";
import { authHeaders, token } from "./token.ts";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 10_000;
/** Milliseconds of silence after which a connection counts as gone; the hub sends something every 15 seconds. */
const SILENCE_MS = 45_000;

let position: string | undefined;
let attempt: AbortController | undefined;
let pauseMs = FIRST_PAUSE_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Connects at once. Several calls in one turn are one connection. */
export function connectLive(): void {
  clearTimeout(timer);
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
    // A connection that broke is opened again below.
  } finally {
    clearTimeout(watchdog);
  }
  if (attempt === current) comeBack();
}

async function open(abort: AbortSignal): Promise<Response | undefined> {
  const also = watchedRuns();
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
  await refused(response, used);
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

addEventListener("online", connectLive);
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible" && connection.value === "lost") connectLive();
});
