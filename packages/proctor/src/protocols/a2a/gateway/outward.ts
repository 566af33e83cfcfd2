// What an agent says, as a client hears it: with the ids that the client knows, and references in the place of bytes. Everything else, known
// here or not, passes as it came. One of these serves one request.
import type { JsonObject } from "../../../core/json.ts";
import { A2aError } from "../errors.ts";
import type { A2aArtifact, A2aMessage, A2aPart, A2aTask, TaskStatus } from "../model.ts";
import { isTerminalState } from "../states.ts";
import { continues } from "./chunks.ts";
import type { IdMap } from "./id-map.ts";
import { decodeRaw, type KeepBytes, type Origin, type Produced } from "./keep-bytes.ts";
import { PRODUCED } from "./metadata-keys.ts";

export interface OutwardOptions {
  ids: IdMap;
  keep: KeepBytes;
  user: string;
  /** The client's id of the context. */
  context: string;
  /** True when the client named the context: then the answer is in it, whatever the agent calls it. */
  isNamed: boolean;
  /** The agent's id of the only task that the answer may be about; any when absent. */
  task?: string;
  signal: AbortSignal;
}

export interface Outward {
  task(task: A2aTask): Promise<A2aTask>;
  message(message: A2aMessage): Promise<A2aMessage>;
  status(status: TaskStatus): Promise<TaskStatus>;
  /** Resolves with the client's ids of a task and its context. Throws INVALID_AGENT_RESPONSE for those of another task or user. */
  ids(taskId: string, contextId: string | undefined): Promise<OuterIds>;
  /** Returns the same at once, where the answer has named these ids before; undefined where it has not. */
  knownIds(taskId: string, contextId: string | undefined): OuterIds | undefined;
  /** Returns the message at once, where it holds no bytes and no ids that have to be asked for; undefined where it does. */
  messageNow(message: A2aMessage): A2aMessage | undefined;
  /** Returns the client's id of the task that the answer is about; undefined until the answer has named it. */
  taskId(): string | undefined;
  /** Returns what has been kept so far. */
  produced(): readonly Produced[];
  noteProduced(produced: Produced): void;
}

export interface OuterIds {
  taskId: string;
  contextId: string;
}

const MAX_PRODUCED = 1000;

