// What commands ask of the protocols, whichever they are.
import type { AgentSpec } from "../../core/agent.ts";
import type { Talks } from "../../core/ports/driver.ts";
import { schemeOf, unknownScheme } from "../../core/unknown-scheme.ts";
import type { Conformance } from "../../conformance/conformance.ts";
import type { EncodeResponse } from "../../protocols/protocol.ts";
import type { Finding } from "../../runtime/yaml/findings.ts";
import { checkOptions, createDriverLookup, schemes as listSchemes } from "../../protocols/registry.ts";
import { KNOWN_PROTOCOLS } from "./known-protocols.ts";

/** Returns the kinds of address that the protocols speak, such as `atp+stdio`. */
export function schemes(): readonly string[] {
  return listSchemes(KNOWN_PROTOCOLS);
}

/** Returns the function that finds what is wrong with an agent's options. */
export function optionCheck(): (spec: AgentSpec) => readonly Finding[] {
  return (spec) => checkOptions(spec, KNOWN_PROTOCOLS);
}

/** Returns what can be said to an agent of this kind, and what it may ask. Throws UNKNOWN_SCHEME. */
export function talksOf(spec: AgentSpec): Talks {
  // The driver is only looked at: it opens nothing.
  return createDriverLookup({ hubId: "" }, KNOWN_PROTOCOLS)(spec).talks ?? {};
}

/** Resolves with the rules of an agent's protocol and how to try them. Throws UNKNOWN_SCHEME. */
export async function conformance(spec: AgentSpec): Promise<Conformance> {
  const protocol = KNOWN_PROTOCOLS.find(
    ({ id, transports }) => id === spec.protocol && transports.includes(spec.transport),
  );
  if (protocol?.loadConformance === undefined) {
    const tried = KNOWN_PROTOCOLS.filter((known) => "loadConformance" in known);
    throw unknownScheme(schemeOf(spec), listSchemes(tried));
  }
  return protocol.loadConformance();
}

/** Encodes an ended run as `proctor run --json` prints it, whatever its agent speaks: in the first protocol that has such a document. */
export const encodeResponse: EncodeResponse = async (run, readArtifact) => {
  const encode = KNOWN_PROTOCOLS.find((known) => known.encodeResponse)?.encodeResponse;
  if (!encode) throw new Error("no protocol writes a run as one document");
  return encode(run, readArtifact);
};
