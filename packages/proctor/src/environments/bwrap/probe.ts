// What this machine can do with bubblewrap, found out by doing it once.
import { messageOf } from "../../core/message-of.ts";
import { execFile } from "node:child_process";
import type { Environment, EnvironmentReport } from "../../core/ports/environments.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { lookAtMachine, TOOL_ENV, type Machine } from "./machine.ts";

const TRIAL_MS = 20_000;
const OLDEST = [0, 5, 0];

export async function probe(
  open: (request: PreparedEnvironment) => Promise<Environment>,
): Promise<EnvironmentReport> {
  if (process.platform !== "linux") return unavailable("bubblewrap is for Linux", []);
  const looked = lookAtMachine();
  if ("missing" in looked)
    return unavailable(`not found: ${looked.missing.join(", ")}`, [
      "apt-get install bubblewrap util-linux tar findutils",
    ]);
  const { machine } = looked;
  const version = await versionOf(machine);
  if (isOlder(version))
    return unavailable(`bubblewrap ${version} is older than ${OLDEST.join(".")}`, [
      "install a newer bubblewrap",
    ]);
  const failure = await tryOnce(open);
  if (failure !== undefined) return unavailable(`bubblewrap ${version}: ${failure}`, adviceFor(machine));
  const { memory, pids, cpu } = machine.cgroups;
  const limits = [
    "memory_mb",
    ...(pids !== undefined || !machine.root ? ["processes"] : []),
    "disk_mb",
    ...(cpu === undefined ? [] : ["cpus"]),
    "output_mb",
  ];
  const groups = [
    ...new Set([memory, pids, cpu].flatMap((one) => (one === undefined ? [] : [`version ${one.version}`]))),
  ];
  const details = [
    `bubblewrap ${version}`,
    machine.root
      ? "as root"
      : "as an ordinary user: files of root can be read and not changed, unless the root directory is your own",
    groups.length > 0
      ? `cgroups ${groups.join(" and ")}`
      : "no cgroups: memory is limited for each process by itself",
  ];
  return {
    kind: "bwrap",
    available: true,
    detail: details.join("; "),
    advice:
      machine.root || groups.length > 0
        ? []
        : [
            "run the hub in a delegated cgroup (systemd-run --user --scope -p Delegate=yes) for limits of memory and cpus",
          ],
    profiles: machine.root ? ["strict", "multi-user"] : ["strict"],
    networks: ["none", "loopback", "allow-list", "host"],
    limits,
  };
}

function unavailable(detail: string, advice: string[]): EnvironmentReport {
  return { kind: "bwrap", available: false, detail, advice, profiles: [], networks: [], limits: [] };
}

function versionOf({ tools }: Machine): Promise<string> {
  return new Promise((resolve) => {
    execFile(tools.bwrap, ["--version"], { env: TOOL_ENV, timeout: TRIAL_MS }, (_error, stdout) => {
      resolve(/\d+(\.\d+)+/.exec(stdout)?.[0] ?? "of an unknown version");
    });
  });
}

function isOlder(version: string): boolean {
  const numbers = version.split(".").map(Number);
  for (const [index, oldest] of OLDEST.entries()) {
    const number = numbers[index] ?? 0;
    if (number !== oldest) return number < oldest;
  }
  return false;
}

/** Resolves with the reason of a failure; undefined when the attempt succeeded. */
async function tryOnce(
  open: (request: PreparedEnvironment) => Promise<Environment>,
): Promise<string | undefined> {
  let environment: Environment | undefined;
  try {
    environment = await open({
      id: `probe-${process.pid}-${Date.now().toString(36)}`,
      role: "terminal",
      options: {},
      signal: AbortSignal.timeout(TRIAL_MS),
      profile: "strict",
      layers: [],
      workdir: "/app",
      env: {},
      rootName: "host",
      notes: [],
    });
    const { code, stderr } = await environment.run({ command: ["true"], timeoutMs: TRIAL_MS });
    return code === 0 ? undefined : `a program could not be run: ${stderr.trim() || `exit code ${code}`}`;
  } catch (error) {
    return messageOf(error);
  } finally {
    await environment?.destroy().catch(() => undefined);
  }
}

function adviceFor({ root }: Machine): string[] {
  return root
    ? [
        "a container that runs the hub needs the right to mount: --privileged, or --cap-add SYS_ADMIN with an unconfined seccomp profile",
      ]
    : [
        "allow user name spaces: sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000",
        "on Ubuntu 24.04 and later also: sysctl kernel.apparmor_restrict_unprivileged_userns=0",
        "or run the hub as root",
      ];
}
