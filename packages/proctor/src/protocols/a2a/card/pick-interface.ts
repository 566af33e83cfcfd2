// Which interface of a card a client uses: the first that it speaks, that the options want, and to which it may go (A2A 1.0, section 8.3.2).
import { withoutTrailingSlashes } from "../../trailing-slashes.ts";
import { knownVersion } from "../client/create-a2a-client.ts";
import { canSpeak } from "../client/open-client.ts";
import type { AgentCard, AgentInterface } from "../model.ts";
import type { A2aVersion, Binding } from "../service.ts";
import type { TrustedHosts } from "./trusted-hosts.ts";

export interface Wanted {
  binding?: Binding;
  version?: A2aVersion;
  /** Address of the interface. */
  interface?: string;
}

export type Picked = { ok: true; interface: AgentInterface } | { ok: false; why: string };

export function pickInterface(
  { supportedInterfaces }: Pick<AgentCard, "supportedInterfaces">,
  wanted: Wanted,
  hosts: TrustedHosts,
): Picked {
  if (supportedInterfaces.length === 0) return { ok: false, why: "the card lists no interface" };
  const reasons: string[] = [];
  for (const offered of supportedInterfaces) {
    const why = problemOf(offered, wanted, hosts);
    if (why === undefined) return { ok: true, interface: offered };
    reasons.push(`${describe(offered)}: ${why}`);
  }
  return { ok: false, why: `none of the card's interfaces can be used\n${reasons.join("\n")}` };
}

function problemOf(offered: AgentInterface, wanted: Wanted, hosts: TrustedHosts): string | undefined {
  const version = knownVersion(offered.protocolVersion);
  if (wanted.binding !== undefined && offered.protocolBinding !== wanted.binding) {
    return `options.binding is ${wanted.binding}`;
  }
  if (wanted.version !== undefined && version !== wanted.version) {
    return `options.version is ${wanted.version}`;
  }
  if (wanted.interface !== undefined && !isSameAddress(offered.url, wanted.interface)) {
    return "options.interface is another address";
  }
  if (!canSpeak(offered)) return "this client does not speak it";
  const url = addressOf(offered, hosts.isSecure);
  return url === undefined ? "its url is not valid" : hosts.refusal(url);
}

/** gRPC's addresses may lack a scheme, `host:port`: then `isSecure` says whether TLS is spoken there. */
export function addressOf({ url, protocolBinding }: AgentInterface, isSecure = false): URL | undefined {
  const isBare = protocolBinding === "GRPC" && !/^[a-z][a-z0-9+.-]*:\/\//i.test(url);
  const whole = isBare ? `grpc${isSecure ? "s" : ""}://${url}` : url;
  return URL.canParse(whole) ? new URL(whole) : undefined;
}

/** Returns whether the address is that of a server of gRPC, and not of a card. */
export function isGrpc({ protocol }: URL): boolean {
  return protocol === "grpc:" || protocol === "grpcs:";
}

function isSameAddress(one: string, other: string): boolean {
  const spelled = (url: string): string =>
    withoutTrailingSlashes(URL.canParse(url) ? new URL(url).href : url);
  return spelled(one) === spelled(other);
}

const MAX_SHOWN_CHARS = 100;

function describe({ protocolBinding, protocolVersion }: AgentInterface): string {
  const shown = `${protocolBinding} ${protocolVersion}`;
  return shown.length > MAX_SHOWN_CHARS ? `(${shown.length} characters)` : shown;
}
