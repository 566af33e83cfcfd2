// What the file system of an environment is made of: layers that were built, and this machine's own root or a given one below them.
import { relative } from "node:path";
import type { EnvironmentLimits } from "../../core/environment.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { refuseLinks, type RootPlan } from "./environment-dir.ts";
import type { HostLayers } from "./host-layers.ts";
import { memoryOptions } from "./limits.ts";
import type { Machine } from "./machine.ts";

export interface RootDeps {
  machine: Machine;
  stateDir: string;
  layers: HostLayers;
}

export async function planRoot(
  deps: RootDeps,
  request: PreparedEnvironment,
  limits: EnvironmentLimits,
  withNetwork: boolean,
): Promise<RootPlan> {
  const { machine, layers, stateDir } = deps;
  const root = request.options.root ?? "/";
  const over =
    root === "/"
      ? await layers.overHost(withNetwork)
      : { lower: [root, await layers.underRoot(withNetwork)], shown: [] };
  const lower = [...request.layers, ...over.lower];
  const ownTmp = request.readOnly === true;
  refuseLinks(root === "/" ? request.layers : [...request.layers, root], ownTmp);
  const devices = await layers.devices();
  const others = [stateDir, ...request.layers, ...(request.upper === undefined ? [] : [request.upper])];
  return {
    lower,
    shown: over.shown,
    ...(lower.includes(root) && others.some((path) => isWithin(root, path)) && { outermost: root }),
    ...(request.upper !== undefined && { upper: request.upper }),
    ...(devices !== undefined && { devices }),
    memoryOptions: memoryOptions(limits, request.restore !== undefined || request.over !== undefined),
    ownTmp,
    userAttributes: !machine.root,
  };
}

function isWithin(dir: string, path: string): boolean {
  const way = relative(dir, path);
  return way === "" || !(way === ".." || way.startsWith("../"));
}
