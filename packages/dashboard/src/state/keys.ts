// The keys that do something now. A page says which; the sheet at `?` lists them.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Key {
  /** Name of the key as in `KeyboardEvent.key`; `g r` for one after the other. */
  key: string;
  does: string;
  act: () => void;
}

/** The sets of keys, the newest last: it wins. */
const sets = signal<readonly (readonly Key[])[]>([]);
let before = "";

export function activeKeys(): Key[] {
  const byKey = new Map(sets.value.flat().map((key) => [key.key, key]));
  return [...byKey.values()];
}

/** Lets these keys work while the component is mounted. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const own = keys.map((key, index) => ({ ...key, act: () => latest.current[index]?.act() }));
    sets.value = [...sets.peek(), own];
    return () => void (sets.value = sets.peek().filter((set) => set !== own));
  }, []);
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
  const keys = activeKeys();
  const both = `${before} ${event.key}`;
  const found = keys.find(({ key }) => key === both) ?? keys.find(({ key }) => key === event.key);
  before = event.key;
  if (found === undefined) return;
  event.preventDefault();
  before = "";
  found.act();
});

function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest("dialog") !== null) return true;
  if (key === "Enter" && target.closest("a, button, summary") !== null) return true;
  return target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}
