// One request of a client and what belongs to it: whose it is, who answers it, and how the answer is turned around.
import type { ArtifactService } from "../../../core/ports/artifact-service.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import type { Loss } from "../codec.ts";
import { DerivedCall } from "../derived-call.ts";
import type { A2aCall } from "../service.ts";
import { callerOf } from "./caller.ts";
import type { Connection, Downstream } from "./downstream.ts";
import type { Feeds } from "./feeds.ts";
import type { IdMap } from "./id-map.ts";
import type { KeepBytes } from "./keep-bytes.ts";
import { createLossNotes, type LossNotes } from "./losses.ts";
import { createOutward, type Outward, type OutwardOptions } from "./outward.ts";

export interface ExchangeDeps {
  /** Application that owns the agent's artifacts. */
  app: string;
  downstream: Downstream;
  ids: IdMap;
  artifacts: ArtifactService;
  keep: KeepBytes;
  feeds: Feeds;
  clock: Clock;
  timeoutMs: number;
  /** Header that names the user; all callers are the same user when absent. */
  identityHeader?: string;
  onLosses: (losses: readonly Loss[], call: A2aCall) => void;
}

/** What is known about an answer before it comes. */
export type AnswerOptions = Pick<OutwardOptions, "context" | "isNamed" | "task">;

export interface Exchange {
  call: A2aCall;
  user: string;
  connection: Connection;
  notes: LossNotes;
  /** Returns the call as the agent gets it. */
  inner(signal: AbortSignal): A2aCall;
  outward(options: AnswerOptions, signal: AbortSignal): Outward;
}

export async function createExchange(call: A2aCall, deps: ExchangeDeps): Promise<Exchange> {
  const user = callerOf(call, deps.identityHeader);
  const connection = await deps.downstream(call);
  return {
    call,
    user,
    connection,
    notes: createLossNotes({
      client: call.version,
      agent: connection.version,
      onLosses: (losses) => deps.onLosses(losses, call),
    }),
    inner: (signal) => new DerivedCall(call, { signal, version: connection.version }),
    outward: (options, signal) => createOutward({ ...options, ids: deps.ids, keep: deps.keep, user, signal }),
  };
}
