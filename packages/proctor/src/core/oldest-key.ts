// Finds the key that a map has held longest. A new walk through a map passes the places of all deleted entries: where the oldest goes each
// time something comes, that is thousands of places for one entry.

/** Returns the oldest key at each call, or undefined when there is none. The caller deletes it before it asks again. */
export function createOldestKey<Key>(entries: ReadonlyMap<Key, unknown>): () => Key | undefined {
  let walk = entries.keys();
  return () => {
    let step = walk.next();
    // A walk that has come to an end sees nothing of what comes later.
    if (step.done === true) step = (walk = entries.keys()).next();
    return step.done === true ? undefined : step.value;
  };
}
