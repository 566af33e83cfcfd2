// Where a container engine may be listening, in the order in which it is looked for.

export interface EngineAddress {
  /** Address in messages: a path, or the value of DOCKER_HOST. */
  name: string;
  /** Path of the socket; absent for an engine over tcp or ssh, for which the client library reads DOCKER_HOST. */
  socketPath?: string;
}

export function engineAddresses(env: Readonly<Record<string, string | undefined>>): EngineAddress[] {
  const named = env["DOCKER_HOST"]?.trim();
  // An engine that the user names is never replaced by another one.
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
