// Addresses of the pages of evaluations.
import { pagePath, segment, type Query } from "../../api/address.ts";

export function evaluationHref(id: string, query: Query = {}): string {
  return pagePath(`evaluations/${segment(id)}`, query);
}

export function caseHref(evaluation: string, id: string, query: Query = {}): string {
  return pagePath(`evaluations/${segment(evaluation)}/cases/${segment(id)}`, query);
}

/** Returns the address of the comparison of `before` with `after`, in the API's order. */
export function comparisonHref(before: string, after: string, query: Query = {}): string {
  return pagePath(`evaluations/${segment(before)}/compare/${segment(after)}`, query);
}