export function createOutward(options: OutwardOptions): Outward {
  const { ids, keep, user, context, signal } = options;
  const produced = new Map<string, Produced>();
  let only = options.task;
  /** Ids that the answer named last, on both sides: a stream has the same ones in every frame. */
  let last: { taskId: string; contextId: string | undefined; outer: OuterIds } | undefined;

  async function outerIds(taskId: string, contextId: string | undefined): Promise<OuterIds> {
    if (only !== undefined && only !== taskId) {
      throw new A2aError("INVALID_AGENT_RESPONSE", "the agent's answer is about another task");
    }
    only = taskId;
    const outer = knownIds(taskId, contextId) ?? (await askForIds(taskId, contextId));
    last = { taskId, contextId, outer };
    return outer;
  }

  function knownIds(taskId: string, contextId: string | undefined): OuterIds | undefined {
    return last?.taskId === taskId && last.contextId === contextId ? last.outer : undefined;
  }

  async function askForIds(taskId: string, contextId: string | undefined): Promise<OuterIds> {
    const isPlaced = options.isNamed || contextId === undefined || contextId === "";
    if (!isPlaced) return ids.outerBoth(user, { taskId, contextId }, context);
    const outer = await outerContext(contextId);
    return { taskId: await ids.outerTask(user, taskId, outer), contextId: outer };
  }

  async function outerContext(inner: string | undefined): Promise<string> {
    if (inner === undefined || inner === "") return context;
    const known = await ids.outerContext(user, inner, context);
    return options.isNamed ? context : known;
  }

  async function keepParts(
    parts: readonly A2aPart[],
    origin: Origin,
    isArtifact: boolean,
  ): Promise<A2aPart[]> {
    const kept: A2aPart[] = [];
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index];
      if (part === undefined) continue;
      if (part.raw === undefined) {
        kept.push(part);
        continue;
      }
      // A task holds the chunks of a stream as parts of the same name.
      const pieces = [decodeRaw(part.raw)];
      for (let next = parts[index + 1]; next && continues(part, next, false); next = parts[index + 1]) {
        pieces.push(decodeRaw(next.raw ?? ""));
        index++;
      }
      const [only = Buffer.alloc(0)] = pieces;
      const bytes = pieces.length === 1 ? only : Buffer.concat(pieces);
      const result = await keep(part, bytes, origin, signal);
      if (isArtifact) noteProduced(result.produced);
      kept.push(result.part);
    }
    return kept;
  }

  function noteProduced(one: Produced): void {
    if (produced.size < MAX_PRODUCED) produced.set(one.uri, one);
  }

  function messageNow(said: A2aMessage): A2aMessage | undefined {
    const { contextId, taskId, referenceTaskIds } = said;
    if (last === undefined || referenceTaskIds !== undefined || holdsBytes(said)) return undefined;
    if (contextId !== undefined && contextId !== last.contextId) return undefined;
    if (taskId !== undefined && taskId !== last.taskId) return undefined;
    const mapped = { ...said };
    if (contextId !== undefined) mapped.contextId = last.outer.contextId;
    if (taskId !== undefined) mapped.taskId = last.outer.taskId;
    return mapped;
  }

  async function message(said: A2aMessage): Promise<A2aMessage> {
    const now = messageNow(said);
    if (now) return now;
    const session = await outerContext(said.contextId);
    const { messageId } = said;
    const mapped: A2aMessage = {
      ...said,
      ...(said.contextId !== undefined && { contextId: session }),
      ...(said.taskId !== undefined && { taskId: await ids.outerTask(user, said.taskId, session) }),
      ...(said.referenceTaskIds && { referenceTaskIds: await referenced(said.referenceTaskIds) }),
    };
    if (!holdsBytes(said)) return mapped;
    return { ...mapped, parts: await keepParts(said.parts, { user, session, messageId }, false) };
  }

  /** Tasks that the client has not seen keep the agent's id. */
  function referenced(inner: readonly string[]): Promise<string[]> {
    return Promise.all(inner.map(async (id) => (await ids.knownTask(user, id))?.outer ?? id));
  }

  async function status(told: TaskStatus): Promise<TaskStatus> {
    return told.message ? { ...told, message: await message(told.message) } : told;
  }

  async function artifact(made: A2aArtifact, session: string): Promise<A2aArtifact> {
    if (made.parts.every(({ raw }) => raw === undefined)) return made;
    const { artifactId, name } = made;
    const origin = { user, session, artifactId, ...(name !== undefined && { name }) };
    return { ...made, parts: await keepParts(made.parts, origin, true) };
  }

  return {
    ids: outerIds,
    knownIds,
    taskId: () => last?.outer.taskId,
    message,
    messageNow,
    status,
    produced: () => [...produced.values()],
    noteProduced,
    async task(told) {
      const { taskId, contextId } = await outerIds(told.id, told.contextId);
      const mapped: A2aTask = { ...told, id: taskId, contextId, status: await status(told.status) };
      if (told.artifacts) mapped.artifacts = await inOrder(told.artifacts, (one) => artifact(one, contextId));
      if (told.history) mapped.history = await inOrder(told.history, message);
      return isTerminalState(told.status.state) ? withProduced(mapped, [...produced.values()]) : mapped;
    },
  };
}

/** Returns whether bytes have to be kept. The client's own messages stay unchanged. */
function holdsBytes({ role, parts }: A2aMessage): boolean {
  return role !== "ROLE_USER" && parts.some(({ raw }) => raw !== undefined);
}

/** Adds what was kept to the metadata of an object that ends a task. */
export function withProduced<T extends { metadata?: JsonObject }>(told: T, produced: readonly Produced[]): T {
  if (produced.length === 0) return told;
  return { ...told, metadata: { ...told.metadata, [PRODUCED]: [...produced] } };
}

async function inOrder<T>(items: readonly T[], map: (item: T) => Promise<T>): Promise<T[]> {
  const mapped: T[] = [];
  for (const item of items) mapped.push(await map(item));
  return mapped;
}
