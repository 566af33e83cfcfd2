// From a request to an environment: a container is created, started, given its files and its network. Whatever fails on the way takes
// away what was made until then.
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EnvironmentFacts } from "../../core/environment.ts";
import { ProctorError } from "../../core/errors.ts";
import type { Environment } from "../../core/ports/environments.ts";
import { ownedName } from "../../runtime/files/owned-names.ts";
import type { Forward } from "../network/forward.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { applySnapshot } from "./apply-snapshot.ts";
import { openControl } from "./control.ts";
import { createContainer } from "./create-container.ts";
import { limitsOf } from "./create-options.ts";
import { reasonOf, type Engine } from "./engine.ts";
import { engineFiles } from "./engine-files.ts";
import { createEnvironment } from "./environment.ts";
import { startExec, type ExecPlace } from "./programs.ts";
import { insideFiles } from "./inside-files.ts";
import { joinNetwork } from "./join-network.ts";
import { ownPaths } from "./own-paths.ts";
import type { PreparedImage } from "./prepare-image.ts";
import { refuseIfEnded, refuseImpossible } from "./refuse.ts";
import { removeContainer } from "./remove-container.ts";
import { beginWith } from "../snapshot/begin-with.ts";
import { SYSTEM_AS_LEFT } from "../system/as-left.ts";
import { trackChanges } from "./track-changes.ts";

interface OpenRequest {
  engine: Engine;
  request: PreparedEnvironment;
  image: PreparedImage;
  stateDir: string;
}

/** Open containers by the facts of their environment, which stay the same object where the environment is wrapped. */
const open = new WeakMap<EnvironmentFacts, { container: string; ports: readonly number[] }>();

export async function openEnvironment({
  engine,
  request,
  image,
  stateDir,
}: OpenRequest): Promise<Environment> {
  const { options, signal, mounts = [], notes, readOnly = false } = request;
  const shared = sharedNetwork(request);
  refuseImpossible(engine, request);
  const workdir = options.workdir ?? image.workdir ?? request.workdir;
  const user = request.user ?? image.user ?? "0";
  const network = options.network ?? "none";
  signal.throwIfAborted();

  const created = await createContainer({
    engine,
    request,
    image: image.id,
    workdir,
    shared: shared?.container,
  });
  const { container, enforced, original } = created;
  const control = openControl(container);
  const spillDir = join(stateDir, ownedName(request.id));
  let forward: Forward | undefined;

  async function remove(): Promise<void> {
    control.close();
    await forward?.close();
    await removeContainer(engine, container.id);
    await created.removeOriginal();
    await rm(spillDir, { recursive: true, force: true });
  }

  try {
    signal.throwIfAborted();
    await container.start();
    void control.open();
    await mkdir(spillDir, { recursive: true, mode: 0o700 });
    const place: ExecPlace = { container, control, workdir, user: user === "root" ? "0" : user };
    const files = (start: Environment["start"]) => (readOnly ? insideFiles(start) : engineFiles(container));
    const isOwn = ownPaths([...mounts.map(({ target }) => target), ...image.volumes]);
    const beginning = beginWith(request);
    if (beginning)
      await applySnapshot({ container, start: (program) => startExec(place, program) }, beginning);
    for (const { source, target } of options.files ?? []) {
      signal.throwIfAborted();
      await files((program) => startExec(place, program)).copyIn(source, target);
    }
    const ports = (request.ports ?? []).filter((port) => shared?.ports.includes(port) !== true);
    forward = await joinNetwork({ engine, container, stateDir, request, ports });
    const tracker = await trackChanges({ container, original, isOwn });
    await refuseIfEnded(container, image.rootName);
    signal.throwIfAborted();

    const facts: EnvironmentFacts = {
      kind: "container",
      isolated: true,
      role: request.role,
      profile: request.profile,
      root: image.rootName,
      workdir,
      network,
      ...(network === "allow-list" && { allow_hosts: options.allow_hosts ?? [] }),
      limits: limitsOf(request),
      enforced,
      notes: [
        ...notes,
        ...(request.restoreSystem === true ? [SYSTEM_AS_LEFT] : []),
        ...image.volumes.map((path) => `${path} is a volume of the image: changes there are not seen`),
      ],
    };
    open.set(facts, { container: container.id, ports: [...(shared?.ports ?? []), ...ports] });
    return createEnvironment({
      container,
      facts,
      env: forward?.env ?? {},
      place,
      files,
      tracker,
      isOwn,
      spillDir,
      remove,
    });
  } catch (error) {
    await remove().catch(() => undefined);
    signal.throwIfAborted();
    if (ProctorError.is(error)) throw error;
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      `${engine.name} could not open a container of ${image.rootName}: ${reasonOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

function sharedNetwork({
  network,
}: PreparedEnvironment): { container: string; ports: readonly number[] } | undefined {
  if (network === undefined) return undefined;
  const shared = open.get(network.facts);
  if (!shared)
    throw refuse("a container can share the network of another container only", [
      "use the same environment for both",
    ]);
  return shared;
}
