// The built program as a hub of its own: started on a free port, spoken to over HTTP, stopped or killed.
import { readSse } from "../../src/channels/sse/read-sse.ts";
import type { RunEvent } from "../../src/core/event.ts";
import type { Page } from "../../src/core/page.ts";
import type { Run } from "../../src/core/run.ts";
import { startProgram, type ProgramOptions } from "./program.ts";

export interface HubProcess {
  url: string;
  pid: number;
  /** Everything it has printed so far. */
  output: () => string;
  /** The lines of its log, parsed. */
  log: () => Record<string, unknown>[];
  /** The answer, whatever it is, with the hub's token unless `token` is null. */
  send: (method: string, path: string, init?: SendInit) => Promise<Response>;
  get: <T>(path: string) => Promise<T>;
  post: <T>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<T>;
  /** The run's event stream, as a browser reads it; leaving the loop closes it. */
  follow: (runId: string, lastEventId?: number) => AsyncIterable<RunEvent>;
  /** Follows the log until an event satisfies the test. */
  until: (runId: string, satisfied: (event: RunEvent) => boolean) => Promise<RunEvent>;
  /** Waits for the end of a run. */
  ended: (runId: string) => Promise<Run>;
  events: (runId: string) => Promise<RunEvent[]>;
  /** Sends the signal and waits for the end; resolves with the exit code. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface SendInit {
  json?: unknown;
  body?: string;
  headers?: Record<string, string>;
  token?: string | null;
  signal?: AbortSignal;
}

export interface HubProcessOptions extends ProgramOptions {
  args?: readonly string[];
}

export async function startHubProcess(options: HubProcessOptions): Promise<HubProcess> {
  const program = startProgram(["up", "--port", "0", ...(options.args ?? [])], options);
  const [url] = await program.printed(/http:\/\/[\w.[\]:]+:\d+/);
  // It listens before it prints, and it takes runs only after that.
  await program.printed(/Ctrl-C stops it/);
  const ownToken = options.env?.["PROCTOR_TOKEN"]?.split(",")[0] ?? null;

  function send(method: string, path: string, init: SendInit = {}): Promise<Response> {
    const { json, body, headers = {}, token = ownToken, signal } = init;
    const content = json === undefined ? body : JSON.stringify(json);
    return fetch(`${url}${path}`, {
      method,
      headers: {
        ...(content !== undefined && { "content-type": "application/json" }),
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(content !== undefined && { body: content }),
      ...(signal !== undefined && { signal }),
    });
  }

  async function answer<T>(pending: Promise<Response>): Promise<T> {
    const response = await pending;
    const text = await response.text();
    if (!response.ok) throw new Error(`${response.status} from ${response.url}: ${text}`);
    return JSON.parse(text) as T;
  }

  const get = <T>(path: string): Promise<T> => answer(send("GET", path));

  async function* follow(runId: string, lastEventId?: number): AsyncGenerator<RunEvent> {
    const leave = new AbortController();
    const headers = {
      accept: "text/event-stream",
      ...(lastEventId !== undefined && { "last-event-id": String(lastEventId) }),
    };
    const response = await send("GET", `/runs/${runId}/events`, { headers, signal: leave.signal });
    if (response.status !== 200 || response.body === null) throw new Error(`${response.status}: no stream`);
    try {
      for await (const frame of readSse(response.body)) {
        if (frame.kind !== "message") continue;
        const event = JSON.parse(frame.data) as RunEvent;
        if (frame.id !== String(event.sequence))
          throw new Error(`event ${event.sequence} has id ${frame.id}`);
        yield event;
      }
    } finally {
      leave.abort();
    }
  }

  async function until(runId: string, satisfied: (event: RunEvent) => boolean): Promise<RunEvent> {
    let last: RunEvent | undefined;
    for await (const event of follow(runId)) {
      if (satisfied(event)) return event;
      last = event;
    }
    const seen = JSON.stringify(last);
    throw new Error(`the stream of run ${runId} ended before the awaited event, with ${seen}`);
  }

  return {
    url,
    pid: program.pid,
    output: () => program.stdout() + program.stderr(),
    log: () => parseLines(program.stderr()),
    send,
    get,
    post: (path, body = {}, headers = {}) => answer(send("POST", path, { json: body, headers })),
    follow,
    until,
    async ended(runId) {
      await until(runId, ({ type }) => type === "run.ended");
      return get<Run>(`/runs/${runId}`);
    },
    async events(runId) {
      const all: RunEvent[] = [];
      for (let cursor: string | null = "-1"; cursor !== null;) {
        const page: Page<RunEvent> = await get(`/runs/${runId}/events?limit=1000&cursor=${cursor}`);
        all.push(...page.items);
        cursor = page.items.length === 0 ? null : page.next_cursor;
      }
      return all;
    },
    async stop(signal = "SIGTERM") {
      program.child.kill(signal);
      return (await program.ended).code;
    },
  };
}

function parseLines(text: string): Record<string, unknown>[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
