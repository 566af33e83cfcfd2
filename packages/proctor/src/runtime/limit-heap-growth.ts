// How much memory a server trades for less work. V8 lets the heap grow to four times what lives in it before it looks for garbage on a machine
// with much memory: with very many streams open, most of what a hub then holds is garbage.
import { setFlagsFromString } from "node:v8";

/** Percent of what lives in the heap that may come on top of it. */
const GROWTH_PERCENT = 75;

/**
 * From the next collection on, for the whole process; returns what takes it back. Meanwhile V8 takes no code that was compiled without the flag, and
 * what it compiles is for nobody else: so it is called when a program has loaded what it needs, and taken back before code is kept.
 */
export function limitHeapGrowth(): () => void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  return () => setFlagsFromString("--heap-growing-percent=0");
}
