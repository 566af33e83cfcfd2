// The time that pages show, once a second while somebody looks.
import { signal } from "@preact/signals";

export const now = signal(Date.now());

setInterval(() => {
  if (document.visibilityState === "visible") now.value = Date.now();
}, 1000);
