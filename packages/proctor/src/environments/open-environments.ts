// Chooses an environment for what is asked, builds what it needs, and refuses what this machine cannot give. It never gives less: no
// weaker kind, no wider network, no fewer users.
import { totalmem } from "node:os";
import {
  DEFAULT_LIMITS,
  type EnvironmentKind,
  type EnvironmentOptions,
  type NetworkMode,
  type Profile,
} from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import type {
  Environment,
  EnvironmentReport,
  Environments,
  OpenEnvironment,
} from "../core/ports/environments.ts";
import type { BuiltImage } from "./build/build-image.ts";
import { buildOnce, type BuildImage } from "./build-once.ts";
import { createMemoryRoom, type MemoryRoom } from "./memory-room.ts";
import type { PreparedEnvironment, Provider } from "./provider.ts";
import { refuse, refuseUnlessOffered } from "./refuse.ts";
import { NETWORK_VARIABLE } from "./toolchain/inside.ts";
import type { Toolchain } from "./toolchain/toolchain.ts";
import { DEFAULT_PATH } from "./default-path.ts";

export interface EnvironmentsOptions {
  /** Kinds of environments, the strongest first, each with a function that loads its provider when needed. */
  providers: readonly (readonly [EnvironmentKind, () => Promise<Provider>])[];
  /** Whether a request may name the kind `local`. */
  unsafeLocal: boolean;
  /** The directory that is the root where a request names none. */
  root?: string;
  /** Network of RUN steps in builds. */
  buildNetwork: "none" | "host";
  build: BuildImage;
  toolchain: () => Promise<Toolchain>;
  /** Memory of this machine in bytes; it is looked up when absent. */
  memoryBytes?: number;
}

/** The directory that commands start in by default, as in the examples of document 002. */
const WORKDIR = "/app";
const BUILD_SECONDS = 600;

export function openEnvironments(hub: EnvironmentsOptions): Environments {
  const { providers, unsafeLocal } = hub;
  const open = new Map<string, Environment>();
  const memoryBytes = hub.memoryBytes ?? machineMemory();
  const room = createMemoryRoom(Math.floor(memoryBytes * FILES_SHARE));
  const build = buildOnce(hub.build);
  const known = new Map<EnvironmentKind, Promise<Offer>>();

  function look(kind: EnvironmentKind): Promise<Offer> {
    const offer = known.get(kind) ?? probe(providers.find(([name]) => name === kind)?.[1]);
    known.set(kind, offer);
    return offer;
  }

  const offers = (): Promise<readonly Offer[]> => Promise.all(providers.map(([kind]) => look(kind)));

  async function choose({ kind, image }: EnvironmentOptions): Promise<Offer> {
    if (kind !== undefined) return named(kind);
    // Only a container engine has images.
    const isolated = providers.flatMap(([name]) => (name === "local" ? [] : [name]));
    const wanted = image === undefined ? isolated : isolated.filter((name) => name === "container");
    const advice: string[] = [];
    for (const name of wanted) {
      const offer = await look(name);
      if (offer.report.available) return offer;
      advice.push(...offer.report.advice);
    }
    throw refuse(
      image === undefined
        ? "this machine has no isolated environment"
        : `the image ${image} needs a container engine, and there is none here`,
      [...advice, "or run it on this machine itself, unprotected: --unsafe-local"],
    );
  }

  async function named(kind: EnvironmentKind): Promise<Offer> {
    if (kind === "local" && !unsafeLocal) {
      throw refuse("a local environment has no isolation, and this hub does not allow it", [
        "allow it with --unsafe-local, if what runs there may do anything to this machine",
      ]);
    }
    const offer = await look(kind);
    if (offer.report.available) return offer;
    throw refuse(`${kind} is not available here: ${offer.report.detail}`, offer.report.advice);
  }

  async function image(offer: Offer, request: OpenEnvironment): Promise<BuiltImage | undefined> {
    const { build: dir, root = hub.root, build_timeout_seconds: limit = BUILD_SECONDS } = request.options;
    if (dir === undefined || offer.report.kind !== "bwrap") return undefined;
    return build({
      dir,
      open: (prepared) => offer.provider.open(prepared),
      network: hub.buildNetwork,
      timeoutMs: limit * 1000,
      signal: request.signal,
      ...(root !== undefined && { root }),
    });
  }

  async function prepare(offer: Offer, request: OpenEnvironment): Promise<PreparedEnvironment> {
    const { options } = request;
    const built = await image(offer, request);
    const wantsTools = request.toolchain === true || options.toolchain === true;
    const toolchain = wantsTools ? await hub.toolchain() : undefined;
    const { profile, notes } = profileOf(offer.report, options, built);
    // Only bwrap takes a directory as its root.
    const root = options.root ?? (offer.report.kind === "bwrap" ? hub.root : undefined);
    const user = options.user ?? built?.user;
    const env = { ...built?.env, ...options.env };
    const network = networkOf(offer.report, options);
    return {
      ...request,
      options: {
        ...options,
        limits: { ...DEFAULT_LIMITS, ...options.limits },
        network,
        ...(root !== undefined && { root }),
      },
      mounts: [...(request.mounts ?? []), ...(toolchain?.mounts ?? [])],
      profile,
      layers: built?.layers ?? [],
      workdir: options.workdir ?? built?.workdir ?? WORKDIR,
      ...(user !== undefined && { user }),
      env: toolchain ? withToolchain(env, toolchain, network) : env,
      rootName: built ? `build:${built.hash.slice(0, 12)}` : (options.image ?? root ?? "host"),
      notes: [...(built?.notes ?? []), ...(toolchain?.notes ?? []), ...notes],
      ...(options.image !== undefined && { image: options.image }),
    };
  }

  return {
    probe: async () => (await offers()).map(({ report }) => report),
    async open(request) {
      const offer = await choose(request.options);
      refuseUnlessOffered(offer.report, request.options, memoryBytes);
      // Leftovers of a crash are removed before anything is created; a failure to do so is not a reason to refuse.
      await (offer.swept ??= offer.provider.sweep().catch(() => undefined));
      const prepared = withinRoom(await prepare(offer, request), offer.report, room.bytes);
      request.signal.throwIfAborted();
      const giveBack = await takeRoom(prepared, offer.report, room);
      const environment = await offer.provider.open(prepared).catch((error: unknown) => {
        giveBack();
        throw error;
      });
      const { id } = request;
      const own: Environment = {
        ...environment,
        ...(request.redact && { redact: request.redact }),
        async destroy() {
          if (open.get(id) === own) open.delete(id);
          await environment.destroy().finally(giveBack);
        },
      };
      open.set(id, own);
      return own;
    },
    find: (id) => open.get(id),
    async sweep() {
      for (const { provider, report } of await offers()) if (report.available) await provider.sweep();
    },
    async close() {
      await Promise.all([...open.values()].map((environment) => environment.destroy()));
    },
  };
}

