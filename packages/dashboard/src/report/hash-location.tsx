// Where the reader is in a report: what stands behind `#`, as the router and the pages understand it. Back and forward are the browser's own.
import type { ComponentChildren } from "preact";
import { LocationProvider } from "preact-iso";
import { useLayoutEffect, useMemo, useState } from "preact/hooks";

export function HashLocation({ home, children }: { home: string; children: ComponentChildren }) {
  const [at, setAt] = useState({ place: location.hash, wasPush: false });
  useLayoutEffect(() => {
    let followed = false;
    const click = (event: Event): void => {
      followed = event.target instanceof Element && event.target.closest("a[href^='#']") !== null;
    };
    const move = (): void => {
      setAt({ place: location.hash, wasPush: followed });
      followed = false;
    };
    addEventListener("click", click);
    addEventListener("hashchange", move);
    return () => {
      removeEventListener("click", click);
      removeEventListener("hashchange", move);
    };
  }, []);
  const value = useMemo(() => {
    const url = at.place.replace(/^#/, "") || home;
    const { path, query } = read(url, home);
    return {
      url,
      path,
      query,
      wasPush: at.wasPush,
      back: () => history.back(),
      forward: () => history.forward(),
      route: (to: string, replace = false) => {
        const place = to.startsWith("#") ? to : `#${to}`;
        if (!replace) return void (location.hash = place);
        try {
          history.replaceState(null, "", place);
        } catch {
          // A frame without an address of its own: the view works, only its link does not.
        }
        setAt({ place, wasPush: false });
      },
    };
  }, [at, home]);
  return <LocationProvider.ctx.Provider value={value}>{children}</LocationProvider.ctx.Provider>;
}

/** Reads an address into a place among the pages, whatever it holds. */
function read(url: string, home: string): { path: string; query: Record<string, string> } {
  const [path = "", search = ""] = url.split(/\?(.*)/s);
  const query = Object.fromEntries(new URLSearchParams(search));
  return { path: path.startsWith("/") && path !== "/" && isReadable(path) ? path : home, query };
}

function isReadable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}
