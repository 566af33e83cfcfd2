// The pass rate with its uncertainty, for reports. E. B. Wilson, Probable Inference, JASA 22 (1927).
import { requireLevel, requirePart } from "./argument-rules.ts";
import type { Interval } from "./interval.ts";
import { normalQuantile } from "./normal.ts";

/** The rates that a score test does not reject. Its coverage is near the confidence on average, not for every rate. */
export function wilson(passed: number, total: number, confidence = 0.95): Interval {
  requirePart("passed", passed, "total", total);
  requireLevel("confidence", confidence);
  if (total === 0) return { low: 0, high: 1 };
  const z = normalQuantile((1 + confidence) / 2);
  const failed = total - passed;
  const middle = passed + (z * z) / 2;
  const reach = z * Math.sqrt((passed * failed) / total + (z * z) / 4);
  const scale = total + z * z;
  // At the ends the formula is exactly 0 and 1; rounding must not say otherwise.
  const low = passed === 0 ? 0 : (middle - reach) / scale;
  const high = failed === 0 ? 1 : (middle + reach) / scale;
  return { low, high };
}
