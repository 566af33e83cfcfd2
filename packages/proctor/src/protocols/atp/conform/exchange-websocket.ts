// Raw exchanges over a WebSocket: one text frame per message, several exchanges on one socket, told apart by `task_id`.
// A frame that names no task of ours belongs to whoever is waiting.
import { WebSocket } from "ws";
import type { AgentSpec } from "../../../core/agent.ts";
import { parseObject } from "../../../core/parse-object.ts";
import { isSameTask } from "../formats.ts";
import { SUBPROTOCOL } from "../websocket/subprotocol.ts";
import { startDeadline, type Deadline } from "./deadline.ts";
import {
  concludeExchange,
  taskIdOf,
  textOf,
  type Connection,
  type Ended,
  type Exchange,
  type ExchangeOptions,
} from "./exchange.ts";
import { createTranscript } from "./transcript.ts";

const MAX_FRAME_BYTES = 32 * 1024 * 1024;
const CONNECT_MS = 10_000;

interface Waiting {
  taskId: string | undefined;
  /** False once it has been answered; frames for it are still kept. */
  open: boolean;
  hear(text: string, alone: boolean): void;
  end(): void;
}

interface Socket {
  socket: WebSocket;
  error?: string;
  closeCode?: number;
}

export async function openWebSocket(spec: AgentSpec, signal: AbortSignal): Promise<Connection> {
  const waiting = new Set<Waiting>();
  const held = await connect(spec, signal);
  const { socket } = held;

  socket.on("message", (data, isBinary) => {
    const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer);
    const text = isBinary ? `(a binary frame of ${bytes.length} bytes)` : bytes.toString("utf8");
    const open = [...waiting].filter((one) => one.open);
    const named = parseObject(text)?.["task_id"];
    const own = [...waiting].find(({ taskId }) => taskId !== undefined && isSameTask(named, taskId));
    for (const one of own ? [own] : open) one.hear(text, own !== undefined || open.length === 1);
  });
  socket.on("close", (code) => {
    held.closeCode = code;
    for (const one of waiting) one.end();
  });

  async function exchange(options: ExchangeOptions): Promise<Exchange> {
    const startedAt = performance.now();
    const transcript = createTranscript();
    let deadline: Deadline | undefined;
    await new Promise<void>((resolve) => {
      if (socket.readyState !== WebSocket.OPEN) return resolve();
      const taskId = taskIdOf(options.send);
      const end = (): void => {
        one.open = false;
        resolve();
      };
      deadline = startDeadline(options, {
        cancel: () => socket.send(JSON.stringify({ type: "cancel", task_id: taskId, reason: "conformance" })),
        cut: end,
      });
      const one: Waiting = {
        taskId,
        open: true,
        hear(text, alone) {
          const { kind } = transcript.add({ text, channel: "frame" });
          if (transcript.full) return end();
          if (kind !== "response" || !alone || !one.open) return deadline?.heard();
          one.open = false;
          deadline?.answered();
          // Whatever was sent together with the response arrives before the answer to a ping.
          setTimeout(() => settle(socket, end), options.listenMs ?? 0);
        },
        end,
      };
      waiting.add(one);
      socket.send(textOf(options.send));
    }).finally(() => deadline?.clear());
    const ended: Ended = {
      overtime: deadline?.overtime ?? false,
      cancelled: deadline?.cancelled ?? false,
      lingered: false,
      unreachable: held.error !== undefined,
      ...(held.error !== undefined && { error: held.error }),
      ...(transcript.full && { error: "it said more than anybody would read, and was cut off" }),
      ...(held.closeCode !== undefined && held.error === undefined && { closeCode: held.closeCode }),
      subprotocol: socket.protocol,
    };
    return concludeExchange(options, transcript, ended, performance.now() - startedAt);
  }

  return {
    exchange,
    async close() {
      if (socket.readyState === WebSocket.CLOSED) return;
      const closed = new Promise((resolve) => socket.once("close", resolve));
      socket.close(1000);
      const timer = setTimeout(() => socket.terminate(), 500);
      await closed;
      clearTimeout(timer);
    },
  };
}

function settle(socket: WebSocket, done: () => void): void {
  if (socket.readyState !== WebSocket.OPEN) return done();
  socket.once("pong", done);
  socket.ping();
}

/** Offers our subprotocol; an agent that accepts none is connected without it, and judged for it later. */
async function connect(spec: AgentSpec, signal: AbortSignal): Promise<Socket> {
  const first = await tryConnect(spec, [SUBPROTOCOL], signal);
  return first.error?.includes("subprotocol") === true ? tryConnect(spec, [], signal) : first;
}

function tryConnect(spec: AgentSpec, protocols: string[], signal: AbortSignal): Promise<Socket> {
  const socket = new WebSocket(spec.url ?? "", protocols, {
    ...(spec.headers && { headers: spec.headers }),
    handshakeTimeout: CONNECT_MS,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  const held: Socket = { socket };
  return new Promise((resolve) => {
    let opened = false;
    const giveUp = (): void => socket.terminate();
    signal.addEventListener("abort", giveUp);
    socket.once("close", () => signal.removeEventListener("abort", giveUp));
    if (signal.aborted) giveUp();
    socket.once("open", () => {
      opened = true;
      resolve(held);
    });
    socket.on("error", (error) => {
      // Later errors end the socket; its close code says how.
      if (!opened) held.error ??= error.message;
      resolve(held);
    });
  });
}
