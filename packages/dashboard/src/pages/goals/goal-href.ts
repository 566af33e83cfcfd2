// Addresses of the pages of goals.
import { pagePath, segment, type Query } from "../../api/address.ts";

export function goalHref(id: string, query: Query = {}): string {
  return pagePath(`goals/${segment(id)}`, query);
}

export function goalDiffHref(id: string, other: string): string {
  return pagePath(`goals/${segment(id)}/diff/${segment(other)}`);
}
