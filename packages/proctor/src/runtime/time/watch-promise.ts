// Asks repeatedly whether a promise has settled, for waits that may take days and report something meanwhile.

/**
 * Returns a function that resolves with whether the promise settles within the given milliseconds. The promise is listened to once, however
 * often it is asked about. The answer never rejects.
 */
export function watchPromise(promise: Promise<unknown>): (ms: number) => Promise<boolean> {
  let settled = false;
  let wake = (): void => undefined;
  const settle = (): void => {
    settled = true;
    wake();
  };
  promise.then(settle, settle);
  return (ms) =>
    new Promise((resolve) => {
      if (settled) return resolve(true);
      const timer = setTimeout(resolve, ms, false);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
}
