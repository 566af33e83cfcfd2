import picocolors from "picocolors";
import { expect, test } from "vitest";
import { renderProgressLine } from "./progress-line.ts";
import { textWidth } from "./text.ts";

const plain = picocolors.createColors(false);
const progress = {
  status: "running",
  elapsedMs: 12_345,
  metrics: { total_steps: 3, total_tokens: 1540, cost_usd: 0.01 },
  hint: "Ctrl-C cancels",
} as const;

test("the progress line shows the status, the time and what was used", () => {
  expect(renderProgressLine(progress, plain, 100)).toBe(
    "⠸ running 12.3s · 3 steps · 1,540 tokens · $0.0100 · Ctrl-C cancels",
  );
});

test("the progress line turns with time", () => {
  const frames = [0, 100, 200].map(
    (elapsedMs) => renderProgressLine({ ...progress, elapsedMs }, plain, 100)[0],
  );

  expect(new Set(frames).size).toBe(3);
});

test.each([40, 41, 50, 69])(
  "the progress line leaves the last of %d columns free, so that it never wraps",
  (width) => {
    expect(textWidth(renderProgressLine(progress, plain, width))).toBeLessThan(width);
  },
);
