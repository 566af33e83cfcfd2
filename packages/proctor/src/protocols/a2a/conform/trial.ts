// One agent under trial: its card, the ways to it, and the exchanges that several rules look at, made once and when first needed.
import { createHttpClient, type HttpClient } from "../../../channels/http/client.ts";
import type { AgentSpec } from "../../../core/agent.ts";
import { randomHex } from "../../../core/random.ts";
import { newTraceId } from "../../../core/trace.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";
import { discoverCard, type Discovery } from "../card/discover-card.ts";
import { trustHosts, type TrustedHosts } from "../card/trusted-hosts.ts";
import { createAuth } from "../client/auth/create-auth.ts";
import type { A2aSettings } from "../driver/settings.ts";
import type { A2aMessage, A2aTask, AgentCard, SendRequest, SendResult } from "../model.ts";
import {
  createCaller,
  NOBODY,
  type Attempt,
  type Caller,
  type Heard,
  type Identity,
  type ListenOptions,
} from "./caller.ts";
import { endpointsOf, type Endpoint, type Unusable } from "./endpoint.ts";
import { rawRequest, type RawRequest } from "./raw-request.ts";
import { needsCredentials } from "./rule.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { recordHttp } from "./record-http.ts";
import { TOKEN_NAME, type Transcript } from "./transcript.ts";

export interface TrialOptions {
  spec: AgentSpec;
  settings: A2aSettings;
  timeoutMs: number;
  signal: AbortSignal;
  /** Text of a plain message. */
  task: string;
  /** A token with too few permissions; absent where none is given. */
  insufficientToken?: string;
  /** The client that asks for tokens; absent where none is named. */
  client?: { id: string; secret: string };
}

export interface Found {
  discovery: Discovery;
  card: AgentCard | undefined;
  /** The exchange that brought the card, or the first that did not. */
  transcript: Transcript | undefined;
  endpoints: Endpoint[];
  unusable: Unusable[];
}

export interface Trial extends TrialOptions, Caller {
  identity: Identity;
  /** Identity without credentials, which trusts the same certificates as we do. */
  nobody: Identity;
  /** Resolves with the card and the endpoints of the agent; looks for them once. */
  found(): Promise<Found>;
  raw(request: RawRequest): Promise<Transcript>;
  /** Returns our own credentials, for endpoints that may get them. */
  identityFor(endpoint: Endpoint): Identity;
  /** Returns the headers that say which version is spoken and which extensions are asked for. */
  headersFor(endpoint: Endpoint): Record<string, string>;
  /** Returns a message of a user with an id of its own; of a behaviour of the conformance kits when it names one. */
  message(text?: string, more?: Partial<A2aMessage>): A2aMessage;
  send(endpoint: Endpoint, request: SendRequest): Promise<Attempt<SendResult>>;
  getTask(endpoint: Endpoint, id: string): Promise<Attempt<A2aTask>>;
  cancelTask(endpoint: Endpoint, id: string): Promise<Attempt<A2aTask>>;
  subscribe(endpoint: Endpoint, id: string, options?: ListenOptions): Promise<Heard>;
  /** Listens to the stream of a message. */
  stream(endpoint: Endpoint, message: A2aMessage, options?: ListenOptions): Promise<Heard>;
  /** Resolves with the answer to the plainest message; it is asked for once. */
  plain(endpoint: Endpoint): Promise<Attempt<SendResult>>;
  /** Resolves with the stream of the plainest message; it is listened to once. */
  plainStream(endpoint: Endpoint): Promise<Heard>;
  /** Resolves with the receiver of push notifications, which opens when first needed. */
  receiver(): Promise<Receiver>;
  close(): Promise<void>;
  /** Resolves with what `make` returned when the key was first asked for. */
  once<T>(key: string, make: () => Promise<T>): Promise<T>;
}

