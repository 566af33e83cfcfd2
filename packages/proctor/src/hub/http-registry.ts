// The registry of a hub elsewhere. The token tells the hub who asks, so callers are not passed on.
import { setTimeout as delay } from "node:timers/promises";
import { ProctorError } from "../core/errors.ts";
import type { Page } from "../core/page.ts";
import type { Registry } from "../core/ports/registry.ts";
import type {
  BeatAnswer,
  HealthEntry,
  Registered,
  RegisteredAgent,
  RegistryChange,
  SearchResult,
} from "../core/registration.ts";
import type { HttpClient } from "./http-client.ts";
import type { ReadSse } from "./http-follow.ts";
import { path } from "./http-path.ts";
import { query } from "./http-query.ts";

/** Milliseconds after which a watcher that lost its connection reconnects. */
const COME_BACK_MS = 1000;

export function createHttpRegistry(client: HttpClient, readSse: ReadSse): Registry {
  return {
    register: (registration) =>
      client.sendJson<Registered>("/registry/agents", { method: "POST", body: registration }),
    update: (name, changes) =>
      client.sendJson<RegisteredAgent>(path`/registry/agents/${name}`, { method: "PATCH", body: changes }),
    beat: (name, beat) =>
      client.sendJson<BeatAnswer>(path`/registry/agents/${name}/heartbeat`, { method: "POST", body: beat }),
    async deregister(name) {
      await client.send(path`/registry/agents/${name}`, { method: "DELETE" });
    },
    command: (name, command) =>
      client.sendJson<RegisteredAgent>(path`/registry/agents/${name}/commands`, {
        method: "POST",
        body: { command },
      }),
    get: (name) => client.sendJson<RegisteredAgent>(path`/registry/agents/${name}`),
    list({ labels = {}, state, capability, stage, cursor, limit }) {
      const label = Object.entries(labels).map(
        ([key, value]) => `label=${encodeURIComponent(`${key}=${value}`)}`,
      );
      const rest = query({ capability, stage, cursor, limit, state: state?.join(",") }).slice(1);
      const asked = [...label, ...(rest === "" ? [] : [rest])].join("&");
      return client.sendJson<Page<RegisteredAgent>>(`/registry/agents${asked === "" ? "" : `?${asked}`}`);
    },
    search: (asked) => client.sendJson<SearchResult>("/registry/search", { method: "POST", body: asked }),
    judged: (verdicts) =>
      client.sendJson<{ counted: number }>("/registry/verdicts", { method: "POST", body: { verdicts } }),
    history: (name, { cursor, limit }) =>
      client.sendJson<Page<HealthEntry>>(path`/registry/agents/${name}/history` + query({ cursor, limit })),
    watch: (after, signal) => watchOverHttp(client, readSse, after, signal),
  };
}

/** The connection may be cut at any time: it is opened again after the last change that arrived. */
async function* watchOverHttp(
  client: HttpClient,
  readSse: ReadSse,
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<RegistryChange> {
  let last = after;
  let heard = false;
  while (!signal.aborted) {
    try {
      const { body } = await client.send(`/registry/watch${query({ after: last })}`, {
        headers: { accept: "text/event-stream" },
        signal,
      });
      heard = true;
      for await (const { data, id, event } of body === null ? [] : readSse(body)) {
        // The hub says why it ends the stream, and a watcher that reconnects starts over.
        if (event === "end") last = undefined;
        if (data === undefined || event === "end") continue;
        // Frames of the hub hold exactly one change.
        yield JSON.parse(data) as RegistryChange;
        if (id !== undefined && id !== "") last = Number(id);
      }
    } catch (error) {
      if (signal.aborted) return;
      // A hub that was never there is reported at once; one that restarts may come back.
      if (!heard || (ProctorError.is(error) && !error.retryable)) throw error;
    }
    await delay(COME_BACK_MS, undefined, { signal }).catch(() => {});
  }
}
