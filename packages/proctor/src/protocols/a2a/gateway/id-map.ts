// The ids that clients know, and those that the agent knows. A pair is on disk before a client hears of it, belongs to one user and never
// changes, so that it may be remembered here.
import { checkScope } from "../../../core/artifact-key.ts";
import { ProctorError } from "../../../core/errors.ts";
import { uuidV7 } from "../../../core/id.ts";
import { createOldestKey } from "../../../core/oldest-key.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { GatewayId, GatewayIdKind, GatewayIds } from "../../../core/ports/gateway-ids.ts";
import { A2aError } from "../errors.ts";

export interface IdMap {
  /** Resolves with the task that a user means. Throws TASK_NOT_FOUND, even for another user's task. */
  task(user: string, outer: string): Promise<GatewayId>;
  /** Resolves with the agent's id of a context; undefined while the agent does not know it. */
  innerContext(user: string, outer: string): Promise<string | undefined>;
  /**
   * Resolves with the client's id of the agent's context; `wanted` becomes it where there is none. Throws INVALID_AGENT_RESPONSE for another user's.
   */
  outerContext(user: string, inner: string, wanted: string): Promise<string>;
  /** Resolves with the client's id of the agent's task, which is made where there is none. Throws INVALID_AGENT_RESPONSE for another user's. */
  outerTask(user: string, inner: string, context: string): Promise<string>;
  /** Resolves with both ids, for a task in the context that the agent names for it; `wanted` becomes the context where there is none. */
  outerBoth(user: string, inner: InnerIds, wanted: string): Promise<{ taskId: string; contextId: string }>;
  /** Resolves with the client's id of the agent's task, if the user has seen it. */
  knownTask(user: string, inner: string): Promise<GatewayId | undefined>;
}

/** Ids that the agent gives. */
export interface InnerIds {
  taskId: string;
  contextId: string;
}

interface IdMapDeps {
  gateway: string;
  ids: GatewayIds;
  clock: Clock;
}

const MAX_REMEMBERED = 10_000;
const MAX_ID_CHARS = 1024;

export function createIdMap({ gateway, ids, clock }: IdMapDeps): IdMap {
  /** Ids by kind and the agent's id, the oldest first. */
  const remembered = new Map<string, GatewayId>();
  const oldestKey = createOldestKey(remembered);

  function remember(id: GatewayId): GatewayId {
    const oldest = remembered.size < MAX_REMEMBERED ? undefined : oldestKey();
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(`${id.kind} ${id.inner}`, id);
    return id;
  }

  async function find(kind: GatewayIdKind, inner: string): Promise<GatewayId | undefined> {
    const known = remembered.get(`${kind} ${inner}`);
    if (known) return known;
    const stored = await ids.byInner(gateway, kind, inner);
    return stored && remember(stored);
  }

  /** Ids that were not used lately are stored at once: storing one that exists resolves with the existing one. */
  async function outerOf(pair: Pair): Promise<string> {
    checkInner(pair);
    const known = remembered.get(`${pair.kind} ${pair.inner}`);
    return outerFor(pair.user, known ?? remember(await ids.put(dated(pair))));
  }

  async function outerBoth(user: string, inner: InnerIds, wanted: string) {
    const context: Pair = { kind: "context", inner: inner.contextId, outer: wanted, user, context: wanted };
    const task: Pair = { kind: "task", inner: inner.taskId, outer: "", user, context: wanted };
    checkInner(context);
    checkInner(task);
    const knownContext = remembered.get(`context ${inner.contextId}`);
    const knownTask = remembered.get(`task ${inner.taskId}`);
    if (knownContext && knownTask)
      return { taskId: outerFor(user, knownTask), contextId: outerFor(user, knownContext) };
    const kept = await ids.putTask(dated({ ...task, outer: uuidV7(clock.now()) }), dated(context));
    const contextId = remember(kept.context).outer;
    if (kept.task === undefined) throw somebodyElses("context");
    return { taskId: outerFor(user, remember(kept.task)), contextId };
  }

  function dated(pair: Pair): GatewayId {
    return { ...pair, gateway, createdAt: clock.now() };
  }

  return {
    async task(user, outer) {
      const found = isPossible(outer) ? await ids.byOuter(gateway, "task", user, outer) : undefined;
      if (found) return found;
      throw new A2aError("TASK_NOT_FOUND");
    },
    async innerContext(user, outer) {
      checkContext(outer);
      return (await ids.byOuter(gateway, "context", user, outer))?.inner;
    },
    outerContext: (user, inner, wanted) =>
      outerOf({ kind: "context", inner, outer: wanted, user, context: wanted }),
    outerTask: (user, inner, context) =>
      outerOf({ kind: "task", inner, outer: uuidV7(clock.now()), user, context }),
    outerBoth,
    async knownTask(user, inner) {
      const found = await find("task", inner);
      return found?.user === user ? found : undefined;
    },
  };
}

type Pair = Omit<GatewayId, "gateway" | "createdAt">;

/** Throws INVALID_AGENT_RESPONSE for an id that cannot be kept. */
function checkInner({ kind, inner }: Pair): void {
  if (isPossible(inner)) return;
  throw new A2aError("INVALID_AGENT_RESPONSE", `the agent's answer has a ${kind} id that cannot be one`);
}

/** Throws INVALID_AGENT_RESPONSE for another user's id. */
function outerFor(user: string, { kind, user: owner, outer }: GatewayId): string {
  if (owner === user) return outer;
  throw somebodyElses(kind);
}

function somebodyElses(kind: GatewayIdKind): A2aError {
  const message = `the agent's answer has the ${kind} id of somebody else's ${kind}`;
  return new A2aError("INVALID_AGENT_RESPONSE", message);
}

/** Checks a context as a session, because it is also the session of its artifacts. */
function checkContext(context: string): void {
  try {
    checkScope({ app: "-", user: "-", session: context });
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    const description = error.message.replace("the artifact's session", "it");
    throw new A2aError("INVALID_PARAMS", "message.contextId cannot name a context here", {
      fields: [{ field: "message.contextId", description }],
    });
  }
}

function isPossible(id: string): boolean {
  return id !== "" && id.length <= MAX_ID_CHARS && !id.includes("\0");
}
