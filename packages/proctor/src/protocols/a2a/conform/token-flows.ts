// Tokens by the flows that a card describes, for the client that the user named. Nothing is asked of a host that only the card named.
import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import { withinTime } from "../../../runtime/time/within-time.ts";
import { trustHosts } from "../card/trusted-hosts.ts";
import type { AgentCard } from "../model.ts";
import { end } from "../../../conformance/demand.ts";
import { assume, noOccasion } from "./finding.ts";
import { jsonOf } from "./raw-request.ts";
import type { Transcript } from "./transcript.ts";
import type { Trial } from "./trial.ts";

/** One flow of the card's OAuth schemes. */
export interface TokenFlow {
  tokenUrl: string;
  /** URL at which a device gets its codes; absent in other flows. */
  deviceUrl?: string;
  /** Scopes that the card requires. */
  needed: readonly string[];
  /** Scopes that the flow has and the card does not require. */
  spare: readonly string[];
}

const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const DEFAULT_INTERVAL_SECONDS = 5;
const FORM = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };

export type FlowKind = "clientCredentials" | "deviceCode";

/** Returns the first flow of this kind; undefined when the card has none. */
export function flowOf(card: AgentCard, kind: FlowKind): TokenFlow | undefined {
  for (const [name, scheme] of Object.entries(card.securitySchemes ?? {})) {
    const flow = member(member(member(scheme, "oauth2SecurityScheme"), "flows"), kind);
    const tokenUrl = flow?.["tokenUrl"];
    if (flow === undefined || typeof tokenUrl !== "string") continue;
    const needed = scopesFor(card, name);
    const deviceUrl = flow["deviceAuthorizationUrl"];
    const spare = Object.keys(member(flow, "scopes") ?? {}).filter((scope) => !needed.includes(scope));
    return { tokenUrl, needed, spare, ...(typeof deviceUrl === "string" && { deviceUrl }) };
  }
  return undefined;
}

/** Returns where the card's OpenID Connect metadata is; undefined when the card has no such scheme. */
export function openIdUrlOf(card: AgentCard): string | undefined {
  const urls = Object.values(card.securitySchemes ?? {}).map(
    (scheme) => member(scheme, "openIdConnectSecurityScheme")?.["openIdConnectUrl"],
  );
  return urls.find((url) => typeof url === "string");
}

/** Resolves with the answer of a server; where it may not be asked, the rule does not apply. */
export async function askServer(
  trial: Trial,
  address: string,
  form?: Readonly<Record<string, string>>,
): Promise<Transcript> {
  const { url, allow_hosts: allowed } = trial.settings;
  assume(URL.canParse(address), `${address} is no absolute address`);
  const target = new URL(address);
  const refusal = trustHosts(url, [...allowed, url.hostname.toLowerCase()]).refusal(target);
  assume(refusal === undefined, `its token server is not asked: ${refusal}`);
  if (form === undefined) return trial.raw({ url: target, headers: { accept: "application/json" } });
  const { client } = trial;
  assume(client !== undefined, "no client was named: --env A2A_CLIENT_ID=… --env A2A_CLIENT_SECRET=…");
  const pair = [client.id, client.secret].map(encodeURIComponent).join(":");
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  return trial.raw({
    url: target,
    method: "POST",
    headers: { ...FORM, authorization },
    body: new URLSearchParams(form).toString(),
  });
}

/** Gets a token by client credentials, once for the same scopes. */
export function clientToken(trial: Trial, tokenUrl: string, scopes: readonly string[]): Promise<string> {
  const scope = scopes.join(" ");
  return trial.once(`token ${tokenUrl} ${scope}`, async () => {
    const form = { grant_type: "client_credentials", ...(scope !== "" && { scope }) };
    return tokenIn(await askServer(trial, tokenUrl, form));
  });
}

/** Resolves with a token by the device flow, polled for within the time of a rule. */
export function deviceToken(trial: Trial, flow: TokenFlow): Promise<string> {
  return trial.once(`token device ${flow.tokenUrl}`, async () => {
    const scope = flow.needed.join(" ");
    const begun = await askServer(trial, flow.deviceUrl ?? "", scope === "" ? {} : { scope });
    const codes = objectIn(begun);
    const { device_code: code, verification_uri_complete: page = codes["verification_uri"] } = codes;
    assume(begun.status === 200 && typeof code === "string", unusable(begun, "no device code"));
    const pace = typeof codes["interval"] === "number" ? codes["interval"] : DEFAULT_INTERVAL_SECONDS;
    const place = typeof page === "string" ? page : "its page";
    return withinTime(trial.signal, trial.timeoutMs, (limit) =>
      pollFor(trial, flow.tokenUrl, { code, paceMs: pace * 1000, place, limit }),
    );
  });
}

async function pollFor(
  trial: Trial,
  tokenUrl: string,
  { code, paceMs, place, limit }: { code: string; paceMs: number; place: string; limit: AbortSignal },
): Promise<string> {
  for (let waitMs = paceMs; ;) {
    await pause(systemClock, waitMs, limit).catch(() =>
      end(noOccasion(`nobody approved the device in time, at ${place}`)),
    );
    const answer = await askServer(trial, tokenUrl, { grant_type: DEVICE_GRANT, device_code: code });
    const { error } = objectIn(answer);
    // RFC 8628, section 3.5: slower by five seconds.
    if (error === "slow_down") waitMs += DEFAULT_INTERVAL_SECONDS * 1000;
    else if (error !== "authorization_pending") return tokenIn(answer);
  }
}

function tokenIn(answer: Transcript): string {
  const { access_token: token } = objectIn(answer);
  assume(answer.status === 200 && typeof token === "string", unusable(answer, "no token"));
  return token;
}

/** A server's text next to an error may hold anything, so it is not shown. */
function unusable(answer: Transcript, what: string): string {
  const { error } = objectIn(answer);
  const said = typeof error === "string" ? ` and ${error.slice(0, 80)}` : "";
  return `its token server gave ${what}: ${answer.status ?? answer.trouble ?? "no answer"}${said}`;
}

export function objectIn(transcript: Transcript): JsonObject {
  const json = jsonOf(transcript);
  return isJsonObject(json) ? json : {};
}

function scopesFor({ securityRequirements = [] }: AgentCard, name: string): string[] {
  const scopes = securityRequirements.flatMap((requirement) => {
    const list = member(member(requirement, "schemes"), name)?.["list"];
    return Array.isArray(list) ? list : [];
  });
  return [...new Set(scopes.filter((scope) => typeof scope === "string"))];
}

function member(value: Json | undefined, name: string): JsonObject | undefined {
  const found = isJsonObject(value) ? value[name] : undefined;
  return isJsonObject(found) ? found : undefined;
}
