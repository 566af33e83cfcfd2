// The protocols that this program speaks: those of the registry, and the stage of declarative tests, which needs more than a protocol may know.
import { PROTOCOLS } from "../../protocols/registry.ts";
import type { Protocol } from "../../protocols/protocol.ts";
import { stage } from "./stage-protocol.ts";

export const KNOWN_PROTOCOLS: readonly Protocol[] = [...PROTOCOLS, stage];
