// The ids that a gateway gives out in place of those of the agents behind it: a part of a Store. Promises that resolve mean: committed
// to disk, so that an id which a client received still leads to its task after a restart.

export type GatewayIdKind = "task" | "context";

export interface GatewayId {
  /** Name of the agent behind the gateway. */
  gateway: string;
  kind: GatewayIdKind;
  /** The id that clients know. */
  outer: string;
  /** The id that the agent knows. */
  inner: string;
  /** The user to whom the id belongs; others cannot use it. */
  user: string;
  /** For a task: the id of its context that clients know; empty where it has none. For a context: the same as `outer`. */
  context: string;
  /** When the id was made, in epoch milliseconds. */
  createdAt: number;
}

export interface KeptTask {
  context: GatewayId;
  /** The task; undefined where the context is another user's. */
  task: GatewayId | undefined;
}

export interface GatewayIds {
  /** Keeps the id unless the agent's id is known already; resolves with the one that is kept. */
  put(id: GatewayId): Promise<GatewayId>;
  /**
   * Keeps a task and its context in one write, each unless the agent's id is known already. The task belongs to the context that is kept; it
   * is not kept where that is another user's.
   */
  putTask(task: GatewayId, context: GatewayId): Promise<KeptTask>;
  byInner(gateway: string, kind: GatewayIdKind, inner: string): Promise<GatewayId | undefined>;
  /** Resolves with the oldest, where several ids of the agent are one for the client. */
  byOuter(gateway: string, kind: GatewayIdKind, user: string, outer: string): Promise<GatewayId | undefined>;
}
