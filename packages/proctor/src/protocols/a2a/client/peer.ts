// One agent's server: sends requests to it with our credentials, and gives back answers whose body is worth reading. Everything else
// rejects with an A2aError. Redirects are never followed.
import type { HttpClient, HttpGet, HttpPost } from "../../../channels/http/client.ts";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import { troubleFailure, type Asked } from "../../../channels/http/failures.ts";
import type { WholeBody } from "../../../channels/http/read-body.ts";
import { CLOSED } from "../../../channels/http/trouble.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { parseAny, readRefusal } from "../../http-refusal.ts";
import { readHttpError } from "../error-form.ts";
import type { A2aError } from "../errors.ts";
import type { A2aCall, A2aVersion } from "../service.ts";
import type { ClientAuth } from "./auth/client-auth.ts";
import { serviceParameters } from "./service-parameters.ts";
import { transportError } from "./transport-failure.ts";

export interface PeerRequest {
  /** The name of the request in messages. */
  name: string;
  method: "GET" | "POST" | "DELETE";
  url: URL;
  /** The body; absent where the method has none. */
  content?: JsonObject;
  contentType?: string;
  accept: string;
}

export interface Peer {
  /** Resolves with the head of an answer with a status of 2xx, its body unread. Rejects with an A2aError. */
  ask(request: PeerRequest, call: PeerCall): Promise<HttpAnswer>;
}

/** What the client needs of a call. */
export type PeerCall = Pick<
  A2aCall,
  "extensions" | "traceId" | "spanId" | "signal" | "lastEventId" | "headers"
>;

export interface PeerOptions {
  http: HttpClient;
  auth: ClientAuth;
  version: A2aVersion;
  /** Headers sent with every request. */
  headers: Readonly<Record<string, string>>;
  /** Picks the headers of a call that a gateway passes on. None when absent. */
  passOn?: (headers: A2aCall["headers"]) => Record<string, string>;
}

export function createPeer({ http, auth, version, headers, passOn }: PeerOptions): Peer {
  async function send(request: PeerRequest, call: PeerCall): Promise<HttpAnswer> {
    const { method, content, contentType = "application/json" } = request;
    const url = new URL(request.url);
    const sent: Record<string, string> = {
      ...headers,
      ...passOn?.(call.headers),
      ...serviceParameters(version, call),
      "accept-encoding": "identity",
      accept: request.accept,
      ...(content && { "content-type": contentType }),
    };
    await auth.apply({ url, headers: sent }, call.signal);
    const message = { url, headers: sent, ...(auth.tls && { tls: auth.tls }) };
    // No request is repeated by itself: a message has effects.
    const exchanged = await (content === undefined
      ? http.get({ ...message, method: method === "DELETE" ? method : "GET" } satisfies HttpGet, call.signal)
      : http.post(
          { ...message, content: JSON.stringify(content), once: true } satisfies HttpPost,
          call.signal,
        ));
    if (exchanged.kind === "failed") throw transportError(troubleFailure(exchanged.trouble, request));
    return exchanged.answer;
  }

  async function accepted(answer: HttpAnswer, asked: Asked): Promise<HttpAnswer> {
    let body: WholeBody | undefined;
    const refusal = await readRefusal(answer, asked, (read) => (body = read));
    if (refusal === undefined) return answer;
    const { failure: failed, reports, status } = refusal;
    const said =
      answer.status >= 400 && body?.overflowed === false ? errorIn(body, answer.status) : undefined;
    throw said ?? transportError(failed, { reports, ...(status !== undefined && { status }) });
  }

  return {
    async ask(request, call) {
      try {
        const answer = await send(request, call);
        if (answer.status !== 401 || !auth.renew()) return await accepted(answer, request);
        answer.body.close();
        return await accepted(await send(request, call), request);
      } catch (error) {
        if (call.signal.aborted) throw transportError(troubleFailure(CLOSED, request));
        throw error;
      }
    },
  };
}

/** Returns the error in the body of an answer, in the form of any binding; undefined where it is not one of A2A's. */
function errorIn({ bytes }: WholeBody, status: number): A2aError | undefined {
  const body = parseAny(bytes.toString());
  if (!isJsonObject(body)) return undefined;
  const { code, message } = isJsonObject(body["error"]) ? body["error"] : body;
  return typeof code === "number" && typeof message === "string" ? readHttpError(status, body) : undefined;
}
