// The garbage collector, for tests of what is kept and what is let go.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

export function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}
