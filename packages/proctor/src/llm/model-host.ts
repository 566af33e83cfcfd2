// Gives every run a model endpoint of its own, at an address that is no secret and with a key that is one: the port
// core/ports/model-host.ts. Whether a real model answers there or a mock, the agent asks in the same way.
import { hash, timingSafeEqual } from "node:crypto";
import { ProctorError } from "../core/errors.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { ModelEndpoint, ModelHost, OpenModel } from "../core/ports/model-host.ts";
import { createRedactor, type Secret } from "../core/redact.ts";
import { ApiError, errorResponse } from "../runtime/openai/api-error.ts";
import { traceparentOf } from "../runtime/span-ids.ts";
import { createAskModel, type AskModel, type Upstream } from "./ask-model.ts";
import { createBudget } from "./budget.ts";
import { MODEL_LIMITS, type ModelLimits } from "./limits.ts";
import { priceOf, type Price, type Prices } from "./prices.ts";
import { openSession, type Session } from "./session.ts";

export interface ModelHostOptions {
  /** Resolves to the address of `fetch` on loopback, without `/llm`. Called for each run. */
  baseUrl: () => Promise<string>;
  /** The model that the hub is configured with; the mock answers when absent. */
  upstream?: ConfiguredModel;
  /** Makes a mock model for each run, so that no run uses up answers of another. */
  mock: () => Promise<MockModel>;
  prices?: Prices;
  /** Says whether the text is a token of the run, which is accepted like the key of its model endpoint. */
  isRunToken?: (text: string, runId: string) => Promise<boolean>;
  clock: Clock;
  limits?: Partial<ModelLimits>;
}

interface ConfiguredModel extends Upstream {
  provider: string;
  defaultModel: string;
  /** Names of other models that agents may choose; without any, they get the default whatever they ask for. */
  models?: readonly string[];
}

export interface MockModel {
  model: string;
  ask: AskModel;
}

export interface ServedModelHost extends ModelHost {
  /** Answers requests to everything below `/llm`. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Closes all endpoints; no other one is opened afterwards. */
  close(): Promise<void>;
}

interface Place {
  digest: Buffer;
  session: Session;
}

interface Model {
  provider: string;
  model: string;
  /** Names of further models that the agent may choose from. */
  models: readonly string[];
  ask: AskModel;
  priceOf: (model: string) => Price | undefined;
}

const PREFIX = "/llm/";
const NOBODY = digest("");
const FREE: Price = { input: 0, output: 0 };

