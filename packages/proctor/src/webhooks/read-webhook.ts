// Checks the webhook that a client asks for.
import { MASK } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import { isJsonObject } from "../core/json.ts";
import type { WebhookEncoding } from "../core/ports/webhook-encoding.ts";
import type { WebhookOptions } from "../core/run-options.ts";
import { isPlainlyPrivate, type AllowHost } from "./allow-host.ts";

const MAX_URL_CHARS = 2000;
const MAX_SECRET_CHARS = 1000;

/** Reads a webhook. Throws INVALID_REQUEST. */
export function readWebhook(value: unknown, { names }: WebhookEncoding): WebhookOptions {
  if (!isJsonObject(value)) throw wrong("webhook", "must be an object");
  const { url, secret = null, events = null, ...rest } = value;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw wrong(`webhook.${unknown}`, "is not known: there are url, secret and events");
  if (secret !== null && (typeof secret !== "string" || secret === "" || secret.length > MAX_SECRET_CHARS))
    throw wrong("webhook.secret", `must be a text of 1 to ${MAX_SECRET_CHARS} characters`);
  if (secret === MASK)
    throw wrong("webhook.secret", `is ${MASK}, which is what a hub shows in place of a secret`);
  if (events !== null && !isListOf(events, names))
    throw wrong("webhook.events", `must be a list of ${names.join(", ")}`);
  return {
    url: readUrl(url, "webhook.url"),
    ...(secret !== null && { secret }),
    ...(events !== null && { events }),
  };
}

/** Reads the address of a receiver. Throws an INVALID_REQUEST that names its place. */
export function readUrl(url: unknown, path: string): string {
  if (typeof url === "string" && url.length <= MAX_URL_CHARS && isUsable(url)) return url;
  throw wrong(path, "must be a URL like https://example.com/hook, without user, password and fragment");
}

/** Throws INVALID_REQUEST for an address that can only be private, and is not allowed. */
export function refusePrivate(
  { url }: Pick<WebhookOptions, "url">,
  allow: AllowHost,
  path = "webhook.url",
): void {
  const parsed = new URL(url);
  if (allow(parsed) || !isPlainlyPrivate(parsed)) return;
  throw wrong(
    path,
    `goes to ${parsed.host}, which is not public\nadd it to PROCTOR_WEBHOOK_HOSTS (webhook_hosts in proctor.yaml)`,
  );
}

/** Returns whether one of the names stands for the type. */
export function isWanted(type: string, names: readonly string[]): boolean {
  return names.some(
    (name) => name === "*" || name === type || (name.endsWith(".*") && type.startsWith(name.slice(0, -1))),
  );
}

function isUsable(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username === "" && password === "" && hash === "";
}

function isListOf(value: unknown, known: readonly string[]): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= known.length &&
    value.every((one) => known.includes(one as string))
  );
}

function wrong(path: string, what: string): ProctorError {
  const message = `${path} ${what}`;
  return new ProctorError("INVALID_REQUEST", message, { details: [{ path, message }] });
}
