// Redacts an event's payload. In an agent's words, everything may be a secret. In the platform's own
// words, not everything may be replaced: an environment value that happens to read "completed" must not change how a run ended.
import type { EventDraft, EventType } from "../core/event.ts";
import { FAILURES } from "../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../core/json.ts";
import { METRIC_NAMES } from "../core/metrics.ts";
import type { WireMessage } from "../core/recording.ts";
import type { Redactor } from "../core/redact.ts";

/**
 * Which fields are the platform's own words: "keep" leaves a field alone; "text" redacts its value and not its key; a set keeps
 * the values it has and redacts others; nested words are for the fields inside.
 */
interface Words {
  [key: string]: "keep" | "text" | Set<string> | Words;
}

/** Words of a failure; an agent may give a code of its own. */
const failure: Words = { code: new Set(Object.keys(FAILURES)), message: "text", details: "text" };
/** Numbers that limits are compared with; agents may add others. */
const metrics: Words = Object.fromEntries(METRIC_NAMES.map((name) => [name, "keep"]));

const by: Words = { kind: "keep", name: "text" };
const answer: Words = { id: "text", by, outcome: "keep", option: "text", parts: "text", data: "text" };

const PLATFORM_WORDS: Partial<Record<EventType, Words>> = {
  "run.created": {
    agent: "text",
    spec: {
      protocol: "keep",
      transport: "keep",
      command: "text",
      env: "keep",
      headers: "keep",
      options: "text",
    },
    task: { description: "text", input_data: "text", expected_artifacts: "text" },
    constraints: {
      max_steps: "keep",
      max_tokens: "keep",
      timeout_seconds: "keep",
      allowed_tools: "keep",
      budget_usd: "keep",
    },
    context: { tools_endpoint: "text", workspace_path: "text", environment: "keep" },
    metadata: "text",
    options: "text",
    alias: "text",
    retry: "keep",
    attempt: "keep",
    retry_of: "keep",
    trace_id: "keep",
    parent_span_id: "keep",
    conversation_id: "keep",
    follows: "keep",
    parent_id: "keep",
    root_id: "keep",
  },
  "run.queued": { not_before: "keep" },
  "run.started": { worker: "keep" },
  "run.ended": { status: "keep", failure, metrics, retried_as: "keep", extensions: "text" },
  "artifact.added": {
    artifact: {
      id: "keep",
      type: "keep",
      path: "text",
      name: "text",
      schema: "text",
      data: "text",
      content_type: "text",
      size_bytes: "keep",
      content_hash: "keep",
      claimed_hash: "text",
      redacted: "keep",
      omitted: "text",
      unsearched: "keep",
      agent_created: "keep",
      file_name: "text",
      created_at: "keep",
      stored_as: "keep",
      step_id: "keep",
    },
    step_id: "keep",
    by: "keep",
  },
  "run.cancel_requested": { reason: "text", by },
  "run.pause_requested": { by },
  "run.resume_requested": { by },
  "message.added": {
    message: { id: "text", role: "keep", parts: "text", references: "text", extensions: "text" },
  },
  "message.opened": { id: "text", role: "keep" },
  "message.extended": { id: "text", part: "keep", text: "text" },
  "message.closed": { id: "text", chars: "keep", sha256: "keep", parts: "text" },
  "message.delivered": { id: "text" },
  "question.asked": {
    question: {
      id: "text",
      kind: "keep",
      parts: "text",
      schema: "text",
      options: "text",
      subject: "text",
      subject_hash: "keep",
      blocking: "keep",
      audience: "keep",
      expires_at: "keep",
      notified: "text",
    },
  },
  "question.answered": {
    id: "text",
    answer,
  },
  "question.withdrawn": { id: "text", reason: "text" },
  "question.notified": { id: "text", to: "text" },
  "question.expired": { id: "text", effect: "keep", answer },
  "question.delivered": { id: "text" },
  "session.opened": { protocol: "keep", ids: "text" },
  "session.parked": { check_at: "keep" },
  "artifact.opened": {
    id: "text",
    name: "text",
    artifact_id: "keep",
    content_type: "text",
    extensions: "text",
  },
  "artifact.extended": { id: "text", size_bytes: "keep", text: "text", restart: "keep" },
  "artifact.removed": { artifact_id: "keep" },
  "step.added": { step_id: "keep", name: "text", input: "text", additional_input: "text" },
  "step.changed": {
    step_id: "keep",
    status: "keep",
    output: "text",
    additional_output: "text",
    is_last: "keep",
  },
  "process.exited": { code: "keep", signal: "keep", leftover: "keep" },
  log: { stream: "keep", text: "text", dropped_bytes: "keep" },
  "workspace.kept": { path: "keep", until: "keep" },
  // Kept, so that the run can be repeated in the same place.
  "environment.opened": {
    kind: "keep",
    isolated: "keep",
    role: "keep",
    profile: "keep",
    root: "keep",
    workdir: "keep",
    network: "keep",
    allow_hosts: "keep",
    limits: "keep",
    enforced: "keep",
    notes: "text",
  },
  "tool.called": {
    tool: "text",
    input: "text",
    output: "text",
    error: "text",
    status: "keep",
    error_code: "text",
    duration_ms: "keep",
    mode: "keep",
    call_id: "text",
  },
  violation: {
    rule: "keep",
    message: "text",
    where: "text",
    repeated: "keep",
    owner: "keep",
    section: "keep",
  },
  unknown: { event_type: "text", payload: "text" },
};

