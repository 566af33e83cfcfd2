// `gateway` of proctor.yaml: the agents that the hub stands in front of, and what it may pass on to them.
import { z } from "zod";
import { AGENT_NAME } from "../../core/agent.ts";
import type { JsonObject } from "../../core/json.ts";
import { agentParts } from "../../runtime/schemas/agent-parts.ts";
import {
  authOptions,
  tlsOptions,
  type AuthOptions,
  type TlsOptions,
} from "../../runtime/schemas/credentials.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { json, numberUpTo } from "../../runtime/yaml/scalars.ts";

export interface GatewayConfig {
  /** The agents by alias. */
  agents: Record<string, GatewayAgentConfig>;
  identityHeader?: string;
}

export interface GatewayAgentConfig {
  url: URL;
  cardUrl?: URL;
  card?: JsonObject;
  application?: string;
  auth?: AuthOptions;
  cardAuth?: AuthOptions;
  tls?: TlsOptions;
  headers: Record<string, string>;
  allowHeaders: string[];
  allowHosts: string[];
  refreshMs: number;
  timeoutMs: number;
  binding?: "JSONRPC" | "HTTP+JSON";
  version?: "1.0" | "0.3";
}

const NEVER_PASSED: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "content-type",
  "host",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/, "this is no name of an HTTP header")
  .transform((name) => name.toLowerCase());

const passedHeader = headerName.superRefine((name, context) => {
  if (NEVER_PASSED.has(name)) addError(context, `${name} belongs to one connection and is never passed on`);
});

const address = z.string().superRefine((value, context) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    return addError(context, new Error("must be an address like https://host/path"));
  }
  if (url.username !== "" || url.password !== "") {
    addError(context, new Error("must hold no credentials\nput them under auth"));
  }
});

const scope = z.string().regex(/^[^/\\\p{Cc}]{1,100}$/u, "must have no slashes and at most 100 characters");

/** Schema of a card; the protocol checks whether the object is one. */
const card: z.ZodType<JsonObject> = z.record(z.string(), json);

const DAY_SECONDS = 86_400;

const agent = z.strictObject({
  url: address,
  card_url: address.exactOptional(),
  card: card.exactOptional(),
  application: scope.exactOptional(),
  auth: authOptions.exactOptional(),
  card_auth: authOptions.exactOptional(),
  tls: tlsOptions.exactOptional(),
  headers: agentParts.headers.default({}),
  allow_headers: z.array(passedHeader).default([]),
  allow_hosts: z.array(z.string().min(1)).default([]),
  refresh_seconds: numberUpTo(1, DAY_SECONDS).default(60),
  timeout_seconds: numberUpTo(1, DAY_SECONDS).default(300),
  binding: z.enum(["JSONRPC", "HTTP+JSON"]).exactOptional(),
  version: z.enum(["1.0", "0.3"]).exactOptional(),
});

const alias = z
  .string()
  .regex(AGENT_NAME, "an alias is made of letters, digits, dot, dash and underscore (at most 128)");

export const gatewaySchema = z.strictObject({
  identity_header: headerName.exactOptional(),
  agents: z.record(alias, agent),
});

export function readGateway(file: z.output<typeof gatewaySchema>): GatewayConfig {
  return {
    agents: Object.fromEntries(Object.entries(file.agents).map(([name, one]) => [name, readAgent(one)])),
    ...(file.identity_header !== undefined && { identityHeader: file.identity_header }),
  };
}

function readAgent(entry: z.output<typeof agent>): GatewayAgentConfig {
  const { card_url: cardUrl, card_auth: cardAuth, refresh_seconds, timeout_seconds, ...rest } = entry;
  const { allow_headers: allowHeaders, allow_hosts: allowHosts, url, ...same } = rest;
  return {
    ...same,
    url: new URL(url),
    ...(cardUrl !== undefined && { cardUrl: new URL(cardUrl) }),
    ...(cardAuth && { cardAuth }),
    allowHeaders,
    allowHosts: allowHosts.map((host) => host.toLowerCase()),
    refreshMs: refresh_seconds * 1000,
    timeoutMs: timeout_seconds * 1000,
  };
}
