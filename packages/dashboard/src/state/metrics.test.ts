import { expect, it } from "vitest";
import { metric } from "./metrics.ts";

const TEXT = `# TYPE runs_total counter
runs_total{status="failed"} 2
runs_total{status="completed"} 5
runs_totals 100
disk_free_bytes{holds="data"} 1.5e+9
`;

it("A metric is the sum of its samples, or of those with a label", () => {
  expect(metric(TEXT, "runs_total")).toBe(7);
  expect(metric(TEXT, "runs_total", ["status", "failed"])).toBe(2);
  expect(metric(TEXT, "disk_free_bytes", ["holds", "data"])).toBe(1.5e9);
  expect(metric(TEXT, "disk_free_bytes", ["holds", "artifacts"])).toBeUndefined();
  expect(metric(undefined, "runs_total")).toBeUndefined();
});
