// One socket to an agent and the tasks in flight on it. Reads the socket once and hands each message to its task.
import { isJsonObject } from "../../../core/json.ts";
import type { SocketEnd, WebSocketChannel } from "../../../channels/websocket/wrap-socket.ts";
import { taskIdOf } from "../execution.ts";
import { taskKey } from "../formats.ts";
import { createRecent } from "./recent.ts";
import { createTaskInbox, type TaskInbox } from "./task-inbox.ts";

export interface Link {
  /** True when the subprotocol was agreed on, so that many tasks may share the socket. */
  readonly shared: boolean;
  /**
   * Resolves with false when the socket must not be used any more. An agent may close a socket when it has answered, and nobody can
   * tell whether a request that is sent meanwhile was received; so the agent is asked first on a socket that was idle.
   */
  isGood: () => Promise<boolean>;
  /** Sends the request. Resolves with undefined when the socket has closed and nothing was sent. */
  begin(taskId: string, request: string): Promise<LinkTask | undefined>;
}

export interface LinkTask {
  /** Resolves with the messages that came for the task; undefined after the end. */
  take(): Promise<readonly string[] | undefined>;
  /** End of the socket, when that is why nothing more comes. */
  readonly socketEnd: SocketEnd | undefined;
  /** Number of messages that came while the task was in flight and belong to no task on the socket. */
  readonly strays: number;
  /** Asks the agent to stop. */
  cancel(): void;
  /** Takes no more messages; those that came can still be read. */
  stop(): void;
  /** Ends the task. The socket is kept for others, or closed when it is unused or the agent may still work on the task. */
  leave(answered: boolean): void;
}

interface Entry {
  inbox: TaskInbox;
  strays: number;
  cancelled: boolean;
}

const IDLE_MS = 3000;
/** Milliseconds that an agent may take to show that an idle socket is still good. */
const PROBE_MS = 1000;
/** Ended tasks whose late messages are ignored. */
const REMEMBERED = 1000;

/** `onUnfit` is called when the link takes no new tasks any more: it closed, or one of its tasks is not read. */
export function createLink(socket: WebSocketChannel, onUnfit: () => void): Link {
  const shared = socket.protocol !== "";
  const tasks = new Map<string, Entry>();
  const ended = createRecent(REMEMBERED);
  let idle: NodeJS.Timeout | undefined;
  let probing: Promise<boolean> | undefined;
  let socketEnd: SocketEnd | undefined;

  /** Closes an unused socket after a while, and does not let it keep the process alive. */
  function rest(): void {
    socket.unref();
    clearTimeout(idle);
    idle = setTimeout(hangUp, IDLE_MS).unref();
  }

  function hangUp(): void {
    onUnfit();
    socket.ref();
    socket.close(1000, "done");
  }

  function route(text: string): Entry | undefined {
    const [only] = tasks.values();
    if (tasks.size === 1 && ended.size === 0) return only;
    const id = messageTaskId(text);
    const named = id === undefined ? undefined : tasks.get(id);
    if (named !== undefined || (id !== undefined && ended.has(id))) return named;
    if (tasks.size === 1) return only;
    for (const entry of tasks.values()) entry.strays += 1;
    return undefined;
  }

  async function read(): Promise<void> {
    for await (const text of socket.messages) {
      const entry = route(text);
      entry?.inbox.put(text);
      const full = entry?.inbox.room();
      if (full) {
        // Runs that share the socket have to wait; new ones get another.
        onUnfit();
        await full;
      }
    }
    socketEnd = await socket.closed;
    clearTimeout(idle);
    onUnfit();
    for (const { inbox } of tasks.values()) inbox.end();
  }

  function leave(id: string, entry: Entry, answered: boolean): void {
    if (!tasks.delete(id)) return;
    ended.add(id);
    entry.inbox.drop();
    if (tasks.size > 0) {
      if (!answered) sendCancel(id, entry);
    } else if (answered && shared) rest();
    else hangUp();
  }

  function sendCancel(id: string, entry: Entry): void {
    if (entry.cancelled) return;
    entry.cancelled = true;
    void socket.send(JSON.stringify({ type: "cancel", task_id: id }));
  }

  async function isGood(): Promise<boolean> {
    if (ended.size === 0 || tasks.size > 0) return true;
    clearTimeout(idle);
    socket.ref();
    probing ??= socket.answers(PROBE_MS).finally(() => (probing = undefined));
    const good = await probing;
    if (!good) hangUp();
    else if (tasks.size === 0) rest();
    return good;
  }

  rest();
  void read();
  return {
    shared,
    isGood,
    async begin(taskId, request) {
      const id = taskKey(taskId);
      const entry: Entry = { inbox: createTaskInbox(), strays: 0, cancelled: false };
      tasks.set(id, entry);
      clearTimeout(idle);
      socket.ref();
      // Only a socket that was closed already says so at once; one that closes from here on may have sent the request.
      const sending = socket.send(request);
      if ((await Promise.race([sending, Promise.resolve()])) === false) {
        tasks.delete(id);
        onUnfit();
        return undefined;
      }
      return {
        take: () => entry.inbox.take(),
        get socketEnd() {
          return socketEnd;
        },
        get strays() {
          return entry.strays;
        },
        cancel: () => sendCancel(id, entry),
        stop: () => entry.inbox.end(),
        leave: (answered) => leave(id, entry, answered),
      };
    },
  };
}

function messageTaskId(text: string): string | undefined {
  if (!text.includes('"task_id"')) return undefined;
  try {
    const message: unknown = JSON.parse(text);
    const id = isJsonObject(message) ? taskIdOf(message) : undefined;
    return id === undefined ? undefined : taskKey(id);
  } catch {
    return undefined;
  }
}
