// Moves and scales a picture inside its box: drag, wheel, two fingers' worth of buttons, and fitting it all.
import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

interface View {
  x: number;
  y: number;
  scale: number;
}

export interface PanZoom extends View {
  handlers: {
    onPointerDown: (event: PointerEvent) => void;
    onPointerMove: (event: PointerEvent) => void;
    onPointerUp: (event: PointerEvent) => void;
  };
  zoom: (factor: number) => void;
  fit: () => void;
  /** Moves as little as needed until this part of the picture is seen. */
  reveal: (x: number, y: number, width: number, height: number) => void;
}

const SMALLEST = 0.15;
const LARGEST = 2.5;
/** Pixels below which a press that moved is a click. */
const SLOP = 4;
const EDGE = 16;

export function usePanZoom(
  box: RefObject<HTMLElement | null>,
  size: { width: number; height: number },
): PanZoom {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 });
  const drag = useRef<{ x: number; y: number; moved: boolean } | undefined>(undefined);

  function fit(): void {
    const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
    if (clientWidth === 0 || size.width === 0) return;
    const scale = clamp(Math.min(clientWidth / size.width, clientHeight / size.height, 1));
    // Never smaller than can be read: what does not fit is reached by dragging.
    const legible = Math.max(scale, 0.6);
    setView({
      scale: legible,
      x: Math.max((clientWidth - size.width * legible) / 2, 0),
      y: Math.max((clientHeight - size.height * legible) / 2, 0),
    });
  }

  function zoomAt(factor: number, px: number, py: number): void {
    setView(({ x, y, scale }) => {
      const next = clamp(scale * factor);
      const ratio = next / scale;
      return { scale: next, x: px - (px - x) * ratio, y: py - (py - y) * ratio };
    });
  }

  useEffect(fit, [size.width, size.height]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    // A wheel alone scrolls the page; with Ctrl or Command, which is also what a pinch sends, it zooms.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const { left, top } = element.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top);
    };
    element.addEventListener("wheel", onWheel, { passive: false });
    return () => element.removeEventListener("wheel", onWheel);
  }, []);

  return {
    ...view,
    fit,
    zoom(factor) {
      const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
      zoomAt(factor, clientWidth / 2, clientHeight / 2);
    },
    reveal(x, y, width, height) {
      const { clientWidth = 0, clientHeight = 0 } = box.current ?? {};
      setView((before) => ({
        scale: before.scale,
        x: intoView(before.x, x * before.scale, width * before.scale, clientWidth),
        y: intoView(before.y, y * before.scale, height * before.scale, clientHeight),
      }));
    },
    handlers: {
      onPointerDown(event) {
        if (event.button === 0) drag.current = { x: event.clientX, y: event.clientY, moved: false };
      },
      onPointerMove(event) {
        const from = drag.current;
        if (from === undefined) return;
        const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
        if (!from.moved && Math.hypot(dx, dy) < SLOP) return;
        // Captured only now, so that a click still reaches its node.
        if (!from.moved && event.currentTarget instanceof Element)
          event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, y: event.clientY, moved: true };
        setView((before) => ({ ...before, x: before.x + dx, y: before.y + dy }));
      },
      onPointerUp() {
        drag.current = undefined;
      },
    },
  };
}

function clamp(scale: number): number {
  return Math.min(LARGEST, Math.max(SMALLEST, scale));
}

function intoView(offset: number, start: number, length: number, room: number): number {
  if (start + offset < EDGE) return EDGE - start;
  return start + length + offset > room - EDGE ? room - EDGE - start - length : offset;
}
