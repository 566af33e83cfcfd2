// A session with an MCP server over streamable HTTP: it is opened, asked, and given back. What requests mean is left to others.
import type { HttpClient } from "../../channels/http/client.ts";
import { troubleFailure, type Asked } from "../../channels/http/failures.ts";
import type { Failure } from "../../core/failure.ts";
import { isJsonObject, type JsonObject } from "../../core/json.ts";
import type { AgentReport } from "../../core/ports/driver.ts";
import { readRefusal } from "../http-refusal.ts";
import type { WireTap } from "../wire-tap.ts";
import { rpcFailure, unusable } from "./errors.ts";
import { hearMessages } from "./hear-messages.ts";
import { INTRODUCTION, statelessHeaders, statelessParams } from "./introduce.ts";
import { discoverResult, initializeResult, REVISIONS, STATELESS } from "./wire.ts";

/** Result of a request, or why there is none, with the reports that are worth keeping. */
export type Answer =
  | { ok: true; result: JsonObject }
  | { ok: false; failure: Failure; reports?: readonly AgentReport[] };

/** Message of a server before its answer: a notification, or something that is not a message. */
export type Said = { notification: JsonObject } | { garbage: string };

export interface McpSession {
  /** Version that the server's program reports. */
  readonly version: string | undefined;
  /** Yields the messages until the answer has come, and returns that. Never throws. */
  ask(method: string, params: JsonObject, signal: AbortSignal): AsyncGenerator<Said, Answer>;
  /** Sends a notification; resolves when the server has it, or cannot be reached. */
  tell(method: string, params: JsonObject, signal: AbortSignal): Promise<void>;
  /** Id of the last request that was asked. */
  lastId(): number;
  /** Ends the session where the server keeps one. */
  close(signal: AbortSignal): Promise<void>;
}

export interface SessionOptions {
  client: HttpClient;
  url: URL;
  headers: Readonly<Record<string, string>>;
  tap?: WireTap | undefined;
}

const METHOD_NOT_FOUND = -32_601;

type Opened = { session: McpSession } | { refused: Answer & { ok: false } };

/** Opens a session with `initialize`, as servers have long expected; one that refuses is asked whether it speaks the revision without sessions. */
export async function openSession(options: SessionOptions, signal: AbortSignal): Promise<Opened> {
  const line = createLine(options);
  const begun = await answerOf(line.ask("initialize", INTRODUCTION, signal));
  const known = begun.ok ? initializeResult.safeParse(begun.result).data : undefined;
  const revision = REVISIONS.find((each) => each === known?.protocolVersion);
  if (revision !== undefined) {
    line.agree(revision);
    await line.tell("notifications/initialized", {}, signal);
    return { session: { ...line, version: known?.serverInfo?.version } };
  }
  const refused = begun.ok
    ? { ok: false as const, failure: unusable("in a revision that is not known") }
    : begun;
  if (!ANSWERED.has(refused.failure.code)) return { refused };
  line.agree(STATELESS);
  const found = await answerOf(line.ask("server/discover", {}, signal));
  const { data } = discoverResult.safeParse(found.ok ? found.result : undefined);
  if (data?.supportedVersions.includes(STATELESS) !== true) return { refused };
  return { session: { ...line, version: data._meta?.["io.modelcontextprotocol/serverInfo"]?.version } };
}

/** Codes of failures that say that a server is there, and answers. */
const ANSWERED: ReadonlySet<string> = new Set(["HTTP_ERROR", "AGENT_FAILED", "INVALID_RESPONSE"]);

interface Line extends Omit<McpSession, "version"> {
  /** Uses this revision from now on. */
  agree(revision: string): void;
}

function createLine({ client, url, headers, tap }: SessionOptions): Line {
  const kept: Record<string, string> = {};
  let isStateless = false;
  let lastId = 0;

  function post({ method, params, ...message }: JsonObject, stop: AbortSignal) {
    const said = isStateless && method !== undefined ? statelessParams(params) : params;
    const content = JSON.stringify({ jsonrpc: "2.0", ...message, method, params: said });
    tap?.sent("mcp", content);
    const sent = {
      ...headers,
      ...kept,
      ...(isStateless && statelessHeaders(method, params)),
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    };
    return client.post({ url, headers: sent, content, once: method === "tools/call" }, stop);
  }

  async function send(message: JsonObject, stop: AbortSignal): Promise<void> {
    const exchanged = await post(message, stop);
    if (exchanged.kind === "answered") exchanged.answer.body.release();
  }

  /** Replies to a request of the server: whether the client is there, or for something that it was not offered. */
  function replyTo({ id = null, method }: JsonObject, stop: AbortSignal): Promise<void> {
    const error = { code: METHOD_NOT_FOUND, message: `there is no method ${JSON.stringify(method)}` };
    return send({ id, ...(method === "ping" ? { result: {} } : { error }) }, stop);
  }

  async function* ask(method: string, params: JsonObject, stop: AbortSignal): AsyncGenerator<Said, Answer> {
    const id = ++lastId;
    const asked: Asked = { name: method, url };
    const exchanged = await post({ id, method, params }, stop);
    if (exchanged.kind === "failed") return { ok: false, failure: troubleFailure(exchanged.trouble, asked) };
    const { answer } = exchanged;
    const refusal = await readRefusal(answer, asked, ({ bytes }) => tap?.received("mcp", bytes.toString()));
    if (refusal) return refusal;
    const session = answer.headers["mcp-session-id"];
    if (method === "initialize" && typeof session === "string") kept["mcp-session-id"] = session;
    for await (const message of hearMessages(answer, asked, tap)) {
      if ("failure" in message) return { ok: false, ...message };
      if ("garbage" in message) yield message;
      else if (message.json["method"] === undefined) {
        if (message.json["id"] !== id) continue;
        answer.body.release();
        return answerIn(message.json);
      } else if (message.json["id"] !== undefined) await replyTo(message.json, stop);
      else yield { notification: message.json };
    }
    return { ok: false, failure: unusable(`${method} with nothing`) };
  }

  return {
    ask,
    agree(revision) {
      isStateless = revision === STATELESS;
      kept["mcp-protocol-version"] = revision;
    },
    lastId: () => lastId,
    tell: (method, params, stop) => send({ method, params }, stop),
    async close(stop) {
      if (kept["mcp-session-id"] === undefined) return;
      const ended = await client.get({ url, method: "DELETE", headers: { ...headers, ...kept } }, stop);
      if (ended.kind === "answered") ended.answer.body.release();
    },
  };
}

/** Resolves with the answer to a request, where earlier messages do not matter. */
export async function answerOf(asking: AsyncGenerator<Said, Answer>): Promise<Answer> {
  for (;;) {
    const step = await asking.next();
    if (step.done === true) return step.value;
  }
}

function answerIn({ result, error }: JsonObject): Answer {
  if (error !== undefined) return { ok: false, failure: rpcFailure(error) };
  if (isJsonObject(result)) return { ok: true, result };
  return { ok: false, failure: unusable("with neither a result nor an error") };
}
