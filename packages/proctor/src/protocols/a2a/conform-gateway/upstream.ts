// The agent behind the gateway, served by Proctor: answers each message as its scene says, remembers what it was asked, and puts things into its answers
// that no client of a gateway should see.
import { generateKeyPairSync } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import { newTraceId } from "../../../core/trace.ts";
import { listen, type Listening, type NodeBindings } from "../../../runtime/http/listen.ts";
import { takeBody } from "../../../runtime/http/take-body.ts";
import { signCard } from "../card/sign-card.ts";
import { A2aError } from "../errors.ts";
import { createA2aServer } from "../http/a2a-server.ts";
import type { A2aCall, A2aOperation, A2aService } from "../service.ts";
import { createScene, keyIn, type Play, type Scene } from "./scene.ts";
import { extendedCard, upstreamCard } from "./upstream-card.ts";

export interface Upstream {
  /** Address of the upstream: `http://127.0.0.1:7777`. */
  readonly url: string;
  /** Host and port, `127.0.0.1:7777`, which no client should see. */
  readonly host: string;
  /** Number of requests other than those for the card. */
  readonly arrivals: number;
  scene(play?: Play): Scene;
  /** Refuses all connections while `work` is done. */
  whileDown<T>(work: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Id of the key with which the upstream signs its card. */
export const KEY_ID = "proctor-upstream-key";
/** Marker in headers and in broken answers: a client that gets it sees internals of the upstream. */
export const INSIDE = "proctor-upstream-inside";
const INNER_HEADERS = {
  server: INSIDE,
  "set-cookie": `session=${INSIDE}; Path=/`,
  "x-powered-by": INSIDE,
  "x-internal-host": INSIDE,
};
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** Throws CONFIG_INVALID where the address cannot be bound. */
export async function openUpstream({ host, port }: { host: string; port: number }): Promise<Upstream> {
  const scenes = new Map<string, Scene>();
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  let arrivals = 0;
  let url = "";

  function sceneOf(request: JsonObject): Scene {
    const scene = scenes.get(keyIn(JSON.stringify(request)) ?? "");
    if (scene === undefined) throw new A2aError("TASK_NOT_FOUND");
    return scene;
  }

  /** Wraps one operation, which the scene of its request plays. */
  function played<Request extends JsonObject, Result>(
    operation: A2aOperation,
    play: (scene: Scene) => (request: Request, call: A2aCall) => Promise<Result>,
  ): (request: Request, call: A2aCall) => Promise<Result> {
    return async (request, call) => {
      const scene = sceneOf(request);
      scene.note({ operation, request, call });
      return play(scene)(request, call);
    };
  }

  const service: A2aService = {
    card: () => Promise.resolve(upstreamCard(url)),
    extendedCard: () => Promise.resolve(extendedCard(url)),
    send: played("send", (scene) => scene.service.send),
    stream: played("stream", (scene) => scene.service.stream),
    subscribe: played("subscribe", (scene) => scene.service.subscribe),
    getTask: played("getTask", (scene) => scene.service.getTask),
    listTasks: played("listTasks", (scene) => scene.service.listTasks),
    cancelTask: played("cancelTask", (scene) => scene.service.cancelTask),
    createPushConfig: played("createPushConfig", (scene) => scene.service.createPushConfig),
    getPushConfig: played("getPushConfig", (scene) => scene.service.getPushConfig),
    listPushConfigs: played("listPushConfigs", (scene) => scene.service.listPushConfigs),
    deletePushConfig: played("deletePushConfig", (scene) => scene.service.deletePushConfig),
  };

  async function answer(
    request: Request,
    { outgoing }: NodeBindings,
    server: typeof served,
  ): Promise<Response> {
    const isCard = request.url.includes("/.well-known/");
    if (!isCard) arrivals++;
    const { text, forwarded } = await takeBody(request, MAX_BODY_BYTES);
    const scene = scenes.get(keyIn(`${request.url} ${text}`) ?? "");
    if (scene && outgoing) scene.connections.push(outgoing);
    const raw = scene?.play.http?.();
    if (raw === "cut") {
      outgoing?.destroy();
      return new Response(null, { status: 204 });
    }
    const usual = raw ?? (await server.fetch(forwarded, { traceId: newTraceId(), basePath: "" }));
    const headers = new Headers(usual.headers);
    for (const [name, value] of Object.entries(INNER_HEADERS)) headers.set(name, value);
    return new Response(usual.body, { status: usual.status, headers });
  }

  const serve = () =>
    createA2aServer({
      service,
      signCard: (card) => signCard(card, { privateKey, algorithm: "ES256", keyId: KEY_ID }),
    });
  let served = serve();
  let listening: Listening = await open(port);
  url = listening.url;

  function open(at: number): Promise<Listening> {
    return listen({
      host,
      port: at,
      app: {
        fetch: (request, bindings) => answer(request, bindings, served),
        endStreams: () => served.close(),
      },
      flags: { host: "--upstream", port: "--upstream" },
    });
  }

  return {
    url,
    host: new URL(url).host,
    get arrivals() {
      return arrivals;
    },
    scene(play = {}) {
      const scene = createScene(play);
      scenes.set(scene.key, scene);
      return scene;
    },
    async whileDown(work) {
      const at = listening.port;
      await listening.close(0);
      try {
        return await work();
      } finally {
        served = serve();
        listening = await open(at);
      }
    },
    close: () => listening.close(0),
  };
}
