// The public card at its well-known path, in the version that a client asks for: specification 1.0, sections 8.2 and 8.6, and 0.3, section
// 5.3. A client that names no version gets one card that clients of both can read.
import { createHash } from "node:crypto";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { matchesTag } from "../../../runtime/http/byte-range.ts";
import { ORIGIN_HEADERS } from "../../../runtime/http/client-origin.ts";
import { jsonResponse, type PlainHeaders } from "../../../runtime/http/respond.ts";
import { withoutBody } from "../../../runtime/http/serve-routes.ts";
import { codecOf } from "../codecs.ts";
import { A2aError } from "../errors.ts";
import type { AgentCard } from "../model.ts";
import type { A2aVersion } from "../service.ts";
import { httpError } from "./forms.ts";
import { openCall } from "./open-call.ts";
import { readVersion, VERSION_HEADER } from "./read-version.ts";
import { refusalOf } from "./refusal.ts";
import type { CardForm, ServerCall, Serving } from "./serving.ts";

/** Paths of the public card; the second is that of versions before 0.3. */
export const CARD_PATHS: readonly string[] = ["/.well-known/agent-card.json", "/.well-known/agent.json"];

const VARY = [VERSION_HEADER, ...ORIGIN_HEADERS].join(", ");
/** Forms of a card whose last change is remembered. */
const MAX_REMEMBERED = 64;

export type ServeCard = (request: Request, host: ServerCall) => Promise<Response>;

export function createCardServer(serving: Serving): ServeCard {
  /** Times since which each form of a card is unchanged, by its tag, as far as this server knows. */
  const since = new Map<string, string>();

  function lastModified(etag: string): string {
    const known = since.get(etag);
    if (known !== undefined) return known;
    const [oldest] = since.keys();
    if (since.size >= MAX_REMEMBERED && oldest !== undefined) since.delete(oldest);
    const now = new Date().toUTCString();
    since.set(etag, now);
    return now;
  }

  async function answer(request: Request, host: ServerCall): Promise<Response> {
    const form = askedVersion(request, serving.versions) ?? serving.unversionedCard;
    const version = form === "both" ? "1.0" : form;
    const open = openCall(request, host, { version, binding: "HTTP+JSON" }, serving.stopping);
    try {
      const card = encode(await serving.service.card(open.call), form);
      const text = JSON.stringify((await serving.signCard?.(card, form, open.call)) ?? card);
      const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 32)}"`;
      const headers = {
        etag,
        vary: VARY,
        "cache-control": `public, max-age=${serving.cardMaxAgeSeconds}`,
        "last-modified": lastModified(etag),
      };
      if (isKnown(request.headers, headers)) return new Response(null, { status: 304, headers });
      return new Response(text, { headers: { "content-type": "application/json", ...headers } });
    } finally {
      open.end();
    }
  }

  return async (request, host) => {
    try {
      if (request.method !== "GET" && request.method !== "HEAD")
        throw new ProctorError("METHOD_NOT_ALLOWED", "a card can only be read");
      const response = await answer(request, host);
      return request.method === "HEAD" ? withoutBody(response) : response;
    } catch (thrown) {
      const refusal = refusalOf(thrown, host.traceId, (problem) => serving.report(problem, host.traceId));
      const { status, body } = httpError(refusal.error, "1.0", serving.patch, refusal.status);
      const allow: PlainHeaders = status === 405 ? { allow: "GET, HEAD" } : {};
      return jsonResponse(body, status, { vary: VARY, ...allow, ...refusal.headers });
    }
  };
}

/** Returns the version that the request asks for, without refusing unknown ones: the card says which versions there are. */
function askedVersion(request: Request, versions: Serving["versions"]): A2aVersion | undefined {
  try {
    return readVersion(request, versions);
  } catch (error) {
    if (error instanceof A2aError) return undefined;
    throw error;
  }
}

/** Applies RFC 9110, 13.2.2: the tag decides where there is one, otherwise the time. */
function isKnown(asked: Headers, { etag = "", "last-modified": modified = "" }: PlainHeaders): boolean {
  const tag = asked.get("if-none-match");
  if (tag !== null) return matchesTag(tag, etag);
  const since = Date.parse(asked.get("if-modified-since") ?? "");
  return !Number.isNaN(since) && Date.parse(modified) <= since;
}

/** Signatures of the service are left out of both forms in one: each holds for the card of one version alone. */
function encode({ signatures, ...unsigned }: AgentCard, form: CardForm): JsonObject {
  if (form !== "both") return codecOf(form).encodeCard({ ...unsigned, ...(signatures && { signatures }) });
  return overlay(codecOf("0.3").encodeCard(unsigned), codecOf("1.0").encodeCard(unsigned));
}

/** Merges both cards: fields of either stay, and 1.0 wins where both have one. Lists are those of 1.0. */
function overlay(below: JsonObject, above: JsonObject): JsonObject {
  const merged: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = below[key];
    merged[key] = isJsonObject(value) && isJsonObject(under) ? overlay(under, value) : value;
  }
  return merged;
}
