// A list of any length of which only what is seen is in the document.
import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import { usePrinting } from "../state/printing.ts";
import { FixedRows, OVERSCAN, type RowsProps } from "./fixed-rows.tsx";

interface VirtualRowsProps extends RowsProps {
  /** Whether all rows have the same height: then nothing is measured, and a hundred thousand rows cost what a hundred do. */
  fixed?: boolean;
  /** Whether the last row is kept in view while the list grows and the reader is at its end. Not with `fixed`. */
  stick?: boolean;
}

type Options = VirtualizerOptions<HTMLDivElement, HTMLDivElement>;
/** Number of rows that are printed on paper at most, which does not scroll. */
const MOST_PRINTED = 2000;

export function VirtualRows({ fixed = false, ...props }: VirtualRowsProps) {
  if (usePrinting()) return <PrintedRows {...props} />;
  return fixed ? <FixedRows {...props} /> : <MeasuredRows {...props} />;
}

function PrintedRows({ count, row, label, role = "list", class: name = "" }: RowsProps) {
  return (
    <div class={`printed ${name}`} role={role} aria-label={label}>
      {Array.from({ length: Math.min(count, MOST_PRINTED) }, (_, index) => (
        <div key={index} role="presentation">
          {row(index)}
        </div>
      ))}
    </div>
  );
}

function MeasuredRows(props: Omit<VirtualRowsProps, "fixed">) {
  const { count, height, row, keyOf, onRange, show, stick = false } = props;
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
    ...(keyOf && { getItemKey: keyOf }),
  };
  const [virtual] = useState(() => new Virtualizer(options));
  virtual.setOptions(options);
  useLayoutEffect(() => virtual._didMount(), []);
  useLayoutEffect(() => virtual._willUpdate());
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
  return (
    <div
      ref={scroller}
      class={`scroller ${props.class ?? ""}`}
      tabIndex={0}
      role={props.role ?? "list"}
      aria-label={props.label}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
        (atEnd.current = scrollHeight - scrollTop - clientHeight < height)
      }
    >
      <div class="rows" style={{ height: `${virtual.getTotalSize()}px` }} role="presentation">
        {items.map(({ index, start, key }) => (
          <div
            key={String(key)}
            class="virtual"
            role="presentation"
            data-index={index}
            ref={(element: HTMLDivElement | null) => virtual.measureElement(element)}
            style={{ transform: `translateY(${start}px)` }}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
