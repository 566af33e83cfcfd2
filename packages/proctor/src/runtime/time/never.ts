// A signal that never aborts, for work that nobody stops. All of them may listen to this one.
import { setMaxListeners } from "node:events";

export const never: AbortSignal = new AbortController().signal;

setMaxListeners(0, never);
