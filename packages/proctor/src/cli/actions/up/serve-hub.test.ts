import { expect, it } from "vitest";
import { createPaint } from "../../terminal/paint.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderReady } from "./serve-hub.ts";

const screen: Screen = {
  paint: createPaint({ write: () => true }, { NO_COLOR: "1" }),
  width: undefined,
  print: () => undefined,
  printJson: () => undefined,
};
const ready = { url: "http://127.0.0.1:3001", agents: [], program: "proctor" };

it("proctor up prints that the hub is up only when it can take work", () => {
  expect(renderReady(ready, screen)[0]).toMatch(/is up$/);
  const trouble = "p.db: this is not a sound database\nRestore it from a backup.";
  const shown = renderReady({ ...ready, trouble }, screen).join("\n");
  expect(shown).not.toContain("is up");
  expect(shown).toContain("cannot take work");
  expect(shown).toContain("  Restore it from a backup.");
  expect(shown).toContain("http://127.0.0.1:3001/readyz");
});
