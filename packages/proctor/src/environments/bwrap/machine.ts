// What of this machine the environments need: programs, the right to use them, and groups that limit.
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { findCgroups, type CgroupHome } from "./cgroup-home.ts";

const TOOLS = ["bwrap", "unshare", "nsenter", "mount", "sh", "tar", "find"] as const;
type ToolName = (typeof TOOLS)[number];

export interface Machine {
  /** Whether this process is root. */
  root: boolean;
  tools: Readonly<Record<ToolName, string>>;
  cgroups: CgroupHome;
}

const PLACES = ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin", "/usr/local/sbin"];

/** Variables of our own tools, which get none of the hub's and none of a task's. */
export const TOOL_ENV = { PATH: PLACES.join(":"), LC_ALL: "C" };

export function lookAtMachine(): { machine: Machine } | { missing: ToolName[] } {
  const found = TOOLS.map((name) => [name, findTool(name)] as const);
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => name);
  if (missing.length > 0) return { missing };
  const tools = Object.fromEntries(found) as Record<ToolName, string>;
  return { machine: { root: process.getuid?.() === 0, tools, cgroups: findCgroups() } };
}

function findTool(name: string): string | undefined {
  const places = [
    ...PLACES,
    ...(process.env["PATH"] ?? "").split(":").filter((place) => place.startsWith("/")),
  ];
  return places.map((place) => join(place, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
