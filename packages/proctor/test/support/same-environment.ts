// A test that puts an object in the place of `process.env` takes the real environment away from the files after it: Node's own code, such as
// `os.tmpdir()`, goes on reading that one, and no change of theirs reaches it. The file that does so fails.
const real = process.env;

export function refuseOtherEnvironment(): void {
  if (process.env === real) return;
  process.env = real;
  throw new Error("process.env was replaced: set and delete single variables, which other code sees, too");
}
