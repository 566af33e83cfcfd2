// The ids that a gateway gives out in place of those of the agents behind it: a part of a Store. Promises that resolve mean: committed
// to disk, so that an id which a client was told still leads to its task after a restart.

export type GatewayIdKind = "task" | "context";

export interface GatewayId {
  /** Name of the agent behind the gateway. */
  gateway: string;
  kind: GatewayIdKind;
  /** The id that clients know. */
  outer: string;
  /** The id that the agent knows. */
  inner: string;
  /** The user whose it is; nobody else may use it. */
  user: string;
  /** Of a task: the id of its context that clients know; empty where it has none. Of a context: the same as `outer`. */
  context: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

export interface KeptTask {
  context: GatewayId;
  /** Undefined where the context is another user's. */
  task: GatewayId | undefined;
}

export interface GatewayIds {
  /** Keeps it unless the agent's id is known already; returns what is kept. */
  put(id: GatewayId): Promise<GatewayId>;
  /**
   * Keeps a task and its context in one write, each unless the agent's id is known already. The task belongs to the context that is kept; it
   * is not kept where that is another user's.
   */
  putTask(task: GatewayId, context: GatewayId): Promise<KeptTask>;
  byInner(gateway: string, kind: GatewayIdKind, inner: string): Promise<GatewayId | undefined>;
  /** The oldest, where several ids of the agent are one for the client. */
  byOuter(gateway: string, kind: GatewayIdKind, user: string, outer: string): Promise<GatewayId | undefined>;
}
