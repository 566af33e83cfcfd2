// Whether the page is being put on paper.
import { signal } from "@preact/signals";

const media = matchMedia("print");
const printing = signal(media.matches);
media.addEventListener("change", () => (printing.value = media.matches));

export function usePrinting(): boolean {
  return printing.value;
}
