// Pass when a metric of the run stays within a limit. A metric that nobody reported leaves them unevaluated.
import { z } from "zod";
import { tokensOf, type Metrics } from "../../core/metrics.ts";
import { register, type RegisteredCheck } from "../check.ts";
import { count } from "../texts/words.ts";
import { fail, pass, unevaluated } from "../verdict.ts";

interface MetricLimit<C> {
  type: string;
  config: z.ZodType<C>;
  limitOf: (config: C) => number;
  /** The name of the metric in messages. */
  metric: string;
  read: (metrics: Metrics) => number | undefined;
  /** Puts an amount and its unit into words. */
  describe: (amount: number) => string;
}

const limit = {
  config: z.strictObject({ limit: z.number().min(0) }),
  limitOf: (config: { limit: number }) => config.limit,
};
const seconds = {
  config: z.strictObject({ seconds: z.number().positive() }),
  limitOf: (config: { seconds: number }) => config.seconds,
};

export const metricLimits: readonly RegisteredCheck[] = [
  metricLimit({
    type: "max_latency",
    ...seconds,
    metric: "wall_time_seconds",
    read: (metrics) => metrics.wall_time_seconds,
    describe: (time) => `${time} s`,
  }),
  metricLimit({
    type: "max_steps",
    ...limit,
    metric: "total_steps",
    read: (metrics) => metrics.total_steps,
    describe: (steps) => count(steps, "step"),
  }),
  metricLimit({
    type: "max_tokens",
    ...limit,
    metric: "total_tokens",
    read: tokensOf,
    describe: (tokens) => count(tokens, "token"),
  }),
  metricLimit({
    type: "max_cost",
    ...limit,
    metric: "cost_usd",
    read: (metrics) => metrics.cost_usd,
    describe: (cost) => `${cost} USD`,
  }),
];

function metricLimit<C>({ type, config, limitOf, metric, read, describe }: MetricLimit<C>): RegisteredCheck {
  return register<C>({
    type,
    config,
    evaluate({ run }, config) {
      const found = read(run.metrics);
      if (found === undefined) return Promise.resolve(unevaluated(`the run has no metric "${metric}"`));
      const message = `${describe(found)}, at most ${limitOf(config)} expected`;
      return Promise.resolve(found <= limitOf(config) ? pass(message) : fail(message));
    },
  });
}
