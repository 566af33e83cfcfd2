// The one way to say that no protocol speaks to an agent's kind of address.
import type { AgentSpec } from "./agent.ts";
import { ProctorError } from "./errors.ts";
import { suggest } from "./suggest.ts";

/** Returns the kind of an address: `atp+stdio`, or one word where the protocol is its own transport. */
export function schemeOf({ protocol, transport }: AgentSpec): string {
  return protocol === transport ? protocol : `${protocol}+${transport}`;
}

export function unknownScheme(scheme: string, supported: readonly string[]): ProctorError {
  const near = suggest(scheme, supported);
  return new ProctorError(
    "UNKNOWN_SCHEME",
    `no protocol speaks "${scheme}"\n   ${near ? `did you mean "${near}"?  ` : ""}supported: ${supported.join(", ")}`,
    { details: { scheme, supported: [...supported] } },
  );
}
