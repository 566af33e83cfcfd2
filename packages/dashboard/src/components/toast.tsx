// One short message in a corner, read aloud, gone after a while.
import { signal } from "@preact/signals";

const SHOWN_MS = 6000;

const message = signal<string | undefined>(undefined);
let timer: ReturnType<typeof setTimeout> | undefined;

export function tell(text: string): void {
  message.value = text;
  clearTimeout(timer);
  timer = setTimeout(() => (message.value = undefined), SHOWN_MS);
}

export function Toast() {
  return (
    <div role="status" aria-live="polite">
      {message.value !== undefined && <div class="toast said">{message.value}</div>}
    </div>
  );
}
