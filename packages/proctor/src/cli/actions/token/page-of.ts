// The page that --limit and --cursor ask for.
import type { PageRequest } from "../../../core/page.ts";

export function pageOf({ limit, cursor }: { limit?: number; cursor?: string }): PageRequest {
  return { ...(limit !== undefined && { limit }), ...(cursor !== undefined && { cursor }) };
}
