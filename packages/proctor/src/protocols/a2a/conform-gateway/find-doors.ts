// The doors of a gateway: the interfaces of its card that lead to it over HTTP, and whether anything that is sent there arrives upstream.
import { isGone } from "../card/discover-card.ts";
import type { Attempt } from "../conform/caller.ts";
import type { Endpoint } from "../conform/endpoint.ts";
import type { Trial } from "../conform/trial.ts";
import type { SendResult } from "../model.ts";
import { createStage, type StageOptions } from "./stage.ts";
import type { Upstream } from "./upstream.ts";

export interface Doors {
  all: readonly Endpoint[];
  stage: Omit<StageOptions, "door">;
  /** Why nothing can be tried; undefined where it can. */
  trouble: string | undefined;
  /** Says whether a plain message is answered at the endpoint. */
  answers: (door: Endpoint) => boolean;
}

/** `notStarted` says why the gateway is not running, where that is known. */
export async function findDoors(
  trial: Trial,
  upstream: Upstream,
  notStarted: string | undefined,
): Promise<Doors> {
  const found = await trial.found();
  const named = found.endpoints.filter(({ binding }) => binding !== "GRPC");
  // A gateway without a usable card may still forward.
  const all = named.length > 0 ? named : [plainDoor(trial)];
  const stage = { trial, found, doors: all, upstream };
  const plain = new Map<string, Attempt<SendResult>>();
  if (notStarted === undefined) {
    for (const door of all) {
      const there = createStage({ ...stage, door });
      plain.set(door.name, await there.send(there.scene()));
    }
  }
  return {
    all,
    stage,
    trouble:
      notStarted ?? (upstream.arrivals > 0 ? undefined : nothingArrived([...plain.values()], upstream)),
    answers: ({ name }) => plain.get(name)?.value !== undefined,
  };
}

function plainDoor({ settings: { url } }: Trial): Endpoint {
  const address = new URL(url.href.replace(/\/\.well-known\/[^/]*$/, ""));
  return {
    interface: { url: address.href, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    binding: "JSONRPC",
    version: "1.0",
    url: address,
    name: "JSON-RPC 1.0",
    mayHaveCredentials: true,
  };
}

function nothingArrived([first]: readonly Attempt<SendResult>[], { url }: Upstream): string {
  const { error } = first ?? {};
  if (error && isGone(error)) {
    return `the gateway cannot be reached: ${error.message}; start it first, or have it started with --start`;
  }
  const said = error === undefined ? "" : `, and the gateway says: ${error.message}`;
  return `nothing that was sent to the gateway arrived at ${url}${said}; let the gateway forward there, or have it started with --start`;
}
