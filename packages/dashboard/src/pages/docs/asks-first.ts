// Whether an operation takes something away, so that it is sent only after a confirmation.
import type { Operation } from "./reference.ts";

const ENDS = /[/:](?:cancel|revoke|rotate|release|end|stop|drain)$/;

export function asksFirst({ method, path, scope }: Operation): boolean {
  if (method === "DELETE") return true;
  return method !== "GET" && (scope === "admin" || ENDS.test(path));
}