/** The share of the machine's memory that files of terminals may take; the rest is for processes. */
const FILES_SHARE = 0.8;
const MB = 1024 * 1024;

/** Returns the bytes of memory; a hub in a container may have less than its machine. */
function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Lowers a disk limit that the memory of the machine cannot hold. */
function withinRoom(
  prepared: PreparedEnvironment,
  { kind }: EnvironmentReport,
  bytes: number,
): PreparedEnvironment {
  const { limits = {} } = prepared.options;
  const most = Math.floor(bytes / MB);
  if (kind !== "bwrap" || (limits.disk_mb ?? 0) <= most) return prepared;
  const note = `${limits.disk_mb} MB of disk are asked for, and the memory of this machine holds ${most}: that is the limit`;
  const options = { ...prepared.options, limits: { ...limits, disk_mb: most } };
  return { ...prepared, options, notes: [...prepared.notes, note] };
}

/** Takes memory for the files. Verifiers do not wait, because the terminals that stay open for them would wait for each other. */
async function takeRoom(
  { role, options, signal }: PreparedEnvironment,
  { kind }: EnvironmentReport,
  room: MemoryRoom,
): Promise<() => void> {
  if (kind !== "bwrap" || role !== "terminal") return () => undefined;
  return room.take((options.limits?.disk_mb ?? 0) * MB, signal);
}

/** Returns the network: by default that of the machine for a local environment. */
function networkOf({ kind }: EnvironmentReport, { network }: EnvironmentOptions): NetworkMode {
  return network ?? (kind === "local" ? "host" : "none");
}

interface Offer {
  provider: Provider;
  report: EnvironmentReport;
  swept?: Promise<void>;
}

async function probe(load: (() => Promise<Provider>) | undefined): Promise<Offer> {
  if (!load) throw new Error("there is no such environment");
  const provider = await load();
  return { provider, report: await provider.probe() };
}

/** Returns the profile; an image that creates users, or gives files to them, needs multi-user. */
function profileOf(
  report: EnvironmentReport,
  options: EnvironmentOptions,
  built: BuiltImage | undefined,
): { profile: Profile; notes: readonly string[] } {
  const needsUsers = built?.needsUsers === true || (built?.user ?? options.user ?? "root") !== "root";
  const { profile: asked = "strict" } = options;
  if (asked === "auto" && !needsUsers && !report.profiles.includes("multi-user")) {
    return { profile: "strict", notes: report.kind === "local" ? [] : [ONE_USER] };
  }
  const profile = asked === "auto" || (needsUsers && options.profile === undefined) ? "multi-user" : asked;
  if (needsUsers && profile === "strict") {
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      "what is built needs several users, and the profile strict has one\nuse the profile multi-user",
    );
  }
  if (!report.profiles.includes(profile)) {
    throw refuse(`${report.kind} has no profile ${profile} here`, [
      "multi-user needs a hub that runs as root",
    ]);
  }
  return { profile, notes: [] };
}

const ONE_USER =
  "the profile is strict, which has one user: useradd, su, chown to others and packages that need them fail; multi-user needs a hub that runs as root";

function withToolchain(
  env: Readonly<Record<string, string>>,
  toolchain: Toolchain,
  network: NetworkMode,
): Record<string, string> {
  const path = [...toolchain.path, env["PATH"] ?? DEFAULT_PATH].join(":");
  const isOnline = network === "host" || network === "allow-list";
  return { ...env, ...toolchain.env, ...(isOnline && { [NETWORK_VARIABLE]: network }), PATH: path };
}
