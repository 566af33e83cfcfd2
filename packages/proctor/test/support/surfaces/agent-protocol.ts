// Clients of the Agent Protocol's surfaces for the shared suite: /api with its event stream, the official /ap/v1, and /ws.
import { WebSocket } from "ws";
import { readSse } from "../../../src/channels/sse/read-sse.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import type { AskedTask, Mistake, SurfaceClient, WatchedTask } from "../../../src/protocols/surface.case.ts";
import { DEEP, refusedSocket } from "./atp.ts";
import { announceLarge, createWatched, textIn, type Watched } from "./watched.ts";

const JSON_TYPE = { "content-type": "application/json" };

async function send(method: string, url: string, body?: unknown, headers = JSON_TYPE): Promise<JsonObject> {
  const content = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body: content }) });
  return JSON.parse(await answer.text()) as JsonObject;
}

async function createTask(url: string, agent: string, task: string): Promise<string> {
  const { agent: created } = await send("POST", `${url}/api/tasks`, { task, agent });
  return textIn(created as JsonObject, "id");
}

/** The same mistakes over HTTP, wherever tasks are created. */
function mistakes(
  place: (url: string) => string,
  valid: (agent: string) => JsonObject,
): SurfaceClient["mistake"] {
  return async ({ url }, mistake) => {
    const path = place(url);
    const made: Record<Mistake, () => Promise<JsonObject>> = {
      "unknown agent": () => send("POST", path, valid("nobody")),
      "bad body": () => send("POST", path, "{"),
      "too large": () => announceLarge(path),
      nesting: () => send("POST", path, DEEP),
      "media type": () => send("POST", path, valid("worker"), { "content-type": "text/plain" }),
      method: () => send("PUT", path, valid("worker")),
      path: () => send("POST", `${path}/nowhere/at/all`, valid("worker")),
    };
    return textIn(await made[mistake](), "code");
  };
}

const ENDS: Record<string, string> = {
  "task.completed": "completed",
  "task.failed": "failed",
  "task.cancelled": "cancelled",
};

/** Notes an event of a task. */
function note(watched: Watched, type: string, text: string): void {
  watched.hear(text, type.startsWith("step."));
  if (ENDS[type] !== undefined) watched.end(ENDS[type]);
}

async function readEvents(url: string, id: string, watched: Watched, after?: number): Promise<number[]> {
  const numbers: number[] = [];
  const headers = after === undefined ? {} : { "last-event-id": String(after) };
  const answer = await fetch(`${url}/api/tasks/${id}/events`, { headers });
  for await (const frame of readSse(answer.body ?? new ReadableStream<Uint8Array>())) {
    if (frame.kind !== "message") continue;
    numbers.push(Number(frame.id));
    note(watched, textIn(JSON.parse(frame.data) as JsonObject, "type"), frame.data);
  }
  return numbers;
}

function watchApi(url: string, agent: string, description: string): WatchedTask {
  const created = createTask(url, agent, description);
  const watched = createWatched(async () => send("POST", `${url}/api/tasks/${await created}/cancel`));
  void created
    .then((id) => readEvents(url, id, watched))
    .catch(() => undefined)
    .then(() => watched.end(undefined));
  return watched;
}

const apiSurface: SurfaceClient = {
  name: "Agent Protocol /api",
  skips: { "question answered": "document 003 has no questions" },
  give: ({ url }, agent, description) => watchApi(url, agent, description),
  mistake: mistakes(
    (url) => `${url}/api/tasks`,
    (agent) => ({ task: "work", agent }),
  ),
  async comeBack({ url }, agent) {
    const id = await createTask(url, agent, "work");
    await readEvents(
      url,
      id,
      createWatched(() => undefined),
    );
    return readEvents(
      url,
      id,
      createWatched(() => undefined),
      1,
    );
  },
};

