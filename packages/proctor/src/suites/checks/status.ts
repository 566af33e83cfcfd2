// Passes when the run ended in this way.
import { z } from "zod";
import { TERMINAL_STATUSES } from "../../core/run.ts";
import type { Check } from "../check.ts";
import { fail, pass } from "../verdict.ts";

const config = z.strictObject({ is: z.enum(TERMINAL_STATUSES) });

export const status: Check<z.output<typeof config>> = {
  type: "status",
  config,
  judgesAnyEnd: true,
  evaluate({ run }, { is }) {
    const why = run.failure ? `: ${run.failure.message}` : "";
    const message = `the run ended as ${run.status}${why}`;
    return Promise.resolve(run.status === is ? pass(message) : fail(`${message}; expected ${is}`));
  },
};
