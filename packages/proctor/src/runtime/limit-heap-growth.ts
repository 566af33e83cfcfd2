// How much memory a server trades for less work. V8 lets the heap grow to four times what lives in it before it looks for garbage on a machine
// with much memory: with very many streams open, most of what a hub then holds is garbage.
import { setFlagsFromString } from "node:v8";

/** Percent of the live heap by which the heap may grow. */
const GROWTH_PERCENT = 75;

/**
 * Limits growth from the next collection on, for the whole process; returns a function that undoes it. Meanwhile V8 takes no code that was compiled
 * without the flag, and no one else can use what it compiles: so it is called once a program has loaded its code, and undone before code is kept.
 */
export function limitHeapGrowth(): () => void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  return () => setFlagsFromString("--heap-growing-percent=0");
}