export function createTrial(options: TrialOptions): Trial {
  const { settings, timeoutMs, signal, task } = options;
  const http = withRepetition(createHttpClient());
  const hideUrl = (url: URL): string => hiddenUrl(url, settings);
  const identity: Identity = {
    auth: createAuth(settings, { http, clock: systemClock }),
    headers: settings.headers,
  };
  const ca = settings.tls?.ca;
  const nobody: Identity = ca === undefined ? NOBODY : { ...NOBODY, auth: { ...NOBODY.auth, tls: { ca } } };
  const shared = new Map<string, Promise<unknown>>();
  let receiver: Promise<Receiver> | undefined;
  let required: readonly string[] = settings.extensions;
  const caller = createCaller({
    http,
    identity,
    timeoutMs,
    signal,
    hideUrl,
    extensions: () => required,
  });

  function once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const made = shared.get(key) ?? make();
    shared.set(key, made);
    // A key always stands for the same type.
    return made as Promise<T>;
  }

  async function find(): Promise<Found> {
    const recorder = recordHttp(http, hideUrl);
    const headers = { "user-agent": "proctor", ...settings.headers };
    const { url } = settings;
    const { auth } = identity;
    const discovery = await withinTime(signal, timeoutMs, (limit) => {
      const call = { traceId: newTraceId(), signal: limit, extensions: [] };
      return discoverCard({ url, http: recorder, auth, headers, call });
    });
    const card = discovery.ok ? discovery.card : undefined;
    const hosts = placesOf(settings, card);
    const asked = (card?.capabilities.extensions ?? []).filter((extension) => extension.required === true);
    required = [...new Set([...settings.extensions, ...asked.map(({ uri }) => uri)])];
    const transcript = recorder.transcripts.at(discovery.ok ? -1 : 0);
    return { discovery, card, transcript, ...endpointsOf(card?.supportedInterfaces ?? [], hosts) };
  }

  function message(text: string = task, more: Partial<A2aMessage> = {}): A2aMessage {
    const prefix = /^tck-[a-z-]+/.exec(text)?.[0] ?? "proctor";
    return { messageId: `${prefix}-${randomHex(4)}`, role: "ROLE_USER", parts: [{ text }], ...more };
  }

  const send = (endpoint: Endpoint, request: SendRequest): Promise<Attempt<SendResult>> =>
    caller.ask(endpoint, (service, call) => service.send(request, call));
  const stream: Trial["stream"] = (endpoint, said, more) =>
    caller.listen(endpoint, (service, call) => service.stream({ message: said }, call), more);

  return {
    ...options,
    ...caller,
    identity,
    nobody,
    once,
    found: () => once("card", find),
    raw: (request) => rawRequest({ as: nobody, ...request }, { http, timeoutMs, signal, hideUrl }),
    identityFor: ({ mayHaveCredentials }) => (mayHaveCredentials ? identity : NOBODY),
    headersFor: ({ version }) => ({
      ...(version === "1.0" && { "a2a-version": version }),
      ...(required.length > 0 && {
        [version === "1.0" ? "a2a-extensions" : "x-a2a-extensions"]: required.join(", "),
      }),
    }),
    receiver: () => (receiver ??= openReceiver()),
    close: async () => (await receiver)?.close(),
    message,
    send,
    getTask: (endpoint, id) => caller.ask(endpoint, (service, call) => service.getTask({ id }, call)),
    cancelTask: (endpoint, id) => caller.ask(endpoint, (service, call) => service.cancelTask({ id }, call)),
    subscribe: (endpoint, id, more) =>
      caller.listen(endpoint, (service, call) => service.subscribe({ id }, call), more),
    stream,
    plain: (endpoint) => once(`plain ${endpoint.name}`, () => send(endpoint, { message: message() })),
    plainStream: (endpoint) => once(`stream ${endpoint.name}`, () => stream(endpoint, message())),
  };
}

/** Sends a message again where its connection had died before: no rule of A2A says whether a server closes idle connections. */
function withRepetition(client: HttpClient): HttpClient {
  return { ...client, post: (message, signal) => client.post({ ...message, once: false }, signal) };
}

/**
 * Returns the hosts to which a card may lead: any port of the agent's own host, since gRPC has a port of its own, and hosts that the options name.
 * Credentials go only where a driver would send them.
 */
function placesOf(settings: A2aSettings, card: AgentCard | undefined): TrustedHosts {
  const { url, allow_hosts: allowed, auth, headers } = settings;
  const near = trustHosts(url, [...allowed, url.hostname.toLowerCase()]);
  const own = trustHosts(url, allowed);
  const isGuarded =
    card !== undefined && needsCredentials(card) && (auth !== undefined || Object.keys(headers).length > 0);
  return {
    isSecure: own.isSecure,
    refusal: (target) => near.refusal(target) ?? (isGuarded ? own.refusal(target) : undefined),
    mayHaveCredentials: (target) => own.mayHaveCredentials(target),
  };
}

/** Returns whether the agent can reach our receiver of push notifications, which listens on loopback. */
export function isNear({ url }: A2aSettings): boolean {
  return /^(127\.|localhost$|\[::1\]$)/.test(url.hostname);
}

/** Returns the address without a key that is part of its query. */
function hiddenUrl(url: URL, { auth }: A2aSettings): string {
  if (auth?.type !== "api_key" || auth.in !== "query" || !url.searchParams.has(auth.name)) return url.href;
  const hidden = new URL(url);
  hidden.searchParams.set(auth.name, TOKEN_NAME);
  return hidden.href;
}
