// The title of the browser's tab.
import { useEffect } from "preact/hooks";
import { texts } from "../texts.ts";

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === "" ? texts.product : `${title} · ${texts.product}`;
  }, [title]);
}
