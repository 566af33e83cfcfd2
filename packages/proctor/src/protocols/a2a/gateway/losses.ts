// What cannot be said in the other version of the protocol, where client and agent speak different ones. It is noted in the metadata of
// what the client gets, so that nobody has to guess.
import type { JsonObject } from "../../../core/json.ts";
import type { Loss, ResultOperation, ResultOf } from "../codec.ts";
import { codecOf } from "../codecs.ts";
import type { SendRequest, StreamResponse } from "../model.ts";
import type { A2aVersion } from "../service.ts";
import { LOSSES } from "./metadata-keys.ts";

export interface LossNotes {
  request(request: SendRequest): void;
  result<O extends ResultOperation & ("send" | "getTask" | "cancelTask")>(
    operation: O,
    result: ResultOf<O>,
  ): ResultOf<O>;
  frame(event: StreamResponse): StreamResponse;
}

export interface LossNotesOptions {
  client: A2aVersion;
  agent: A2aVersion;
  onLosses: (losses: readonly Loss[]) => void;
}

const MAX_NOTED = 100;

export function createLossNotes({ client, agent, onLosses }: LossNotesOptions): LossNotes {
  /** Losses of the request; reported with the first answer that the client gets. */
  let pending: Loss[] = [];
  if (client === agent)
    return { request: () => undefined, result: (_, result) => result, frame: (event) => event };

  /** Returns the losses that are to be reported now. */
  function taken(losses: readonly Loss[]): Loss[] {
    const all = [...pending, ...losses].slice(0, MAX_NOTED);
    pending = [];
    if (losses.length > 0) onLosses(losses);
    return all;
  }

  return {
    request(request) {
      const losses: Loss[] = [];
      codecOf(agent).encodeRequest("send", request, losses);
      pending.push(...losses);
      if (losses.length > 0) onLosses(losses);
    },
    result(operation, result) {
      const losses: Loss[] = [];
      codecOf(client).encodeResult(operation, result, losses);
      // A result of these operations is a task, or has a task or a message in it.
      return noted(result as JsonObject, taken(losses)) as typeof result;
    },
    frame(event) {
      const losses: Loss[] = [];
      codecOf(client).encodeFrame(event, losses);
      return noted(event, taken(losses));
    },
  };
}

const HOLDERS = ["task", "message", "statusUpdate", "artifactUpdate"] as const;

function noted<T extends JsonObject>(told: T, losses: readonly Loss[]): T {
  if (losses.length === 0) return told;
  const holder = HOLDERS.find((name) => typeof told[name] === "object" && told[name] !== null);
  if (holder === undefined) return withLosses(told, losses);
  // It was checked to be an object above.
  return { ...told, [holder]: withLosses(told[holder] as JsonObject, losses) };
}

function withLosses<T extends JsonObject>(holder: T, losses: readonly Loss[]): T {
  // The metadata of what A2A has is an object.
  const metadata = holder["metadata"] as JsonObject | undefined;
  return { ...holder, metadata: { ...metadata, [LOSSES]: [...losses] } };
}
