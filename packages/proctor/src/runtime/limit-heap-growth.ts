// How much memory a server trades for less work. V8 lets the heap grow to four times what lives in it before it looks for garbage on a machine
// with much memory: with very many streams open, most of what a hub then holds is garbage.
import { setFlagsFromString } from "node:v8";

/** Percent of what lives in the heap that may come on top of it. */
const GROWTH_PERCENT = 75;

/** From the next collection on, for the whole process. */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