/** Asks for steps until the last. A question is answered with what `reply` says. */
function watchOfficial(url: string, agent: string, description: string): AskedTask {
  const place = `${url}/ap/v1/agent/tasks`;
  const created = send("POST", place, { input: description, additional_input: { agent } });
  const taskUrl = async (): Promise<string> => `${place}/${textIn(await created, "task_id")}`;
  const watched = createWatched(async () => send("POST", `${await taskUrl()}/cancel`, {}));
  let asked = (_text: string): void => undefined;
  const question = new Promise<string>((resolve) => (asked = resolve));
  let reply = (_text: string): void => undefined;
  const replied = new Promise<string>((resolve) => (reply = resolve));
  void (async () => {
    try {
      for (let input: string | undefined; ;) {
        const step = await send(
          "POST",
          `${await taskUrl()}/steps`,
          input === undefined ? undefined : { input },
        );
        watched.hear(JSON.stringify(step), true);
        if (step["step_id"] === undefined || step["is_last"] === true) break;
        const isQuestion = step["status"] === "created" && typeof step["output"] === "string";
        if (isQuestion) asked(textIn(step, "output"));
        input = isQuestion ? await replied : undefined;
      }
      // A step says no more than that it is over; how the task ended, the task says.
      watched.end((await send("GET", await taskUrl()))["status"]);
    } catch {
      watched.end(undefined);
    }
  })();
  return { ...watched, question, reply };
}

const officialSurface: SurfaceClient = {
  name: "Agent Protocol /ap/v1",
  skips: {
    reconnect: "steps are asked for one by one; it has no stream of events",
    "question denied": "its clients can be asked: the answer is theirs",
    "question unanswered": "its clients can be asked: the answer is theirs",
  },
  give: ({ url }, agent, description) => watchOfficial(url, agent, description),
  giveAndListen: ({ url }, agent, description) => watchOfficial(url, agent, description),
  mistake: mistakes(
    (url) => `${url}/ap/v1/agent/tasks`,
    (agent) => ({ input: "work", additional_input: { agent } }),
  ),
};

interface Frame extends JsonObject {
  type: string;
}

function subscribe(
  url: string,
  id: string,
  since: number,
  hear: (frame: Frame, text: string) => void,
): WebSocket {
  const socket = new WebSocket(`${url.replace("http", "ws")}/ws`);
  socket.on("error", () => undefined);
  socket.on("open", () => socket.send(JSON.stringify({ type: "subscribe", agentId: id, since })));
  socket.on("message", (data) => {
    // Text frames arrive as buffers.
    const text = (data as Buffer).toString();
    hear(JSON.parse(text) as Frame, text);
  });
  return socket;
}

/** Follows a task on the socket to its end, and resolves with the numbers of its events. */
function followSocket(url: string, id: string, since: number): Promise<number[]> {
  const numbers: number[] = [];
  return new Promise((resolve) => {
    const socket = subscribe(url, id, since, ({ type, seq }) => {
      if (type.includes(".") && typeof seq === "number") numbers.push(seq);
      if (ENDS[type] !== undefined) socket.close(1000);
    });
    socket.on("close", () => resolve(numbers));
  });
}

const wsSurface: SurfaceClient = {
  name: "Agent Protocol /ws",
  skips: {
    "unknown agent": "tasks are created at /api; this surface tells their events",
    "media type": "a frame has no media type",
    method: "a WebSocket has no methods",
    "too large": "a frame above 4096 characters is malformed, which is the case before",
    nesting: "a frame is too short to be nested that deeply",
    "question answered": "document 003 has no questions",
  },
  give({ url }, agent, description) {
    const created = createTask(url, agent, description);
    const watched = createWatched(async () => send("POST", `${url}/api/tasks/${await created}/cancel`));
    void created.then(
      (id) => {
        const socket = subscribe(url, id, -1, (frame, text) => {
          note(watched, frame.type, text);
          if (ENDS[frame.type] !== undefined) socket.close(1000);
        });
        socket.on("close", () => watched.end(undefined));
      },
      () => watched.end(undefined),
    );
    return watched;
  },
  async mistake({ url }, mistake) {
    const place = `${url.replace("http", "ws")}/ws`;
    if (mistake === "path") return refusedSocket(`${place}/nowhere`);
    const socket = new WebSocket(place);
    socket.on("open", () => socket.send("{"));
    return new Promise((resolve) => {
      socket.on("message", (data) => {
        const frame = JSON.parse((data as Buffer).toString()) as Frame;
        if (frame.type !== "error") return;
        socket.close(1000);
        resolve(textIn(frame, "code"));
      });
    });
  },
  async comeBack({ url }, agent) {
    const id = await createTask(url, agent, "work");
    await followSocket(url, id, -1);
    return followSocket(url, id, 1);
  },
};

export const AGENT_PROTOCOL_SURFACES: readonly SurfaceClient[] = [apiSurface, officialSurface, wsSurface];
