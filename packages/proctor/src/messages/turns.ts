// One thing after the other for each name, so that what a sender sends arrives in the order in which it was sent.

/** Runs the work when all earlier work of the same name is over. */
export type InTurn = <T>(name: string, work: () => Promise<T>) => Promise<T>;

export function createTurns(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return (name, work) => {
    const before = last.get(name);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(name, mine);
    const leave = (): void => {
      if (last.get(name) === mine) last.delete(name);
    };
    mine.then(leave, leave);
    return mine;
  };
}
