// Light or dark, with one button: as the system has it until the reader says otherwise.
import { setTheme, theme } from "../state/theme.ts";
import { texts } from "../texts.ts";

const system = matchMedia("(prefers-color-scheme: dark)");

export function ThemeToggle() {
  const isDark = theme.value === "system" ? system.matches : theme.value === "dark";
  return (
    <button
      type="button"
      class="button plain"
      aria-label={isDark ? texts.report.light : texts.report.dark}
      onClick={() => setTheme(isDark ? "light" : "dark")}
    >
      {isDark ? texts.report.lightShort : texts.report.darkShort}
    </button>
  );
}
