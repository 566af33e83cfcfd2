// A list of any length whose rows all have the same height: what is seen follows from where it is scrolled to, however many rows there are.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface RowsProps {
  count: number;
  /** Height of a row in pixels before it was measured; with `fixed`, of every row. */
  height: number;
  row: (index: number) => ComponentChildren;
  keyOf?: (index: number) => string | number;
  /** Called with the first and the last row that are seen. */
  onRange?: (first: number, last: number) => void;
  /** Row that is scrolled into view whenever this value changes. */
  show?: number | undefined;
  /** Name under which the list remembers where the reader had scrolled to, and opens there again. Only with `fixed`. */
  name?: string;
  label: string;
  class?: string;
  role?: "list" | "rowgroup" | "log";
}

/** Rows that are drawn beyond each edge; a screen of 4,000 pixels still has fewer than 200 rows of the smallest height. */
export const OVERSCAN = 8;
/** Pixels by which lists were scrolled, by their names. */
const scrolled = new Map<string, number>();

export function FixedRows(props: RowsProps) {
  const { count, height, row, keyOf = (index) => index, onRange, show, name } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  const [shown, setShown] = useState(0);
  function look(): void {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {};
    setAbove(Math.floor(scrollTop / height));
    setShown(Math.ceil(clientHeight / height) + 1);
  }
  useLayoutEffect(() => {
    if (scroller.current === null) return undefined;
    if (name !== undefined) scroller.current.scrollTop = scrolled.get(name) ?? 0;
    // Calls back at once, and then with every change of the size.
    const observer = new ResizeObserver(look);
    observer.observe(scroller.current);
    look();
    return () => observer.disconnect();
  }, [height]);
  // A list that became shorter is scrolled less far than it was.
  useLayoutEffect(look, [count]);
  const first = Math.max(0, above - OVERSCAN);
  const last = Math.min(count, above + shown + OVERSCAN) - 1;
  useEffect(() => onRange?.(first, Math.max(0, last)), [first, last, count]);
  useEffect(() => {
    const element = scroller.current;
    if (element === null || show === undefined || show < 0) return;
    const lowest = show * height;
    const highest = lowest + height - element.clientHeight;
    element.scrollTop = Math.min(lowest, Math.max(highest, element.scrollTop));
  }, [show]);
  const indexes = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place);
  return (
    <div
      ref={scroller}
      class={`scroller ${props.class ?? ""}`}
      tabIndex={0}
      role={props.role ?? "list"}
      aria-label={props.label}
      onScroll={({ currentTarget: { scrollTop } }) => {
        if (name !== undefined) scrolled.set(name, scrollTop);
        look();
      }}
    >
      <div class="rows" style={{ height: `${count * height}px` }} role="presentation">
        {indexes.map((index) => (
          <div
            key={String(keyOf(index))}
            class="virtual"
            role="presentation"
            data-index={index}
            style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
