// Which queues may have a job for this process. One that was found empty is not asked again until something is announced there; who owns
// the queue announces everything about once a second, in case a notice was lost.

export interface ExpectedJobs {
  /** Reports that jobs may have come to these queues; to any where none are named. To be called only after the commit that brought them. */
  expect: (queues?: Iterable<string>) => void;
  /** Returns false when everything that was announced for the queue has been found. */
  mayHave: (queue: string) => boolean;
  /** To be called before asking a queue. Returns a function that notes that all jobs were found, for use after the commit that took them. */
  ask: (queue: string) => () => void;
}

export function createExpectedJobs(): ExpectedJobs {
  /** Number of announcements for any queue, and for each. */
  let general = 0;
  const particular = new Map<string, number>();
  /** Number of announcements after which each queue was last found empty. */
  const emptied = new Map<string, number>();
  const announced = (queue: string): number => general + (particular.get(queue) ?? 0);
  return {
    expect(queues) {
      if (queues === undefined) general += 1;
      else for (const queue of queues) particular.set(queue, (particular.get(queue) ?? 0) + 1);
    },
    mayHave: (queue) => emptied.get(queue) !== announced(queue),
    ask(queue) {
      const before = announced(queue);
      return () => void emptied.set(queue, before);
    },
  };
}
