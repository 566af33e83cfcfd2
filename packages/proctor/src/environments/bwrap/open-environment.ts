// From a request to an environment: layers are chosen, a keeper holds them together, files are put in their place. Whatever fails on the
// way takes away what was made until then.
import { messageOf } from "../../core/message-of.ts";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { EnvironmentFacts } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { ownedName } from "../../runtime/files/owned-names.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { beginWith } from "../snapshot/begin-with.ts";
import { createCgroup, type Cgroup } from "./cgroup.ts";
import { makeEnvironmentDir, makePlace, planMounts } from "./environment-dir.ts";
import { createEnvironment } from "./environment.ts";
import { fillDirectly } from "./fill-directly.ts";
import { insideFiles } from "./inside-files.ts";
import { openKeeper, type Keeper } from "./keeper.ts";
import { enforce } from "./limits.ts";
import { balanceMemory } from "./memory-balance.ts";
import { forwardTo, rememberNetwork, sharedNetwork } from "./network.ts";
import { planRoot, type RootDeps } from "./plan-root.ts";
import { createLauncher } from "./programs.ts";
import { clearWay, removeInside } from "./change-inside.ts";
import { applySnapshot } from "./apply-snapshot.ts";
import { isFull, rememberFiles, stillFiles } from "./open-files.ts";
import { limitsOf, refuseImpossible } from "./refuse.ts";
import { restoreSystem } from "./restore-system.ts";
import { createUpperReader, type UpperListing } from "./upper-reader.ts";
import { DEFAULT_PATH } from "../default-path.ts";

export interface OpenDeps extends RootDeps {
  /** Directory that contains the directories of open environments. */
  liveDir: string;
  /** Path of a file with a filter of system calls; undefined where there is none. */
  filter: string | undefined;
}

const MB = 1024 * 1024;

