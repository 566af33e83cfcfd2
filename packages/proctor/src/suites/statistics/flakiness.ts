// How much the runs of one case disagree with each other.

/**
 * The probability that two of the runs, drawn at random, have different outcomes: 2c(n-c) / n(n-1). Without bias for 2p(1-p);
 * E. H. Simpson, Measurement of Diversity, Nature 163 (1949). Fewer than two runs cannot disagree.
 */
export function flakiness(outcomes: readonly ("pass" | "fail")[]): number | undefined {
  const runs = outcomes.length;
  if (runs < 2) return undefined;
  const passed = outcomes.filter((outcome) => outcome === "pass").length;
  return (2 * passed * (runs - passed)) / (runs * (runs - 1));
}
