// Light or dark: as the system has it, or as it was chosen. `public/theme.js` applies the choice before anything is painted.
import { signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "proctor.theme";

export const theme = signal<Theme>(read());

export function setTheme(value: Theme): void {
  if (value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = value;
  theme.value = value;
  try {
    if (value === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, value);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function read(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  return THEMES.find((name) => name === chosen) ?? "system";
}
