// How many runs a test needs to decide about a rate, if the runs to come pass as often as those seen.
import { MAX_COUNT } from "./argument-rules.ts";
import type { RateTest } from "./rate-test.ts";

/**
 * About how many more; undefined when that is more than a million, or when nothing was seen. About, because outcomes are
 * whole numbers: their share goes up and down around the rate as they are added.
 */
export function runsToProof(
  test: RateTest,
  rate: number,
  passed: number,
  failed: number,
): number | undefined {
  const from = passed + failed;
  const seen = passed / (passed + failed);
  const [share, bound] = seen > rate ? [seen, rate] : [1 - seen, 1 - rate];
  const decides = (more: number): boolean => {
    const runs = from + more;
    // Rounded against a decision, so that one lucky outcome does not make it look near.
    const hits = Math.floor(runs * share + 1e-9);
    return test.proves(bound, hits, runs - hits);
  };
  const most = MAX_COUNT - from;
  if (Number.isNaN(seen) || most < 1 || !decides(most)) return undefined;
  let enough = 1;
  while (enough < most && !decides(enough)) enough *= 2;
  enough = Math.min(enough, most);
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((enough + tooFew) / 2);
    if (decides(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}
