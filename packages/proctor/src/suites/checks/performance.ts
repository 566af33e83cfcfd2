// Passes when the runs of a case were fast enough together, as suites of the ATP platform have it.
import { z } from "zod";
import type { CaseCheck } from "../check.ts";
import { refused } from "../../runtime/yaml/findings.ts";
import { latencyOf } from "../case-statistics.ts";
import { describe } from "../statistics/describe.ts";
import type { Distribution } from "../statistics/describe.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { count } from "../texts/words.ts";

const limit = z.number().positive().optional();
const unmeasured = refused(
  "nobody measures this here",
  "give limits of the latency; see: proctor docs checks",
);

const thresholds = z
  .strictObject({
    max_latency_p50_ms: limit,
    max_latency_p95_ms: limit,
    max_latency_p99_ms: limit,
    max_latency_mean_ms: limit,
    max_total_duration_seconds: limit,
    max_time_to_first_token_ms: unmeasured,
    min_tokens_per_second: unmeasured,
    min_token_efficiency: unmeasured,
    max_memory_usage_mb: unmeasured,
  })
  .superRefine((given, context) => {
    if (Object.values(given).every((value) => value === undefined))
      context.addIssue({ code: "custom", message: `"thresholds" needs at least one limit` });
  });

const config = z.strictObject({
  thresholds,
  baseline: refused(
    `"baseline" inside a check is not supported`,
    "compare with earlier runs of the whole suite instead: proctor baseline",
  ),
  /** Of the comparison with a baseline: has no effect without one. */
  significance_level: z.number().min(0).max(1).optional(),
});

type Config = z.output<typeof config>;

const MEASURES: [key: keyof Config["thresholds"], name: string, read: (latency: Distribution) => number][] = [
  ["max_latency_p50_ms", "p50", ({ p50 }) => p50],
  ["max_latency_p95_ms", "p95", ({ p95 }) => p95],
  ["max_latency_p99_ms", "p99", ({ p99 }) => p99],
  ["max_latency_mean_ms", "mean", ({ mean }) => mean],
];

export const performance: CaseCheck<Config> = {
  type: "performance",
  config,
  judge(attempts, { thresholds }) {
    const times = attempts.flatMap((attempt) => latencyOf(attempt) ?? []);
    // The bootstrap is for figures that are reported; a limit needs none.
    const latency = describe(times, { resamples: 1 });
    if (!latency) return unevaluated('no run has the metric "wall_time_seconds"');
    const measured = MEASURES.flatMap(([key, name, read]) => {
      const most = thresholds[key];
      return most === undefined ? [] : [{ name, found: read(latency), most, unit: "ms" }];
    });
    const { max_total_duration_seconds: longest } = thresholds;
    if (longest !== undefined)
      measured.push({ name: "longest", found: latency.max / 1000, most: longest, unit: "s" });
    const wrong = measured.filter(({ found, most }) => found > most);
    const said = (wrong.length > 0 ? wrong : measured).map(
      ({ name, found, most, unit }) =>
        `${name} ${Number(found.toPrecision(4))} ${unit}, at most ${most} expected`,
    );
    const without = attempts.length - times.length;
    const runs = `${count(times.length, "run")}${without > 0 ? `, ${without} more without a time` : ""}`;
    const message = `${said.join("; ")} (${runs})`;
    return wrong.length > 0 ? fail(message) : pass(message);
  },
};
