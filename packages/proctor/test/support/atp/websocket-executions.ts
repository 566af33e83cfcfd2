// Executions whose events a test writes itself, and a real server with the surface on it.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { WebSocket } from "ws";
import { acceptSocket } from "../../../src/channels/websocket/accept-socket.ts";
import { ProctorError } from "../../../src/core/errors.ts";
import { isJsonObject } from "../../../src/core/json.ts";
import type { Execution, ExecutionMessage, Executions } from "../../../src/protocols/atp/execution.ts";
import { serveAtp } from "../../../src/protocols/atp/surface.ts";

export interface ScriptedRun {
  taskId: string;
  traceId: string | undefined;
  cancels: string[];
  /** Number of readers that are reading the run now. */
  readers: number;
  event(payload: object): void;
  end(status?: string): void;
  fail(error: Error): void;
}

export interface ExecutionsDouble extends Executions {
  runs: ScriptedRun[];
  /** Called for each run that starts. */
  onStart: (run: ScriptedRun) => void;
  /** Every start waits for this promise. */
  gate: Promise<void>;
  cancelFailure: Error | undefined;
  pageSize: number;
  /** The most pages that were held at a time: handed out, and the next not yet asked for. */
  mostPagesHeld: number;
}

export function createExecutionsDouble(): ExecutionsDouble {
  const byTask = new Map<string, Execution>();
  let pagesHeld = 0;
  const double: ExecutionsDouble = {
    runs: [],
    onStart: () => {},
    gate: Promise.resolve(),
    cancelFailure: undefined,
    pageSize: 64,
    mostPagesHeld: 0,
    async start(agent, body, { traceId }) {
      await double.gate;
      if (agent === "none") throw new ProctorError("AGENT_NOT_FOUND", `there is no agent "${agent}"`);
      if (!isJsonObject(body) || typeof body["task_id"] !== "string" || !isJsonObject(body["task"])) {
        throw new ProctorError("INVALID_REQUEST", "task: must be an object");
      }
      if (body["task"]["description"] === "bug") throw new Error("a bug");
      const { run, execution } = script(body["task_id"], traceId);
      byTask.set(body["task_id"], execution);
      double.runs.push(run);
      double.onStart(run);
      return execution;
    },
    find(_agent, taskId) {
      const found = byTask.get(taskId);
      if (found) return Promise.resolve(found);
      return Promise.reject(new ProctorError("RUN_NOT_FOUND", `there is no task ${taskId}`));
    },
  };

  function script(taskId: string, traceId: string | undefined): { run: ScriptedRun; execution: Execution } {
    const log: ExecutionMessage[] = [];
    const waiting = new Set<() => void>();
    let failure: Error | undefined;
    const wake = (): void => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    };
    const run: ScriptedRun = {
      taskId,
      traceId,
      cancels: [],
      readers: 0,
      event(payload) {
        const sequence = log.length;
        log.push({
          kind: "event",
          sequence,
          text: JSON.stringify({ task_id: taskId, sequence, event_type: "progress", payload }),
        });
        wake();
      },
      end(status = "completed") {
        log.push({
          kind: "response",
          text: JSON.stringify({ task_id: taskId, status, artifacts: [], metrics: {} }),
        });
        wake();
      },
      fail(error) {
        failure = error;
        wake();
      },
    };
    async function* messages(
      after: number,
      signal: AbortSignal,
    ): AsyncGenerator<readonly ExecutionMessage[]> {
      let next = after + 1;
      run.readers += 1;
      signal.addEventListener("abort", wake);
      try {
        while (!signal.aborted) {
          if (failure) throw failure;
          const page = log.slice(next, next + double.pageSize);
          if (page.length === 0) {
            await new Promise<void>((resolve) => waiting.add(resolve));
            continue;
          }
          next += page.length;
          pagesHeld += 1;
          double.mostPagesHeld = Math.max(double.mostPagesHeld, pagesHeld);
          try {
            yield page;
          } finally {
            pagesHeld -= 1;
          }
          if (page.at(-1)?.kind === "response") return;
        }
      } finally {
        run.readers -= 1;
        signal.removeEventListener("abort", wake);
      }
    }
    const execution: Execution = {
      runId: `run-of-${taskId}`,
      taskId,
      messages,
      response: () => Promise.reject(new Error("not used on a socket")),
      cancel(reason) {
        run.cancels.push(reason);
        if (double.cancelFailure) return Promise.reject(double.cancelFailure);
        run.end("cancelled");
        return Promise.resolve();
      },
    };
    return { run, execution };
  }
  return double;
}

export interface TestClient {
  ws: WebSocket;
  /** Messages that came and were not yet taken. */
  received: Message[];
  send(frame: unknown): void;
  /** The next message, or the next that fits. */
  next(fits?: (message: Message) => boolean): Promise<Message>;
  closed: Promise<number>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look inside freely
export type Message = Record<string, any>;

export async function serveSurface(executions: Executions) {
  const stopping = new AbortController();
  const reported: unknown[] = [];
  const surface = serveAtp({
    executions,
    stopping: stopping.signal,
    keepAliveMs: 15_000,
    report: (...problem) => void reported.push(problem),
  });
  const serving = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const http = createServer();
  http.on(
    "upgrade",
    (incoming, raw, head) => void upgrade(incoming, raw as Socket, head).catch(() => raw.destroy()),
  );

  async function upgrade(incoming: IncomingMessage, raw: Socket, head: Buffer): Promise<void> {
    const url = new URL(incoming.url ?? "", "http://hub");
    const headers = incoming.headers as Record<string, string>;
    const service = await surface.upgrade(new Request(url, { headers }), { traceId: "0".repeat(32) });
    if (!("serve" in service)) throw new Error("refused");
    const socket = acceptSocket({
      request: incoming,
      socket: raw,
      head,
      protocol: "atp.v1",
      maxMessageBytes: 10 * 1024 * 1024,
    });
    if (socket === undefined) return;
    const done = service.serve(socket).catch((error: unknown) => void failures.push(error));
    serving.add(done);
    void done.then(() => serving.delete(done));
  }

  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const clients: WebSocket[] = [];
  return {
    surface,
    stopping,
    failures,
    reported,
    /** Sockets that are still being served. */
    serving: () => serving.size,
    served: () => Promise.all(serving),
    connect: async (path = "/echo/ws", options: WebSocket.ClientOptions = {}): Promise<TestClient> => {
      const ws = new WebSocket(`ws://127.0.0.1:${port}/atp${path}`, "atp.v1", options);
      clients.push(ws);
      const client = createClient(ws);
      await once(ws, "open");
      return client;
    },
    close: async (): Promise<void> => {
      for (const ws of clients) ws.terminate();
      await Promise.all(serving);
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

function createClient(ws: WebSocket): TestClient {
  const received: Message[] = [];
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  ws.on("message", (data: Buffer) => {
    received.push(JSON.parse(data.toString()) as Message);
    wake();
  });
  ws.on("error", () => {});
  const closed = new Promise<number>((resolve) => {
    ws.on("close", (code) => {
      resolve(code);
      wake();
    });
  });
  return {
    ws,
    received,
    closed,
    send: (frame) => ws.send(typeof frame === "string" ? frame : JSON.stringify(frame)),
    async next(fits = () => true) {
      for (;;) {
        const index = received.findIndex(fits);
        const [message] = index === -1 ? [] : received.splice(index, 1);
        if (message) return message;
        if (ws.readyState === ws.CLOSED) throw new Error("the socket is closed");
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
  };
}
