// An agent on a free port in this process, for the tests of what is sent over sockets; and raw connections to it.
import { connect, type Socket } from "node:net";
import { afterEach } from "vitest";
import { createAgentServer, type ServerLimits, type Task, type Emit } from "../src/index.ts";
import { request } from "./run-agent.ts";

interface OpenServer {
  url: string;
  port: number;
  close: () => Promise<void>;
  /** Every task, in the order in which they started. */
  tasks: Task[];
  /** Resolves when a task with this id has been aborted. */
  aborted: (id: string) => Promise<void>;
  /** Resolves when a task with this id has started. */
  started: (id: string) => Promise<void>;
}

const opened: { close(): unknown }[] = [];

afterEach(async () => {
  for (const open of opened.splice(0)) await open.close();
});

/**
 * Serves an agent that does what the description names: `echo` returns its input, `wait` waits until it is aborted, `throw` throws,
 * `many` emits `input.count` events, `flood` emits 20 MB of events and waits.
 */
export async function openServer(limits: Partial<ServerLimits> = {}): Promise<OpenServer> {
  const tasks: Task[] = [];
  const waiting: { id: string; event: string; resolve: () => void }[] = [];
  const happened = new Set<string>();
  const happen = (event: string, id: string): void => {
    happened.add(`${event} ${id}`);
    for (const entry of waiting) if (entry.event === event && entry.id === id) entry.resolve();
  };
  const wait = (event: string, id: string): Promise<void> =>
    new Promise((resolve) => {
      if (happened.has(`${event} ${id}`)) resolve();
      else waiting.push({ id, event, resolve });
    });

  async function agent(task: Task, emit: Emit): Promise<unknown> {
    tasks.push(task);
    task.signal.addEventListener("abort", () => happen("aborted", task.id));
    happen("started", task.id);
    if (task.description === "throw") throw new Error("it broke");
    if (task.description === "many") {
      for (let step = 1; step <= Number(task.input["count"]); step++) {
        emit.progress({ current_step: step, text: task.input["text"] });
      }
      return task.input;
    }
    if (task.description === "flood") {
      for (let count = 0; count < 20; count++) emit.progress({ message: "x".repeat(1024 * 1024) });
    } else if (task.description !== "wait") return task.input;
    emit.progress({ message: "waiting" });
    await new Promise((resolve) => task.signal.addEventListener("abort", resolve));
    throw task.signal.reason;
  }

  const server = createAgentServer(agent, { limits: { closeMs: 300, ...limits } });
  opened.push(server);
  const { url, port } = await server.listen();
  return {
    url,
    port,
    tasks,
    close: () => server.close(),
    aborted: (id) => wait("aborted", id),
    started: (id) => wait("started", id),
  };
}

export interface RawConnection {
  socket: Socket;
  /** Resolves with all bytes that arrived, once the other side has closed. */
  received: Promise<Buffer>;
}

export function openRaw(port: number, text?: string | Buffer): RawConnection {
  const socket = connect(port, "127.0.0.1");
  opened.push({ close: () => socket.destroy() });
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => undefined);
  if (text !== undefined) socket.write(text);
  return {
    socket,
    received: new Promise((resolve) => socket.once("close", () => resolve(Buffer.concat(chunks)))),
  };
}

export function body(description: string, id: string, input: object = {}): string {
  return JSON.stringify({ ...request(description), task_id: id, task: { description, input_data: input } });
}
