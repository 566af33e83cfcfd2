// A signal that never aborts, for work that is never stopped. Any number of listeners may share this one.
import { setMaxListeners } from "node:events";

export const never: AbortSignal = new AbortController().signal;

setMaxListeners(0, never);
