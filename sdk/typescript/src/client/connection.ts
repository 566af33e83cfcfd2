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
  /** Throws a HubError for a status of 400 or more. The path begins with `/tasks`. */
  send(path: string, sending?: Sending): Promise<Response>;
  /** Returns the answered object as the hub sent it. */
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
      // A body that is a stream is sent while it comes; then HTTP/1.1 wants this word.
      duplex: "half",
      // A token goes to the hub and nowhere else.
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
        // The form of a hub's documents is its contract.
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

/** Without what a path could not follow. */
function baseOf(url: string | URL): string {
  const { protocol, origin, pathname, username, password, search, hash } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:")
    throw new TypeError(`a hub's url begins with http: or https:, and not with ${protocol}`);
  if (username !== "" || password !== "" || search !== "" || hash !== "")
    throw new TypeError("a hub's url has no user, query or fragment; a token is given as `token`");
  return origin + pathname.replace(/\/+$/, "");
}

/** The place of one task, and below it; ids are put in as they are given, whatever they hold. */
export function path(...words: string[]): string {
  const place = ["tasks", ...words].map((word) => {
    // A URL takes these for the folder above, escaped or not.
    if (word === "" || word === "." || word === "..") throw new TypeError(`"${word}" is no id`);
    return encodeURIComponent(word);
  });
  return `/${place.join("/")}`;
}
