// What a recorded agent answered to each message, in the shapes of 1.0: a recording as the turns of a script. How the answers came (streamed,
// asked for again and again, in pieces after a cut) is told apart here and forgotten.
import { isJsonObject, type Json } from "../../../core/json.ts";
import { isRecordedCall, type RecordedMessage, type Recording } from "../../../core/recording.ts";
import { parseAny } from "../../http-refusal.ts";
import { knownVersion } from "../client/create-a2a-client.ts";
import { TransportFailure } from "../client/transport-failure.ts";
import type { A2aCodec } from "../codec.ts";
import { A2aError, type A2aReason } from "../errors.ts";
import type { A2aMessage, StreamResponse } from "../model.ts";
import { readError } from "./recorded-error.ts";
import { wireCodec } from "./wire-codec.ts";

export interface RecordedTurn {
  /** Message that was answered. */
  message: A2aMessage;
  events: RecordedEvent[];
  /** Error with which the message was refused. */
  error?: { reason: A2aReason; message: string };
  /** Number of events after which the connection broke, and the client came back for the rest. */
  cutAfter?: number;
}

export interface RecordedEvent {
  event: StreamResponse;
  /** Milliseconds since the previous event, or since the message. */
  delayMs: number;
}

/** Resolves with an empty list where no message was sent. Answers that cannot be read are left out. */
export async function recordedTurns({ entries }: Recording): Promise<RecordedTurn[]> {
  const turns: RecordedTurn[] = [];
  let codec: A2aCodec | undefined;
  let lastMs = 0;
  /** Last state of the task that a request for it showed. */
  let seen = "";

  function add(event: StreamResponse | undefined, atMs: number): void {
    const turn = turns.at(-1);
    if (turn === undefined || event === undefined) return;
    turn.events.push({ event, delayMs: Math.max(0, atMs - lastMs) });
    lastMs = atMs;
  }

  function answer({ channel, text, at_ms: atMs }: RecordedMessage, operation: string): void {
    const turn = turns.at(-1);
    const json = parseAny(text);
    if (turn === undefined || codec === undefined || json === undefined) return;
    switch (channel) {
      case "frame": {
        const event = frameIn(json, codec);
        // A client that comes back gets the task first.
        const isSnapshot = operation === "subscribe" && event?.task !== undefined;
        return isSnapshot ? undefined : add(event, atMs);
      }
      case "result":
        return taken(json, operation, atMs);
      case "error":
        return failed(turn, readError(json), operation);
      default:
    }
  }

  function taken(json: Json, operation: string, atMs: number): void {
    if (operation !== "send" && operation !== "getTask") return;
    const event = operation === "send" ? frameIn(json, codec) : taskIn(json, codec);
    const state = JSON.stringify(event);
    // The state of a requested task is news only where nothing else brings any.
    const isNews = operation === "send" || (state !== seen && seen !== "");
    if (operation === "send" || seen !== "") seen = state;
    if (isNews) add(event, atMs);
  }

  for (const entry of entries) {
    if (isRecordedCall(entry)) continue;
    const operation = entry.name?.split(":")[1] ?? "";
    if (entry.channel === "connection") codec = (await codecIn(entry)) ?? codec;
    else if (entry.channel !== "request") answer(entry, operation);
    else if (operation === "send" || operation === "stream") {
      const message = codec && messageIn(entry, codec);
      // A message that was sent once more, in another way, counts once.
      const isAgain = message !== undefined && turns.at(-1)?.message.messageId === message.messageId;
      if (message && isAgain) turns.pop();
      if (message) turns.push({ message, events: [] });
      lastMs = entry.at_ms;
      seen = "";
    }
  }
  return turns;
}

async function codecIn({ text }: RecordedMessage): Promise<A2aCodec | undefined> {
  const connection = parseAny(text);
  const spoken = isJsonObject(connection) ? connection["interface"] : undefined;
  if (!isJsonObject(spoken)) return undefined;
  const { protocolVersion, protocolBinding } = spoken;
  const version = typeof protocolVersion === "string" ? knownVersion(protocolVersion) : undefined;
  return version && wireCodec(version, typeof protocolBinding === "string" ? protocolBinding : "JSONRPC");
}

function messageIn({ text }: RecordedMessage, codec: A2aCodec): A2aMessage | undefined {
  return reading(() => codec.decodeRequest("send", parseAny(text) ?? {}).message);
}

function frameIn(json: Json, codec: A2aCodec | undefined): StreamResponse | undefined {
  return reading(() => codec?.decodeFrame(json, []));
}

function taskIn(json: Json, codec: A2aCodec | undefined): StreamResponse | undefined {
  const task = reading(() => codec?.decodeResult("getTask", json, []));
  return task && { task };
}

function reading<T>(read: () => T | undefined): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof A2aError) return undefined;
    throw error;
  }
}

function failed(turn: RecordedTurn, error: A2aError, operation: string): void {
  if (operation === "stream" && error.cause instanceof TransportFailure) turn.cutAfter ??= turn.events.length;
  else if (turn.events.length === 0 && (operation === "stream" || operation === "send")) {
    turn.error = { reason: error.reason, message: error.message };
  }
}
