// Lets a support module close what it opened for a test. A hook at the top of a module would belong to the file that loads the
// module first, and files that share a worker load it once; set-up.ts runs for every file and calls what is registered here.
type Close = () => unknown;

const closesOfTests: Close[] = [];
const closesOfFiles: Close[] = [];

/** Calls `close` after each test of every file; it must find nothing to do in files that opened nothing. */
export function afterEveryTest(close: Close): void {
  closesOfTests.push(close);
}

/** Calls `close` at the end of every file. */
export function afterEveryFile(close: Close): void {
  closesOfFiles.push(close);
}

export async function closeTest(): Promise<void> {
  for (const close of closesOfTests) await close();
}

export async function closeFile(): Promise<void> {
  for (const close of closesOfFiles) await close();
}
