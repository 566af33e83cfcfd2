// Runs work one after the other for each key; different keys do not wait for each other.

export type Serial = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serial {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
