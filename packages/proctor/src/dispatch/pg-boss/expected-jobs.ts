// Which queues may have a job for this process. One that was found empty is not asked again until something is announced there; who owns
// the queue announces everything about once a second, in case a notice was lost.

export interface ExpectedJobs {
  /** Jobs may have come to these queues; to any where none are named. Only after the commit that brought them. */
  expect: (queues?: Iterable<string>) => void;
  /** False when everything that was announced for the queue has been found. */
  mayHave: (queue: string) => boolean;
  /** Call before asking a queue. The function that it returns notes that all jobs were found, after the commit that took them. */
  ask: (queue: string) => () => void;
}

export function createExpectedJobs(): ExpectedJobs {
  /** How many announcements there were for any queue, and for each. */
  let general = 0;
  const particular = new Map<string, number>();
  /** How many of them each queue was last found empty after. */
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