export function createModelHost(options: ModelHostOptions): ServedModelHost {
  const { baseUrl, upstream, mock, prices = {}, clock } = options;
  const limits = { ...MODEL_LIMITS, ...options.limits };
  const hubSecrets: Secret[] =
    upstream?.apiKey === undefined ? [] : [{ name: "key", value: upstream.apiKey }];
  const hide = createRedactor(hubSecrets);
  const askUpstream = upstream && createAskModel(upstream);
  /** Open sessions by the run's id in paths, which is not a secret. */
  const places = new Map<string, Place[]>();
  let heldBytes = 0;
  let closed = false;

  async function chooseModel(wanted: string | undefined): Promise<Model> {
    if (upstream === undefined || askUpstream === undefined) {
      const { model, ask } = await mock();
      // The mock's answers cost nothing unless prices are configured, which allows trying out a budget.
      const price = (name: string): Price => priceOf(prices, name) ?? FREE;
      return { provider: "mock", model: wanted ?? model, models: [], ask, priceOf: price };
    }
    const { provider, defaultModel, models = [] } = upstream;
    const known = [defaultModel, ...models];
    if (wanted !== undefined && models.length > 0 && !known.includes(wanted)) {
      const message = `this hub has no model "${wanted}" for its runs: it has ${known.join(", ")}\nchoose one of them, or add it to llm_models`;
      throw new ProctorError("INVALID_REQUEST", message);
    }
    return {
      provider,
      model: wanted ?? defaultModel,
      // A run that names its model gets that one only.
      models: wanted === undefined && models.length > 0 ? known : [],
      ask: askUpstream,
      priceOf: (name) => priceOf(prices, name),
    };
  }

  function hold(bytes: number): void {
    if (heldBytes + bytes > limits.heldBytes) {
      throw new ApiError(429, "the hub has too many large calls under way", {
        code: "too_many_calls",
        headers: { "retry-after": "1" },
      });
    }
    heldBytes += bytes;
  }

  function openFor(request: OpenModel, chosen: Model): Session {
    const { key, budgetUsd } = request;
    const { model, models } = chosen;
    return openSession({
      provider: chosen.provider,
      models: [...new Set([model, ...models])],
      chooseModel: (asked) => (asked !== undefined && models.includes(asked) ? asked : model),
      priceOf: chosen.priceOf,
      budget: budgetUsd === undefined ? undefined : createBudget(budgetUsd),
      usedUp: () => request.usedUp?.() ?? Promise.resolve(undefined),
      ask: chosen.ask,
      traceparentFor: (received) => traceparentOf(request, received),
      hide,
      hideInRecord: createRedactor([...hubSecrets, { name: "LLM_API_KEY", value: key }]),
      clock,
      limits,
      hold,
      release: (bytes) => void (heldBytes -= bytes),
      onCall: (call) => request.onCall(call),
    });
  }

  async function find(id: string, request: Request): Promise<Session | undefined> {
    const [, key = ""] = /^bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    return byKey(id, key) ?? ((await options.isRunToken?.(key, id)) === true ? newest(id) : undefined);
  }

  /** Returns the session that the run opened last, which is the one under way. */
  function newest(id: string): Session | undefined {
    return places.get(id)?.at(-1)?.session;
  }

  function byKey(id: string, key: string): Session | undefined {
    const given = digest(key);
    let found: Session | undefined;
    // A digest is always compared, in constant time, even for an unknown run.
    for (const place of places.get(id) ?? [{ digest: NOBODY, session: undefined }]) {
      if (timingSafeEqual(place.digest, given)) found = place.session;
    }
    return found;
  }

  function forget(id: string, place: Place): void {
    const others = (places.get(id) ?? []).filter((other) => other !== place);
    if (others.length > 0) places.set(id, others);
    else places.delete(id);
  }

  return {
    async open(request): Promise<ModelEndpoint> {
      const chosen = await chooseModel(request.model);
      const base = (await baseUrl()).replace(/\/+$/, "");
      if (closed) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      if (request.key === "") throw new ProctorError("INVALID_REQUEST", "a model endpoint needs a key");
      const id = encodeURIComponent(request.runId);
      const place = { digest: digest(request.key), session: openFor(request, chosen) };
      places.set(id, [...(places.get(id) ?? []), place]);
      return {
        url: `${base}${PREFIX}${id}/v1`,
        port: portOf(base),
        provider: chosen.provider,
        model: chosen.model,
        async close() {
          forget(id, place);
          await place.session.close();
        },
      };
    },
    async fetch(request) {
      try {
        const [, id = "", path] = /^\/llm\/([^/]+)\/v1\/(.*)$/.exec(new URL(request.url).pathname) ?? [];
        if (path === undefined)
          throw new ApiError(404, "there is nothing at this path", { code: "unknown_url" });
        return await ((await find(id, request)) ?? refuse()).fetch(request, path);
      } catch (error) {
        if (error instanceof ApiError) return errorResponse(error);
        return errorResponse(
          new ApiError(500, "the hub's model endpoint failed", { code: "internal_error" }),
        );
      }
    },
    async close() {
      closed = true;
      const open = [...places.values()].flat();
      places.clear();
      await Promise.all(open.map(({ session }) => session.close()));
    },
  };
}

/** Throws the same error for an unknown run, one that has ended, and a key that is almost right. */
function refuse(): never {
  throw new ApiError(
    401,
    "the key is not that of a run under way; send LLM_API_KEY as Authorization: Bearer <key>",
    {
      code: "invalid_api_key",
      headers: { "www-authenticate": 'Bearer realm="proctor"' },
    },
  );
}

function portOf(base: string): number {
  const { port, protocol } = new URL(base);
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

function digest(key: string): Buffer {
  return Buffer.from(hash("sha256", key, "hex"), "latin1");
}
