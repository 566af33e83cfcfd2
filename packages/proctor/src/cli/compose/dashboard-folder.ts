// Where the build puts the hub's pages, seen from the built program and from a checkout.
import { fileURLToPath } from "node:url";

export function dashboardFolder(from = import.meta.url): string {
  return fileURLToPath(new URL(from.endsWith(".ts") ? "../../../dist/dashboard" : "../../dashboard", from));
}
