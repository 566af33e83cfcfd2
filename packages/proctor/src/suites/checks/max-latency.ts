// Passes when the run took no longer than this, from its start to its end, measured by the platform.
import { z } from "zod";
import type { Check } from "../check.ts";
import { compare } from "./metric-limit.ts";

const config = z.strictObject({ seconds: z.number().positive() });

export const maxLatency: Check<z.output<typeof config>> = {
  type: "max_latency",
  config,
  evaluate({ run }, { seconds }) {
    const { wall_time_seconds: found } = run.metrics;
    return Promise.resolve(compare(found, seconds, "wall_time_seconds", (time) => `${time} s`));
  },
};
