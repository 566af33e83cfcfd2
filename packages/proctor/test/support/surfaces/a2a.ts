// Clients of A2A's surface for the shared suite: JSON-RPC in both versions' words, and HTTP+JSON.
import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import type { AskedTask, Mistake, SurfaceClient, WatchedTask } from "../../../src/protocols/surface.case.ts";
import { legacyMessage, readFrames, userMessage, type Frame, type FrameReader } from "../a2a/hub-stage.ts";
import { DEEP } from "./atp.ts";
import { announceLarge, createWatched } from "./watched.ts";

/** How a binding is spoken. */
interface Tongue {
  name: string;
  message: (text: string, more?: JsonObject) => JsonObject;
  stream(url: string, message: JsonObject, headers?: Record<string, string>): FrameReader;
  cancel(url: string, taskId: string): Promise<unknown>;
  subscribe(url: string, taskId: string, after: string): FrameReader;
  /** The path to which a message is sent. */
  path: string;
  body(message: JsonObject): JsonObject;
  /** What a frame holds. */
  eventOf(frame: Frame): JsonObject;
}

const JSON_TYPE = { "content-type": "application/json" };
const V1 = { "a2a-version": "1.0" };

function rpc(
  name: string,
  methods: Record<"stream" | "cancel" | "subscribe", string>,
  legacy: boolean,
): Tongue {
  const headers = { ...JSON_TYPE, ...(!legacy && V1) };
  const call = (method: string, params: Json): JsonObject => ({ jsonrpc: "2.0", id: 1, method, params });
  const post = (body: JsonObject, more = {}) => ({
    method: "POST",
    headers: { ...headers, ...more },
    body: JSON.stringify(body),
  });
  return {
    name,
    message: legacy ? legacyMessage : userMessage,
    path: "",
    body: (message) => call(methods.stream, { message }),
    stream: (url, message, more) => readFrames(url, post(call(methods.stream, { message }), more)),
    cancel: (url, id) => fetch(url, post(call(methods.cancel, { id }))),
    subscribe: (url, id, after) =>
      readFrames(url, post(call(methods.subscribe, { id }), { "last-event-id": after })),
    eventOf: ({ data }) => data.result as JsonObject,
  };
}

const TONGUES: Tongue[] = [
  rpc(
    "A2A 1.0 JSON-RPC",
    { stream: "SendStreamingMessage", cancel: "CancelTask", subscribe: "SubscribeToTask" },
    false,
  ),
  rpc(
    "A2A 0.3 JSON-RPC",
    { stream: "message/stream", cancel: "tasks/cancel", subscribe: "tasks/resubscribe" },
    true,
  ),
  {
    name: "A2A 1.0 HTTP+JSON",
    message: userMessage,
    path: "/message:stream",
    body: (message) => ({ message }),
    stream: (url, message, more) =>
      readFrames(`${url}/message:stream`, {
        method: "POST",
        headers: { ...JSON_TYPE, ...V1, ...more },
        body: JSON.stringify({ message }),
      }),
    cancel: (url, id) => fetch(`${url}/tasks/${id}:cancel`, { method: "POST", headers: V1 }),
    subscribe: (url, id, after) =>
      readFrames(`${url}/tasks/${id}:subscribe`, { headers: { ...V1, "last-event-id": after } }),
    eventOf: ({ data }) => data as JsonObject,
  },
];

/** What an event says, whatever the version. */
interface Told {
  taskId: string;
  /** In the words of a run. */
  state: string;
  /** The text of the status's message. */
  text: string;
}

function readEvent(event: JsonObject): Told {
  const inner = [event["task"], event["statusUpdate"], event["artifactUpdate"]].find(isJsonObject) ?? event;
  const status = isJsonObject(inner["status"]) ? inner["status"] : {};
  const message = isJsonObject(status["message"]) ? status["message"] : {};
  const parts = Array.isArray(message["parts"]) ? message["parts"].filter(isJsonObject) : [];
  const state = word(status["state"]).replace("TASK_STATE_", "").toLowerCase().replace("_", "-");
  return {
    taskId: word(inner["taskId"] ?? inner["id"]),
    state: state === "canceled" ? "cancelled" : state,
    text: parts.map(({ text }) => word(text)).join("\n"),
  };
}

