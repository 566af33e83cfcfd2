// One door of a gateway with both of its ends: the client before it and the upstream behind it.
import type { Attempt, CallOptions, Heard, ListenOptions } from "../conform/caller.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import type { Found, Trial } from "../conform/trial.ts";
import type { A2aTask, SendRequest, SendResult, TaskState } from "../model.ts";
import type { A2aCall, A2aService, A2aStream } from "../service.ts";
import type { Play, Scene } from "./scene.ts";
import type { Upstream } from "./upstream.ts";

export interface StageOptions {
  trial: Trial;
  found: Found;
  doors: readonly Endpoint[];
  door: Endpoint;
  upstream: Upstream;
}

interface SendOptions extends Omit<CallOptions, "as"> {
  /** What the request has beside the usual message. */
  request?: Partial<SendRequest>;
  headers?: Readonly<Record<string, string>>;
}

export interface Stage extends StageOptions {
  scene: (play?: Play) => Scene;
  ask: <T>(
    operate: (service: A2aService, call: A2aCall) => Promise<T>,
    options?: CallOptions,
  ) => Promise<Attempt<T>>;
  listen: (
    open: (service: A2aService, call: A2aCall) => Promise<A2aStream>,
    options?: ListenOptions,
  ) => Promise<Heard>;
  send: (scene: Scene, options?: SendOptions) => Promise<Attempt<SendResult>>;
  /** Begins a task that is in this state upstream. */
  begin: (play: Play & { state: TaskState }) => Promise<Begun>;
}

export interface Begun {
  scene: Scene;
  attempt: Attempt<SendResult>;
  /** The task as the client knows it; undefined where the gateway gives none. */
  task: A2aTask | undefined;
  /** The upstream's id of the task. */
  inner: string;
}

export function createStage(options: StageOptions): Stage {
  const { trial, door, upstream } = options;
  const { identity } = trial;
  const ask: Stage["ask"] = (operate, more) => trial.ask(door, operate, more);
  const send: Stage["send"] = (scene, { request, headers, ...more } = {}) =>
    ask((service, call) => service.send({ message: scene.message(), ...request }, call), {
      ...more,
      ...(headers && { as: { ...identity, headers: { ...identity.headers, ...headers } } }),
    });
  return {
    ...options,
    scene: (play) => upstream.scene(play),
    ask,
    listen: (open, more) => trial.listen(door, open, more),
    send,
    async begin(play) {
      const scene = upstream.scene(play);
      const attempt = await send(scene);
      const [inner = ""] = scene.tasks.keys();
      return { scene, attempt, task: attempt.value?.task, inner };
    },
  };
}
