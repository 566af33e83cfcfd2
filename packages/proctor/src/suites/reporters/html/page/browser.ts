// The part of a browser that the page uses, as types. The DOM library of TypeScript is global once it is asked for: it would
// give the whole project a `window` and change the types of `fetch`.

export interface PageElement {
  id: string;
  className: string;
  textContent: string | null;
  hidden: boolean;
  value: string;
  open: boolean;
  readonly tagName: string;
  readonly isConnected: boolean;
  readonly clientWidth: number;
  readonly offsetWidth: number;
  readonly offsetHeight: number;
  readonly parentElement: PageElement | null;
  readonly style: { setProperty(name: string, value: string): void };
  append(...nodes: (PageElement | string)[]): void;
  replaceChildren(...nodes: (PageElement | string)[]): void;
  setAttribute(name: string, value: string): void;
  getAttribute(name: string): string | null;
  removeAttribute(name: string): void;
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  getBoundingClientRect(): { left: number; top: number; bottom: number; width: number; height: number };
  focus(options?: { preventScroll: boolean }): void;
  select(): void;
  scrollIntoView(options?: { block: "nearest" | "start" | "center" }): void;
}

export interface PageEvent {
  readonly target: PageElement | null;
  readonly key: string;
  readonly clientX: number;
  readonly clientY: number;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly defaultPrevented: boolean;
  preventDefault(): void;
}

export interface Browser {
  document: {
    title: string;
    documentElement: PageElement;
    body: PageElement;
    activeElement: PageElement | null;
    createElement(name: string): PageElement;
    createElementNS(namespace: string, name: string): PageElement;
    getElementById(id: string): PageElement | null;
    addEventListener(type: string, listener: (event: PageEvent) => void, capture?: boolean): void;
  };
  location: { hash: string };
  history: { replaceState(state: null, unused: string, url: string): void };
  localStorage?: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  matchMedia(query: string): { matches: boolean };
  addEventListener(type: string, listener: (event: PageEvent) => void): void;
  requestAnimationFrame(callback: () => void): void;
  scrollTo(x: number, y: number): void;
  scrollY: number;
  innerWidth: number;
  innerHeight: number;
}
