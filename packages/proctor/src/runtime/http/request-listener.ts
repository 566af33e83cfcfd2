// Between Node's HTTP server and the function from Request to Response. What nearly everybody sends and is answered takes the short way: the
// request is read where Node has it, the answer written in one piece. Streams, odd addresses and answers that come before their request
// has arrived are carried by Hono's adapter.
import type { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, type Http2Bindings, type HttpBindings } from "@hono/node-server";
import { incomingRequest } from "./incoming-request.ts";
import type { NodeBindings } from "./listen.ts";
import { plainParts } from "./plain-response.ts";
import { unreadableRequest } from "./unreadable.ts";

type Fetch = (request: Request, bindings: NodeBindings) => Response | Promise<Response>;

/** Answers every failure itself. */
export type RequestListener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** An address that needs no normalizing: what a URL would make of it is the same. */
const PLAIN_TARGET = /^\/[\w!$&'()*+,\-./:;=?@~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/;
const PLAIN_HOST = /^[a-z\d._-]+(?::(?:[1-9]\d{3}|[1-5]\d{4}))?$/;

export function createRequestListener(fetch: Fetch): RequestListener {
  /** Answers that the adapter is to write, by the request that they belong to. */
  const answers = new WeakMap<object, Response>();
  const adapter = getRequestListener(
    (request, bindings) => answers.get(bindings.incoming) ?? carry(request, bindings),
    { hostname: "localhost", errorHandler: unreadableRequest },
  );

  function carry(request: Request, bindings: HttpBindings | Http2Bindings): Response | Promise<Response> {
    const answer = fetch(request, bindings);
    const check = (response: Response): Response => {
      refuseRest(bindings, response);
      return response;
    };
    return answer instanceof Promise ? answer.then(check) : check(answer);
  }

  function send(incoming: IncomingMessage, outgoing: ServerResponse, response: Response): void {
    refuseRest({ incoming, outgoing }, response);
    const plain = hasArrived(incoming) && !outgoing.headersSent ? plainParts(response) : undefined;
    if (plain === undefined) {
      answers.set(incoming, response);
      void adapter(incoming, outgoing);
      return;
    }
    outgoing.writeHead(plain.status, plain.headers);
    if (plain.body === null) outgoing.end();
    else outgoing.end(plain.body);
  }

  return (incoming, outgoing) => {
    const url = plainUrl(incoming);
    if (url === undefined) return void adapter(incoming, outgoing);
    try {
      const answer = fetch(incomingRequest(incoming, outgoing, url), { outgoing });
      if (!(answer instanceof Promise)) return send(incoming, outgoing, answer);
      answer.then(
        (response) => send(incoming, outgoing, response),
        () => send(incoming, outgoing, unreadableRequest()),
      );
    } catch {
      send(incoming, outgoing, unreadableRequest());
    }
  };
}

/** Undefined for an address that has to be parsed to know what it says. */
function plainUrl({ url = "", headers: { host } }: IncomingMessage): string | undefined {
  if (host === undefined || !PLAIN_HOST.test(host)) return undefined;
  return PLAIN_TARGET.test(url) && !DOT_SEGMENT.test(url) ? `http://${host}${url}` : undefined;
}

/** An error that is answered before its request was read to the end closes the connection: the rest is not waited for. */
function refuseRest(
  { incoming, outgoing }: Pick<HttpBindings | Http2Bindings, "incoming" | "outgoing">,
  { status }: Response,
): void {
  if (status >= 400 && !hasArrived(incoming) && !outgoing.headersSent)
    outgoing.setHeader("connection", "close");
}

/** Whether nothing of the request is still to come. */
function hasArrived({
  complete,
  method,
  headers,
}: HttpBindings["incoming"] | Http2Bindings["incoming"]): boolean {
  if (complete || method === "GET" || method === "HEAD") return true;
  return headers["content-length"] === undefined && headers["transfer-encoding"] === undefined;
}
