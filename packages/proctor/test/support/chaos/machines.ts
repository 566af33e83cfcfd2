// Machines on one: network namespaces that are joined by links of their own, which a test can cut. Nothing outside of them gets an address.
import { execFileSync } from "node:child_process";

export interface Machine {
  /** How `ip netns exec` names it. */
  name: string;
  /** Its address, and that of the first machine on the link between the two. */
  address: string;
  first: string;
  /** Nothing arrives any more in either direction, and nobody is told. */
  cut: () => void;
  join: () => void;
}

export interface Machines {
  /** The one that all others are linked to. */
  first: string;
  others: Machine[];
  close: () => void;
}

/** Undefined, with a line that says why, where this user may make none. */
export function openMachines(others: number): Machines | undefined {
  const prefix = `prt${process.pid}`;
  const names: string[] = [];
  const close = (): void => {
    // The links go with their namespaces.
    for (const name of names.splice(0)) ip("netns", "del", name);
  };
  const add = (name: string): string => {
    ip("netns", "add", name);
    names.push(name);
    ip("-n", name, "link", "set", "lo", "up");
    return name;
  };
  try {
    const first = add(`${prefix}-0`);
    const machines = Array.from({ length: others }, (_, index): Machine => {
      const name = add(`${prefix}-${index + 1}`);
      const [here, there] = [`10.213.${index + 1}.1`, `10.213.${index + 1}.2`];
      const [near, far] = [`to${index + 1}`, "to0"];
      ip("-n", first, "link", "add", near, "type", "veth", "peer", "name", far, "netns", name);
      ip("-n", first, "addr", "add", `${here}/30`, "dev", near);
      ip("-n", name, "addr", "add", `${there}/30`, "dev", far);
      ip("-n", first, "link", "set", near, "up");
      ip("-n", name, "link", "set", far, "up");
      return {
        name,
        address: there,
        first: here,
        cut: () => ip("-n", first, "link", "set", near, "down"),
        join: () => ip("-n", first, "link", "set", near, "up"),
      };
    });
    return { first, others: machines, close };
  } catch (error) {
    close();
    const [reason] = String(error instanceof Error ? error.message : error).split("\n");
    console.log(`skipped: machines: network namespaces cannot be made here: ${reason}`);
    return undefined;
  }
}

function ip(...args: readonly string[]): void {
  execFileSync("ip", args, { stdio: "pipe" });
}
