// How often property tests try: enough on every commit to find a mistake that was just made, more where somebody looks for
// old ones. `PROPERTY_RUNS=1 npm test` tries as often as each test asks for, `PROPERTY_RUNS=10` ten times that.
const DEFAULT_SHARE = 0.1;
const LEAST = 20;

const share = Number(process.env["PROPERTY_RUNS"] ?? DEFAULT_SHARE);

/** Whether somebody looks for old mistakes: then everything is tried with everything. */
export const isThorough: boolean = share >= 1;

/** How many rounds of something costly, such as a kill of the hub, are worth their time on every commit. */
export function costlyRounds(wanted: number): number {
  return Math.max(1, Math.round(wanted * share));
}

export function propertyRuns(wanted: number): number {
  return Math.max(Math.min(LEAST, wanted), Math.round(wanted * share));
}
