// Kills what must not outlive this process when it exits without closing it, as after a second Ctrl-C.

const kills = new Set<() => void>();

/** Calls `kill` when this process exits; `kill` must not wait for anything. Returns a function that cancels this. */
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
