// What the hub does itself: envelopes to `hub`, and `cancel` for agents that know no envelopes.
import { OPERATOR, type Caller } from "../core/caller.ts";
import { HUB, type Envelope } from "../core/envelope.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { MessageStore, StoredMessage } from "../core/ports/message-store.ts";
import type { Registry } from "../core/ports/registry.ts";
import type { Run } from "../core/run.ts";
import type { Registration } from "../core/registration.ts";
import { createAnswerByEnvelope } from "./answer-by-envelope.ts";
import type { PostOffice } from "./post-office.ts";

const ENVELOPE_VERSIONS = ["2"] as const;
const ENVELOPE_FEATURES = [
  "inReplyTo",
  "stream_chunk",
  "ttl",
  "trace",
  "acknowledge",
  "capability",
  "cancel",
  "ask",
  "answer",
  "approve",
] as const;

export interface HubActionsDeps {
  store: MessageStore;
  hub: Pick<Hub, "answer" | "cancel" | "run">;
  registry?: (() => Registry | undefined) | undefined;
  office: PostOffice;
  clock: Clock;
}

export interface HubActions {
  /** Carries out the action, and answers a request. Throws only what is no fault of the sender. The caller is undefined after a restart. */
  perform(envelope: Envelope, caller: Caller | undefined): Promise<void>;
}

/** Actions that are accepted without an answer. */
const HEARD = new Set(["status_update", "stream_chunk"]);

export function createHubActions(deps: HubActionsDeps): HubActions {
  const { store, hub, office, clock } = deps;
  const answer = createAnswerByEnvelope(hub, async (envelope) => (await meant(envelope)).runId);

  async function act(envelope: Envelope, caller: Caller | undefined): Promise<Json> {
    switch (envelope.action) {
      case "negotiate":
        return negotiate(envelope.payload);
      case "cancel":
        return cancel(envelope);
      case "answer":
        return answer(envelope, caller);
      case "register":
        return register(envelope, caller);
      case "heartbeat":
        return heartbeat(envelope, caller);
      default:
        if (HEARD.has(envelope.action)) return null;
        throw new ProctorError(
          "NOT_SUPPORTED",
          `the hub does not know the action "${envelope.action}"\nit knows register, heartbeat, negotiate, status_update, cancel and answer`,
        );
    }
  }

  function registry(caller: Caller | undefined): Registry {
    const found = deps.registry?.();
    if (found === undefined)
      throw new ProctorError("NOT_SUPPORTED", "this hub registers no agents by envelope");
    // Who asked is not written down, and without it nothing is registered.
    if (caller === undefined) throw interrupted();
    return found;
  }

  async function register(envelope: Envelope, caller: Caller | undefined): Promise<Json> {
    const asked = registry(caller);
    const given = isJsonObject(envelope.payload) ? envelope.payload : {};
    // The registry checks all of it.
    const registration = { name: envelope.from, ...given } as Registration;
    // A token is shown once and never written down; an envelope is.
    const { token: _, ...registered } = await asked.register(registration, caller ?? OPERATOR);
    return registered as unknown as JsonObject;
  }

  async function heartbeat(envelope: Envelope, caller: Caller | undefined): Promise<Json> {
    const asked = registry(caller);
    const { name, ...beat } = isJsonObject(envelope.payload) ? envelope.payload : ({} as JsonObject);
    const agent = typeof name === "string" ? name : envelope.from;
    return { ...(await asked.beat(agent, beat, caller)) };
  }

  async function cancel(envelope: Envelope): Promise<Json> {
    const { from } = envelope;
    const said = payloadOf(envelope);
    const { message, runId } = await meant(envelope);
    if (runId === undefined) {
      if (message?.state === "waiting" && (await store.bury(message.position, "dropped", clock.now())))
        return { cancelled: message.id };
      throw nothingToCancel();
    }
    await ownRun(runId, from);
    const reason = said["reason"];
    const { status } = await hub.cancel(runId, typeof reason === "string" ? reason : `cancelled by ${from}`);
    return { run_id: runId, status };
  }

  /** Finds the run by its id, or by the id of the envelope that asked for it. */
  async function meant({ payload, inReplyTo, from }: Envelope): Promise<Meant> {
    const said: JsonObject = isJsonObject(payload) ? payload : {};
    const id = [inReplyTo, said["id"], said["message_id"]].find((each) => typeof each === "string");
    const message = typeof id === "string" ? await store.find(from, id) : undefined;
    return {
      message,
      runId: message?.runId ?? (typeof said["run_id"] === "string" ? said["run_id"] : undefined),
    };
  }

  async function ownRun(runId: string, from: string): Promise<Run> {
    const run = await hub.run(runId);
    const mark = run.metadata["envelope"];
    if (isJsonObject(mark) && mark["from"] === from) return run;
    throw new ProctorError("FORBIDDEN", `run ${runId} was not started by "${from}"`);
  }

  return {
    async perform(envelope, caller) {
      // An answer is never answered.
      const isAsked = envelope.type === "request";
      const answer = { id: `${envelope.id}:answer:${envelope.from}`, from: HUB, action: envelope.action };
      try {
        const payload = await act(envelope, caller);
        if (isAsked) await office.reply(envelope, { ...answer, type: "response", payload });
      } catch (error) {
        if (!ProctorError.is(error)) throw error;
        if (isAsked) await office.reply(envelope, { ...answer, type: "error", payload: errorPayload(error) });
      }
    },
  };
}

interface Meant {
  message: StoredMessage | undefined;
  runId: string | undefined;
}

function payloadOf({ payload }: Envelope): JsonObject {
  return isJsonObject(payload) ? payload : {};
}

function nothingToCancel(): ProctorError {
  return new ProctorError(
    "MESSAGE_NOT_FOUND",
    `there is nothing to cancel\nname the envelope in inReplyTo, or the run in payload.run_id`,
  );
}

function errorPayload({ code, message, details }: ProctorError): JsonObject {
  return { code, message, ...(details !== undefined && { details }) };
}

/** Returns the newest version that both sides know, or the oldest of ours; features that both have, or all of ours where none are named. */
function negotiate(payload: Json): Json {
  const offered = isJsonObject(payload) ? payload : {};
  const versions = texts(offered["versions"]);
  const features = texts(offered["features"]);
  const common = ENVELOPE_VERSIONS.filter((version) => versions.includes(version));
  return {
    version: common.at(-1) ?? ENVELOPE_VERSIONS[0],
    versions: [...ENVELOPE_VERSIONS],
    features: ENVELOPE_FEATURES.filter((feature) => features.length === 0 || features.includes(feature)),
  };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function interrupted(): ProctorError {
  return new ProctorError("SHUTTING_DOWN", "the hub stopped before it was done\nsend it again");
}
