// Whether what goes into a capability, and what comes out of it, has the form that its agent promised. Document 004, section 2.2.
import type { Json } from "../json.ts";

export interface Capabilities {
  /** Throws INVALID_REQUEST where the agent has no such capability, or the input does not fit its `parameters`. */
  checkInput(agent: string, capability: string, input: Json): Promise<void>;
  /** Resolves with how the output departs from the capability's `returns`; undefined where it fits, or no `returns` is declared. */
  checkOutput(
    agent: string,
    capability: string,
    output: Json | undefined,
  ): Promise<OutputMismatch | undefined>;
}

export interface OutputMismatch {
  message: string;
  /** What a misfit means by the capability's declaration: a violation of the run, or that the run fails. */
  policy: "violation" | "fail";
}
