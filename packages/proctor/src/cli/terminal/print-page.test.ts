import { describe, expect, it } from "vitest";
import type { Page } from "../../core/page.ts";
import { createIo } from "../../../test/support/cli/program-double.ts";
import { printPage } from "./print-page.ts";
import { createScreen } from "./screen.ts";

describe("printPage", () => {
  function shown(page: Page<string>, more: { json?: boolean; next?: string } = {}): string {
    const io = createIo();
    printPage(createScreen(io), page, {
      none: ["no words yet", "   say one"],
      columns: [{ title: "WORD", cell: (word) => word }],
      command: "proctor words list --all",
      ...more,
    });
    return io.out();
  }

  it("shows a table, what can be done with an item, and the command for the next page", () => {
    const page = { items: ["yes", "no"], next_cursor: "abc" };
    expect(shown(page, { next: "say: proctor words say" })).toBe(
      "WORD\nyes\nno\n\nsay: proctor words say\nmore: proctor words list --all --cursor abc\n",
    );
  });

  it("ends with the table when there is nothing more to say", () => {
    expect(shown({ items: ["yes"], next_cursor: null })).toBe("WORD\nyes\n");
  });

  it("says how to make a first item when there is none", () => {
    expect(shown({ items: [], next_cursor: null })).toBe("no words yet\n   say one\n");
  });

  it("prints the page as it is for programs, even an empty one", () => {
    const page = { items: [], next_cursor: null };
    expect(JSON.parse(shown(page, { json: true }))).toEqual(page);
  });
});
