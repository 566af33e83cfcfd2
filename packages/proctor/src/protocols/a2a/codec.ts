// What a version's codec offers: its JSON to the shapes of model.ts and back. Pure. Requests that a client got wrong are refused; what
// an agent got wrong is noted as far as it can be used. Going down to a version that cannot say something notes the loss.
import type { Json, JsonObject } from "../../core/json.ts";
import type { AgentCard, StreamResponse } from "./model.ts";
import type { A2aOperation, A2aService, A2aStream, A2aVersion } from "./service.ts";

/** Something that the other version cannot express. */
export interface Loss extends JsonObject {
  /** Path of what was lost: `result.task.history[0].parts[1].data`. */
  path: string;
  /** Sentence that says what happened to it. */
  message: string;
}

/** A departure from the version's document that left the message usable. */
export interface WireProblem extends JsonObject {
  path: string;
  message: string;
  /** The section of the document that has the rule. */
  section?: string;
}

/** The operations that take a request; a card is asked for without one. */
export type RequestOperation = Exclude<A2aOperation, "card" | "extendedCard">;
/** The operations that have one result. */
export type ResultOperation = Exclude<A2aOperation, "stream" | "subscribe">;

export type RequestOf<O extends RequestOperation> = Parameters<A2aService[O]>[0];
export type ResultOf<O extends ResultOperation> = Exclude<Awaited<ReturnType<A2aService[O]>>, A2aStream>;

export interface A2aCodec {
  readonly version: A2aVersion;
  /** Throws A2aError INVALID_PARAMS that names every wrong field. */
  decodeRequest<O extends RequestOperation>(operation: O, params: Json): RequestOf<O>;
  encodeRequest<O extends RequestOperation>(operation: O, request: RequestOf<O>, losses?: Loss[]): JsonObject;
  /** Throws A2aError INVALID_AGENT_RESPONSE where the result cannot be used at all. */
  decodeResult<O extends ResultOperation>(operation: O, result: Json, problems?: WireProblem[]): ResultOf<O>;
  encodeResult<O extends ResultOperation>(operation: O, result: ResultOf<O>, losses?: Loss[]): Json;
  /** Decodes one frame of a stream, without the envelope of its binding. Throws A2aError INVALID_AGENT_RESPONSE. */
  decodeFrame(frame: Json, problems?: WireProblem[]): StreamResponse;
  encodeFrame(event: StreamResponse, losses?: Loss[]): JsonObject;
  /** Throws A2aError INVALID_AGENT_RESPONSE where it is not a card of this version. */
  decodeCard(card: Json, problems?: WireProblem[]): AgentCard;
  encodeCard(card: AgentCard, losses?: Loss[]): JsonObject;
}
