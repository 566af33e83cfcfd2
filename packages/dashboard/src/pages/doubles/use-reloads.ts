// Reads again every few seconds while the page is visible: doubles are not part of the live stream.
import { useEffect } from "preact/hooks";

const EVERY_MS = 2000;

export function useReloads(reload: () => void): void {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") reload();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
}
