// Whether the window is as narrow as a phone: the same limit as in the styles.
import { signal } from "@preact/signals";

const media = matchMedia("(max-width: 760px)");
const narrow = signal(media.matches);
media.addEventListener("change", () => (narrow.value = media.matches));

export function useNarrow(): boolean {
  return narrow.value;
}
