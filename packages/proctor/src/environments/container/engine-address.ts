// Where a container engine may be listening, in the order in which it is looked for.

export interface EngineAddress {
  /** The address for people: a path, or what DOCKER_HOST says. */
  name: string;
  /** Absent for an engine that is reached otherwise (tcp, ssh): DOCKER_HOST is then left to the client library. */
  socketPath?: string;
}

export function engineAddresses(env: Readonly<Record<string, string | undefined>>): EngineAddress[] {
  const named = env["DOCKER_HOST"]?.trim();
  // Whoever names an engine means that one: another is never taken instead.
  if (named) return [named.startsWith("unix://") ? socket(named.slice("unix://".length)) : { name: named }];
  const runtime = env["XDG_RUNTIME_DIR"];
  return [
    socket("/var/run/docker.sock"),
    ...(runtime ? [socket(`${runtime}/podman/podman.sock`)] : []),
    socket("/run/podman/podman.sock"),
  ];
}

function socket(path: string): EngineAddress {
  return { name: path, socketPath: path };
}
