// Sends requests to one hub: address, token, JSON. Nothing is retried; a caller that retries sends an idempotency key.
import { isObject, parseJson } from "../protocol/json.ts";
import { badAnswer, refusal } from "./hub-error.ts";

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface HubClientOptions {
  /** The hub's address: `http://127.0.0.1:3001`. */
  url: string | URL;
  token?: string;
  /** Replaces the global `fetch`, for proxies and tests. */
  fetch?: Fetch;
}

export interface CallOptions {
  signal?: AbortSignal;
}

export interface Sending {
  method?: string;
  json?: unknown;
  body?: RequestInit["body"];
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export interface Connection {
  /** Sends a request to a path that begins with `/tasks`. Throws a HubError for a status of 400 or more. */
  send(path: string, sending?: Sending): Promise<Response>;
  /** Returns the JSON object that the hub answered. Throws a HubError for any other answer. */
  json<T>(path: string, sending?: Sending): Promise<T>;
  /** Sends a request whose answer does not matter. */
  done(path: string, sending?: Sending): Promise<void>;
}

export function createConnection({ url, token, fetch: given }: HubClientOptions): Connection {
  const base = `${baseOf(url)}/api`;
  const ask: Fetch = given ?? ((target, init) => fetch(target, init));

  async function send(path: string, sending: Sending = {}): Promise<Response> {
    const { method = "GET", json, body, headers = {}, signal } = sending;
    const content = json === undefined ? body : JSON.stringify(json);
    const init: RequestInit & { duplex: "half" } = {
      method,
      headers: {
        accept: "application/json",
        ...(json !== undefined && { "content-type": "application/json" }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      // `fetch` demands this option when the body is a stream.
      duplex: "half",
      // The token must reach the hub and nobody else.
      redirect: "error",
      ...(content !== undefined && { body: content }),
      ...(signal && { signal }),
    };
    const response = await ask(base + path, init);
    if (response.status >= 400) throw await refusal(response);
    return response;
  }

  return {
    send,
    async json<T>(path: string, sending?: Sending) {
      const response = await send(path, sending);
      const text = await response.text();
      try {
        const value = parseJson(text);
        // The hub's API contract guarantees the shape of its documents.
        if (isObject(value)) return value as T;
      } catch (cause) {
        throw badAnswer(response, "the answer is not JSON", cause);
      }
      throw badAnswer(response, "the answer is not a JSON object");
    },
    async done(path, sending) {
      const response = await send(path, sending);
      await response.body?.cancel();
    },
  };
}

/** Returns the address without trailing slashes. Throws a TypeError for one that a path cannot be appended to. */
function baseOf(url: string | URL): string {
  const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError(`a hub's url begins with http: or https:, and not with ${protocol}`);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw new TypeError("a hub's url has no user, query or fragment; a token is given as `token`");
  return origin + pathname.replace(/\/+$/, "");
}

/** Returns the path of the task list, of a task, or of something below a task. Ids may hold any characters: each is escaped. */
export function path(...words: string[]): string {
  const place = ["tasks", ...words].map((word) => {
    // A URL parser resolves these as path segments, even when they are escaped.
    if (word === "" || word === "." || word === "..") throw new TypeError(`"${word}" is no id`);
    return encodeURIComponent(word);
  });
  return `/${place.join("/")}`;
}
