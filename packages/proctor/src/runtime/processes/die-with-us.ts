// What must not outlive this process when it ends without having closed it, as a second Ctrl-C makes it.

const kills = new Set<() => void>();

/** Calls `kill` when this process exits; it must not wait for anything. Returns how to take that back. */
export function dieWithUs(kill: () => void): () => void {
  if (kills.size === 0) process.on("exit", killAll);
  kills.add(kill);
  return () => {
    kills.delete(kill);
    if (kills.size === 0) process.off("exit", killAll);
  };
}

function killAll(): void {
  for (const kill of kills) kill();
}
