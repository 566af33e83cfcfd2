// What a client asks for as a webhook, checked.
import { MASK } from "../../../core/agent.ts";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject } from "../../../core/json.ts";
import type { WebhookOptions } from "../../../core/run-options.ts";
import { TASK_EVENT_TYPES, type TaskEventType } from "../shared/task-events.ts";
import { isPlainlyPrivate, type AllowHost } from "./allow-host.ts";

const MAX_URL_CHARS = 2000;
const MAX_SECRET_CHARS = 1000;
const DEFAULT_EVENTS = ["task.*"];
const GROUPS = ["*", "task.*", "step.*", "artifact.*"] as const;
/** What a webhook may ask for. */
export const WEBHOOK_EVENTS = [...GROUPS, ...TASK_EVENT_TYPES] as const;

/** Throws INVALID_REQUEST. */
export function readWebhook(value: unknown): WebhookOptions {
  if (!isJsonObject(value)) throw wrong("webhook", "must be an object");
  const { url, secret = null, events = null, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw wrong(`webhook.${unknown}`, "is not known: there are url, secret and events");
  if (typeof url !== "string" || url.length > MAX_URL_CHARS || !isUsable(url))
    throw wrong(
      "webhook.url",
      "must be a URL like https://example.com/hook, without user, password and fragment",
    );
  if (secret !== null && (typeof secret !== "string" || secret === "" || secret.length > MAX_SECRET_CHARS))
    throw wrong("webhook.secret", `must be a text of 1 to ${MAX_SECRET_CHARS} characters`);
  if (secret === MASK)
    throw wrong("webhook.secret", `is ${MASK}, which is what a hub shows in place of a secret`);
  if (events !== null && !isEvents(events))
    throw wrong("webhook.events", `must be a list of ${WEBHOOK_EVENTS.join(", ")}`);
  return { url, ...(secret !== null && { secret }), ...(events !== null && { events }) };
}

/** Throws INVALID_REQUEST for an address that can only be private, and is not allowed. */
export function refusePrivate({ url }: WebhookOptions, allow: AllowHost): void {
  const parsed = new URL(url);
  if (allow(parsed) || !isPlainlyPrivate(parsed)) return;
  throw wrong(
    "webhook.url",
    `goes to ${parsed.host}, which is not public\nadd it to PROCTOR_WEBHOOK_HOSTS (webhook_hosts in proctor.yaml)`,
  );
}

export function isWanted(
  type: TaskEventType,
  { events = DEFAULT_EVENTS }: Pick<WebhookOptions, "events">,
): boolean {
  return events.some(
    (one) => one === "*" || one === type || (one.endsWith(".*") && type.startsWith(one.slice(0, -1))),
  );
}

function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

function isEvents(value: unknown): value is string[] {
  const known: readonly unknown[] = WEBHOOK_EVENTS;
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= known.length &&
    value.every((one) => known.includes(one))
  );
}

function wrong(path: string, what: string): ProctorError {
  const message = `${path} ${what}`;
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
