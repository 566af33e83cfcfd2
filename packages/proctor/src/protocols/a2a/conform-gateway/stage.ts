// One door of a gateway with both of its ends: the client before it and the upstream behind it.
import type { Attempt, CallOptions, Heard, ListenOptions } from "../conform/caller.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import { demand } from "../conform/finding.ts";
import type { Found, Trial } from "../conform/trial.ts";
import type { A2aTask, SendRequest, SendResult, TaskState } from "../model.ts";
import type { A2aCall, A2aService } from "../service.ts";
import { answerOf } from "./findings.ts";
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
  /** What the request has besides the usual message. */
  request?: Partial<SendRequest>;
  headers?: Readonly<Record<string, string>>;
}

export interface Stage extends StageOptions {
  scene: (play?: Play) => Scene;
  ask: <T>(
    operate: (service: A2aService, call: A2aCall) => Promise<T>,
    options?: CallOptions,
  ) => Promise<Attempt<T>>;
  send: (scene: Scene, options?: SendOptions) => Promise<Attempt<SendResult>>;
  /** Listens to the stream of a message of the scene. */
  stream: (scene: Scene, options?: ListenOptions) => Promise<Heard>;
  cancelTask: (id: string) => Promise<Attempt<A2aTask>>;
  /** Begins a task that is in this state upstream. */
  begin: (play: Play & { state: TaskState }) => Promise<Begun>;
}

export interface Begun {
  scene: Scene;
  /** The task as the client knows it. */
  task: A2aTask;
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
    send,
    stream: (scene, more) => trial.stream(door, scene.message(), more),
    cancelTask: (id) => trial.cancelTask(door, id),
    async begin(play) {
      const scene = upstream.scene(play);
      const attempt = await send(scene);
      const [inner = ""] = scene.tasks.keys();
      const value = answerOf(attempt, "a message");
      const reason = "a task of the upstream did not come back as a task";
      demand(value.task !== undefined, reason, attempt.transcript, { got: value });
      return { scene, task: value.task, inner };
    },
  };
}