function word(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

const ENDS = new Set(["completed", "failed", "cancelled", "rejected"]);

function watch(tongue: Tongue, url: string, description: string): AskedTask {
  let taskId = "";
  const watched = createWatched(() => tongue.cancel(url, taskId));
  let asked = (_text: string): void => undefined;
  const question = new Promise<string>((resolve) => (asked = resolve));

  async function read(frames: FrameReader): Promise<void> {
    for await (const frame of frames) {
      const told = readEvent(tongue.eventOf(frame));
      taskId = told.taskId;
      watched.hear(JSON.stringify(frame.data), told.state === "working");
      if (told.state.endsWith("-required")) asked(told.text);
      if (ENDS.has(told.state)) watched.end(told.state);
    }
  }

  let waits = false;
  void read(tongue.stream(url, tongue.message(description)))
    .catch(() => undefined)
    .then(() => (waits ? undefined : watched.end(undefined)));
  void question.then(() => (waits = true));
  return {
    ...watched,
    question,
    reply(text) {
      void question
        .then(() => read(tongue.stream(url, tongue.message(text, { taskId }))))
        .catch(() => undefined)
        .then(() => watched.end(undefined));
    },
  };
}

const CODES: Record<string, string> = {
  PARSE_ERROR: "INVALID_REQUEST",
  RESOURCE_EXHAUSTED: "PAYLOAD_TOO_LARGE",
  CONTENT_TYPE_NOT_SUPPORTED: "UNSUPPORTED_MEDIA_TYPE",
};

/** The code of a refusal: of the hub where there is no agent, otherwise by its reason. */
function codeOf(body: JsonObject, status: number): string {
  if (typeof body["code"] === "string") return body["code"];
  const error = isJsonObject(body["error"]) ? body["error"] : body;
  const details = [error["data"], error["details"]].find(Array.isArray) ?? [];
  const reason = details.filter(isJsonObject).map((detail) => word(detail["reason"]))[0] ?? "";
  if (reason === "METHOD_NOT_FOUND") return status === 405 ? "METHOD_NOT_ALLOWED" : "NOT_FOUND";
  return CODES[reason] ?? reason;
}

function clientOf(tongue: Tongue): SurfaceClient {
  const place = (url: string, agent: string): string => `${url}/a2a/${agent}`;
  async function post(url: string, body: string, more = {}, method = "POST"): Promise<string> {
    const headers = { ...JSON_TYPE, ...more };
    const answer = await fetch(url, { method, headers, ...(method !== "GET" && { body }) });
    return codeOf((await answer.json()) as JsonObject, answer.status);
  }
  return {
    name: tongue.name,
    skips: {
      "question denied": "its clients can be asked: the answer is theirs",
      "question unanswered": "its clients can be asked: the answer is theirs",
    },
    give: ({ url }, agent, description): WatchedTask => watch(tongue, place(url, agent), description),
    giveAndListen: ({ url }, agent, description) => watch(tongue, place(url, agent), description),
    async mistake({ url }, mistake) {
      const path = place(url, "worker") + tongue.path;
      const valid = JSON.stringify(tongue.body(tongue.message("work")));
      const made: Record<Mistake, () => Promise<string>> = {
        "unknown agent": () => post(place(url, "nobody") + tongue.path, valid),
        "bad body": () => post(path, "{"),
        "too large": async () => codeOf(await announceLarge(path), 413),
        nesting: () => post(path, DEEP),
        "media type": () => post(path, valid, { "content-type": "text/plain" }),
        method: () => post(path, "", {}, "GET"),
        path: () => post(`${place(url, "worker")}/no/where`, valid),
      };
      return made[mistake]();
    },
    async comeBack({ url }, agent) {
      const at = place(url, agent);
      const first = await tongue.stream(at, tongue.message("work")).all();
      const { taskId } = readEvent(tongue.eventOf(first[0]!));
      const again = await tongue.subscribe(at, taskId, first[1]!.id).all();
      return again.map(({ id }) => first.findIndex((each) => each.id === id));
    },
  };
}

export const A2A_SURFACES: readonly SurfaceClient[] = TONGUES.map(clientOf);
