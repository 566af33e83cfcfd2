// Addresses of the pages of agents.
import { pagePath, segment } from "../../api/address.ts";

export function agentHref(name: string): string {
  return pagePath(`agents/${segment(name)}`);
}