export async function openEnvironment(deps: OpenDeps, request: PreparedEnvironment): Promise<Environment> {
  const { machine, liveDir, stateDir, filter } = deps;
  const { id, profile, options, signal, mounts = [], readOnly = false, upper } = request;
  signal.throwIfAborted();
  refuseImpossible(machine, request);
  const limits = limitsOf(options.limits);
  const shared = sharedNetwork(request);
  const mode = shared?.mode ?? options.network ?? "none";
  const network = mode === "host" ? "host" : shared === undefined ? "own" : "shared";
  let restored: readonly string[] = [];
  const undo: (() => unknown)[] = [];
  const settled: (() => void)[] = [];
  /** Undoes all steps in reverse order; a step that fails does not stop the others. */
  async function undoAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const step of undo.splice(0).toReversed()) {
      try {
        await step();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Called when the initial files are in place and nothing runs yet. `base` shows the root without them. */
  async function settle(root: string, listing: UpperListing, base: string): Promise<void> {
    for (const path of request.without ?? []) removeInside(root, path);
    for (const { target } of mounts) clearWay(root, target);
    if (request.restoreSystem !== true) return;
    const path = request.env["PATH"]?.split(":") ?? [];
    restored = await restoreSystem({ root, base, listing, path, workdir: request.workdir });
  }

  try {
    const asked = await planRoot(deps, request, limits, mode === "host");
    const still = await stillFiles(machine, request, asked);
    const beginning = still ? undefined : beginWith(request);
    const plan = still ? { ...asked, lower: [still.files.upper, ...asked.lower] } : asked;
    signal.throwIfAborted();
    mkdirSync(liveDir, { recursive: true, mode: 0o700 });
    const dir = makeEnvironmentDir(join(liveDir, ownedName(id)), plan);
    undo.push(() => dir.remove());
    const opening = openKeeper({
      machine,
      dir: dir.path,
      profile,
      network: mode === "host" ? "host" : shared === undefined ? "own" : { of: shared.keeper },
      ...(still && { beside: still.files.keeper }),
      ...((mounts.length > 0 || still) && {
        moreMounts: async (root: string) => {
          if (still) await settle(root, still.listing, still.files.reader.base);
          planMounts(dir.path, root, mounts);
        },
      }),
      signal,
    });
    // This happens while the keeper starts.
    const remember = (groups: readonly string[]): void => dir.rememberGroups(groups);
    const cgroup = await withCgroup(() => createCgroup(machine.cgroups, id, limits, remember), opening);
    undo.push(() => cgroup.remove());
    const keeper = await opening;
    undo.push(() => keeper.kill());
    // Whatever is under way inside ends with the keeper, and the abort is reported below.
    const onAbort = (): void => void keeper.kill();
    signal.addEventListener("abort", onAbort, { once: true });
    settled.push(() => signal.removeEventListener("abort", onAbort));
    const root = `/proc/${keeper.outer}/root${dir.path}/m`;
    const made = makePlace(root, request.workdir);

    const { rlimits, enforced, notes } = enforce(machine, limits, cgroup, upper !== undefined);
    const devices = plan.devices !== undefined;
    const { entrances } = cgroup;
    const launcher = createLauncher({
      machine,
      keeper,
      dir: dir.path,
      profile,
      network,
      devices,
      filter,
      entrances,
      rlimits,
    });
    undo.push(() => launcher.idle());
    // Everything that is still awaited ends with the keeper.
    undo.push(() => void keeper.kill());
    if (cgroup.setMemory && limits.memory_mb !== undefined && upper === undefined) {
      const files = `/proc/${keeper.outer}/root${dir.path}/q`;
      undo.push(balanceMemory({ files, memoryBytes: limits.memory_mb * MB, setMemory: cgroup.setMemory }));
    }
    const setUp = (command: readonly string[]) =>
      launcher.start({ command, env: SETUP_ENV, cwd: "/", readOnly: false });
    const files = insideFiles(setUp);
    const reader = createUpperReader(machine, keeper, dir);

    if (beginning) {
      await applySnapshot(setUp, beginning, profile);
      await settle(root, await reader.list(), reader.base);
    }
    // The directory may be reached by a link, whose target is only known inside.
    if (
      !makePlace(root, request.workdir) &&
      (await ended(setUp(["mkdir", "-p", "--", request.workdir]))) !== 0
    ) {
      if (!(beginning ?? still))
        throw new ProctorError(
          "ENVIRONMENT_UNAVAILABLE",
          `${request.workdir} cannot be made in the environment`,
        );
      // The agent may have removed the working directory, and the tests must still run.
      clearWay(root, request.workdir, true);
    }
    for (const { source, target } of options.files ?? []) {
      signal.throwIfAborted();
      if (!(machine.root && fillDirectly(root, source, target))) await files.copyIn(source, target);
    }
    const isFilled = beginning !== undefined || (options.files ?? []).length > 0 || !made;
    const { network: joined, forward } = await forwardTo({ keeper, stateDir, request, mode, shared });
    if (forward) undo.push(() => forward.close());
    const first = isFilled && request.untracked !== true ? await reader.list() : undefined;
    signal.throwIfAborted();

    const facts: EnvironmentFacts = {
      kind: "bwrap",
      isolated: true,
      role: request.role,
      profile,
      root: request.rootName,
      workdir: request.workdir,
      network: mode,
      ...(mode === "allow-list" && { allow_hosts: options.allow_hosts ?? [] }),
      limits,
      enforced,
      notes: [
        ...request.notes,
        ...notes,
        ...(plan.shown.length > 0 ? [UNCHANGEABLE] : []),
        ...(isFull(request.over) ? [`the agent had used up its disk (disk_mb: ${limits.disk_mb})`] : []),
      ],
      ...(restored.length > 0 && { restored: [...restored] }),
    };
    rememberNetwork(facts, joined);
    const disk = `/proc/${keeper.outer}/root${dir.path}/q`;
    if (!still)
      rememberFiles(facts, { keeper, reader, lower: plan.lower, upper: `${dir.path}/${dir.upper}`, disk });
    return createEnvironment({
      facts,
      launcher,
      files,
      reader,
      beginning: first,
      untracked: request.untracked === true,
      isPartial: still !== undefined,
      mountPoints: new Set(mounts.map(({ target }) => target.replace(/\/+$/, ""))),
      own: withParents([request.workdir, ...mounts.map(({ target }) => target)]),
      env: { ...request.env, ...joined.env },
      user: request.user,
      readOnly,
      spillDir: dir.path,
      destroy: undoAll,
    });
  } catch (error) {
    await undoAll().catch(() => undefined);
    signal.throwIfAborted();
    if (ProctorError.is(error)) throw error;
    const reason = messageOf(error);
    throw new ProctorError("ENVIRONMENT_UNAVAILABLE", `the environment could not be made: ${reason}`, {
      cause: error,
    });
  } finally {
    for (const settle of settled) settle();
  }
}

const UNCHANGEABLE = "the system's own directories cannot be changed: the hub is not root";

const SETUP_ENV = { PATH: DEFAULT_PATH, LC_ALL: "C" };

/** Makes the groups; a failure must not leave the keeper running. */
async function withCgroup(make: () => Cgroup, opening: Promise<Keeper>): Promise<Cgroup> {
  try {
    return make();
  } catch (error) {
    await opening.then((keeper) => keeper.kill()).catch(() => undefined);
    throw error;
  }
}

async function ended(program: ReturnType<Environment["start"]>): Promise<number> {
  program.stdin.end();
  program.stdout.resume();
  program.stderr.resume();
  return (await program.exited).code;
}

function withParents(paths: readonly string[]): ReadonlySet<string> {
  return new Set(
    paths.flatMap((path) => {
      const parts = path.split("/").filter((part) => part !== "");
      return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
    }),
  );
}
