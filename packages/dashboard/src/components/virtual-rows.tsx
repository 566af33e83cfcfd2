// A list of any length of which only what is seen is in the document.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { usePrinting } from "../state/printing.ts";

interface VirtualRowsProps {
  count: number;
  /** Pixels of a row before it was measured; with `fixed`, of every row. */
  height: number;
  fixed?: boolean;
  row: (index: number) => ComponentChildren;
  keyOf?: (index: number) => string | number;
  /** Called with the first and the last row that are seen. */
  onRange?: (first: number, last: number) => void;
  /** Scrolls so that this row is seen, whenever it changes. */
  show?: number | undefined;
  /** Keeps the last row in view while the list grows and the reader is at its end. */
  stick?: boolean;
  /** Where the reader had scrolled to in the list of this name is where it opens again. */
  name?: string;
  label: string;
  class?: string;
  role?: "list" | "rowgroup" | "log";
}

type Options = VirtualizerOptions<HTMLDivElement, HTMLDivElement>;
/** Rows beyond each edge; a screen of 4,000 pixels still has fewer than 200 rows of the smallest height. */
const OVERSCAN = 8;
/** Rows on paper, which does not scroll. */
const MOST_PRINTED = 2000;
/** Pixels that lists were scrolled by, by their names. */
const scrolled = new Map<string, number>();

export function VirtualRows(props: VirtualRowsProps) {
  const { count, height, fixed = false, row, keyOf, onRange, show, stick = false } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer<number, void>((turn) => turn + 1, 0);
  const options: Options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    observeElementRect,
    observeElementOffset,
    scrollToFn: elementScroll,
    onChange: () => redraw(),
    ...(props.name !== undefined && { initialOffset: scrolled.get(props.name) ?? 0 }),
    ...(keyOf && { getItemKey: keyOf }),
  };
  const [virtual] = useState(() => new Virtualizer(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
  const printed = usePrinting();
  const items = virtual.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange?.(first, last), [first, last, count]);
  useEffect(() => {
    if (show !== undefined && show >= 0) virtual.scrollToIndex(show, { align: "auto" });
  }, [show]);
  const atEnd = useRef(true);
  useLayoutEffect(() => {
    if (stick && atEnd.current && count > 0) virtual.scrollToIndex(count - 1, { align: "end" });
  }, [count, stick]);
  if (printed) {
    return (
      <div class={`printed ${props.class ?? ""}`} role={props.role ?? "list"} aria-label={props.label}>
        {Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => (
          <div key={index} role="presentation">
            {row(index)}
          </div>
        ))}
      </div>
    );
  }
  return (
    <div
      ref={scroller}
      class={`scroller ${props.class ?? ""}`}
      tabIndex={0}
      role={props.role ?? "list"}
      aria-label={props.label}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        atEnd.current = scrollHeight - scrollTop - clientHeight < height;
        if (props.name !== undefined) scrolled.set(props.name, scrollTop);
      }}
    >
      <div class="rows" style={{ height: `${virtual.getTotalSize()}px` }} role="presentation">
        {items.map(({ index, start, key }) => (
          <div
            key={String(key)}
            class="virtual"
            role="presentation"
            data-index={index}
            ref={fixed ? null : (element: HTMLDivElement | null) => virtual.measureElement(element)}
            style={{ transform: `translateY(${start}px)`, ...(fixed && { height: `${height}px` }) }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