/** Returns the payload without secrets: the same object when it held none. */
export function redactPayload(draft: EventDraft, text: string, redactor: Redactor): JsonObject {
  const payload = draft.payload as JsonObject;
  if (draft.type === "wire.message") return redactMessage(draft.payload, redactor);
  if (draft.type === "log" && draft.payload.dropped_bytes !== undefined) return redactCut(draft, redactor);
  const redacted = redactor.json(text);
  if (redacted === undefined) return payload;
  const words = PLATFORM_WORDS[draft.type];
  // Redaction keeps the shape: an object stays an object.
  return words ? redactWords(payload, words, redactor) : (JSON.parse(redacted) as JsonObject);
}

/** Also leaves out the end of a text that was cut off, which may be the beginning of a secret. */
function redactCut(draft: EventDraft & { type: "log" }, redactor: Redactor): JsonObject {
  return { ...draft.payload, text: redactor.stream().push(draft.payload.text) };
}

/** Keeps a message that is JSON valid JSON, so that it can be replayed. */
function redactMessage(message: WireMessage, redactor: Redactor): JsonObject {
  const { text, name, id, content_type } = message;
  const clean = {
    text: message.dropped_bytes === undefined ? redactDocument(text, redactor) : redactor.stream().push(text),
    ...(name !== undefined && { name: redactor.text(name) }),
    ...(id !== undefined && { id: redactor.text(id) }),
    ...(content_type !== undefined && { content_type: redactor.text(content_type) }),
  };
  return Object.entries(clean).every(([key, value]) => message[key] === value)
    ? message
    : { ...message, ...clean };
}

function redactDocument(text: string, redactor: Redactor): string {
  const redacted = redactor.text(text);
  if (redacted === text || !isJson(text)) return redacted;
  return redactor.json(text) ?? text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function redactWords(value: JsonObject, words: Words, redactor: Redactor): JsonObject {
  const clean: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const rule = Object.hasOwn(words, key) ? words[key] : undefined;
    const known = rule instanceof Set && typeof inner === "string" && rule.has(inner);
    if (rule === "keep" || known) clean[key] = inner;
    else if (rule === "text" || rule instanceof Set) clean[key] = redactor.value(inner);
    else if (rule !== undefined && isJsonObject(inner)) clean[key] = redactWords(inner, rule, redactor);
    else Object.assign(clean, redactor.value<Json>({ [key]: inner }));
  }
  return clean;
}
