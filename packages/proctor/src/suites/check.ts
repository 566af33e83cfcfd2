// The contract of a check: one file in checks/, one line in checks/registry.ts.
import type { z } from "zod";
import type { Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { Run } from "../core/run.ts";
import { unevaluated } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** An ended run, as a check sees it. */
export interface CheckSubject {
  run: Run;
  /** The whole log, in order; may be asked for more than once. */
  events(): AsyncIterable<RunEvent>;
  /** The bytes; throws when they are not here or too many. */
  readArtifact(artifact: Artifact): Promise<Uint8Array>;
}

export interface Check<C> {
  type: string;
  /** Strict: an unknown key in a check's `config` is an error of the suite. */
  config: z.ZodType<C>;
  evaluate(subject: CheckSubject, config: C): Promise<Verdict>;
}

export type Evaluate = (subject: CheckSubject) => Promise<Verdict>;

/** A check whose config type is known only to itself, so that different ones fit in one list. */
export interface RegisteredCheck {
  type: string;
  config: z.ZodType;
  /** Takes a config that the schema has accepted. */
  bind(config: unknown): Evaluate;
}

export function register<C>(check: Check<C>): RegisteredCheck {
  return {
    type: check.type,
    config: check.config,
    bind(raw) {
      const config = check.config.parse(raw);
      return async (subject) => {
        try {
          return await check.evaluate(subject, config);
        } catch (error) {
          return unevaluated(
            `could not be evaluated: ${error instanceof Error ? error.message : String(error)}`,
          );
        }
      };
    },
  };
}
