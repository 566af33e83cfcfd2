// Gathers what a run did and produced, cut to a size that a report can hold.
import { artifactName, type Artifact } from "../../core/artifact.ts";
import type { RunEvent } from "../../core/event.ts";
import { createMessageFold } from "../../core/fold-messages.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Part } from "../../core/message.ts";
import type { ConversationMessage } from "../../core/ports/hub.ts";
import type { CheckSubject } from "../check.ts";
import { decodeText } from "../texts/artifact-texts.ts";
import type { Evidence, EvidenceArtifact, EvidenceEvent } from "../evidence.ts";

const MAX_EVENTS = 300;
const MAX_ARTIFACTS = 50;
const MAX_TEXT = 8000;
/** Characters kept of one text in a payload, and of all texts together. */
const MAX_PAYLOAD_TEXT = 1000;
const MAX_PAYLOAD = 4000;
/** Messages kept, half of them from the beginning; a message's texts are as long as an artifact's. */
const MAX_MESSAGES = 100;

/** Events with raw bytes, which belong in a recording and not in a report. */
const LEFT_OUT = new Set(["wire.message"]);

export async function collectEvidence(subject: CheckSubject): Promise<Evidence> {
  const { run } = subject;
  const events: EvidenceEvent[] = [];
  let leftOut = 0;
  const startMs = Date.parse(run.started_at ?? run.created_at);
  const said = createMessageFold(run.id);
  for await (const event of subject.events()) {
    said.add(event);
    if (LEFT_OUT.has(event.type)) continue;
    if (events.length < MAX_EVENTS) events.push(evidenceEvent(event, startMs));
    else leftOut += 1;
  }
  const artifacts: EvidenceArtifact[] = [];
  for (const artifact of run.artifacts.slice(0, MAX_ARTIFACTS)) {
    artifacts.push(await evidenceArtifact(artifact, subject));
  }
  return {
    events,
    events_left_out: leftOut,
    artifacts,
    artifacts_left_out: Math.max(0, run.artifacts.length - MAX_ARTIFACTS),
    messages: shortenedMessages(said.messages(run)),
    ...(run.violations.length > 0 && { violations: run.violations }),
  };
}

function shortenedMessages(messages: readonly ConversationMessage[]): ConversationMessage[] {
  const half = MAX_MESSAGES / 2;
  const kept =
    messages.length <= MAX_MESSAGES ? messages : [...messages.slice(0, half), ...messages.slice(-half)];
  return kept.map((one) => {
    const { id, role, parts } = one.message;
    return { ...one, message: { id, role, parts: parts.map((part) => cutPart(part)) } };
  });
}

/** Data that is too long is its beginning as text. */
function cutPart(part: Part): Part {
  if (part.kind === "text") return { ...part, text: cutText(part.text, MAX_TEXT) };
  const text = JSON.stringify(part.kind === "data" ? part.data : part, null, 2);
  return text.length <= MAX_TEXT ? part : { kind: "text", text: cutText(text, MAX_TEXT) };
}

function cutText(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}

function evidenceEvent({ sequence, type, timestamp, payload }: RunEvent, startMs: number): EvidenceEvent {
  // Payloads are as agents sent them: a field may hold something else than its type says.
  const { duration_ms: duration } = payload as JsonObject;
  return {
    sequence,
    type,
    at_ms: Math.max(0, Date.parse(timestamp) - startMs),
    ...(typeof duration === "number" && duration >= 0 && { duration_ms: duration }),
    payload: shortened(payload as JsonObject),
  };
}

function shortened(payload: JsonObject): JsonObject {
  const cut = cutTexts(payload) as JsonObject;
  const text = JSON.stringify(cut);
  return text.length <= MAX_PAYLOAD ? cut : { cut: `${text.slice(0, MAX_PAYLOAD)}…` };
}

function cutTexts(value: Json): Json {
  if (typeof value === "string") return cutText(value, MAX_PAYLOAD_TEXT);
  if (Array.isArray(value)) return value.map(cutTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cutTexts(inner ?? null)]));
}

async function evidenceArtifact(artifact: Artifact, subject: CheckSubject): Promise<EvidenceArtifact> {
  const { type, content_type, size_bytes, content_hash } = artifact;
  const base: EvidenceArtifact = {
    name: artifactName(artifact),
    type,
    ...(content_type !== undefined && { content_type }),
    ...(size_bytes !== undefined && { size_bytes }),
    ...(content_hash !== undefined && { content_hash }),
  };
  if (artifact.type === "structured" && artifact.data !== undefined) return withData(base, artifact.data);
  if (content_hash === undefined) return base;
  try {
    const text = decodeText(await subject.readArtifact(artifact));
    return text === undefined ? base : withText(base, text);
  } catch {
    // An artifact that cannot be read is listed without its text.
    return base;
  }
}

function withData(base: EvidenceArtifact, data: Json): EvidenceArtifact {
  const text = JSON.stringify(data, null, 2);
  return text.length <= MAX_TEXT ? { ...base, data } : withText(base, text);
}

function withText(base: EvidenceArtifact, text: string): EvidenceArtifact {
  return text.length <= MAX_TEXT ? { ...base, text } : { ...base, text: text.slice(0, MAX_TEXT), cut: true };
}
