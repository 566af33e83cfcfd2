// Keeps the current entry of a row of links in sight where the row is wider than the screen.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Returns a ref for the element that scrolls, which is scrolled, and nothing else, when `current` changes. */
export function useShownCurrent(current: string): RefObject<HTMLElement | null> {
  const row = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const entry = row.current?.querySelector("[aria-current]");
    if (row.current === null || entry == null) return;
    row.current.scrollLeft += middle(entry) - middle(row.current);
  }, [current]);
  return row;
}

function middle(element: Element): number {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}
