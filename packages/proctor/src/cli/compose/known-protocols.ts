// The protocols that this program speaks: those of the registry, and two that need more than a protocol may know:
// the stage of declarative tests, and goals.
import { PROTOCOLS } from "../../protocols/registry.ts";
import type { Protocol } from "../../protocols/protocol.ts";
import { goal } from "./goal-protocol.ts";
import { stage } from "./stage-protocol.ts";

export const KNOWN_PROTOCOLS: readonly Protocol[] = [...PROTOCOLS, goal, stage];
