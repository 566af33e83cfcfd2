// The shims repeat names that the code defines: each must be one of inside.ts or of core.
import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MISSING_FILE_VARIABLE, MISSING_WORDS } from "../../../core/missing-packages.ts";
import {
  BUILD_VARIABLE,
  INSIDE,
  INSIDE_PYTHONS,
  NETWORK_VARIABLE,
  REPORT_FD,
  REPORT_VARIABLE,
} from "../inside.ts";
import { readShim } from "../write-shims.ts";

const VARIABLES = [BUILD_VARIABLE, MISSING_FILE_VARIABLE, NETWORK_VARIABLE, REPORT_VARIABLE];
const text = readdirSync(new URL(".", import.meta.url))
  .filter((name) => /\.(?:py|sh|cjs)$/.test(name))
  .map(readShim)
  .join("\n");

const found = (pattern: RegExp): string[] => [...new Set(text.match(pattern))].toSorted();

describe("the shims of the toolchain", () => {
  it("use the variables that the code sets, all of them and no others", () => {
    expect(found(/\bPROCTOR_[A-Z_]+/g)).toEqual(VARIABLES.toSorted());
  });

  it("look for the toolchain and its Pythons where they are mounted", () => {
    expect(found(/\/run\/proctor\/[a-z]+/g)).toEqual([INSIDE_PYTHONS, INSIDE].toSorted());
  });

  it("report on the descriptor that the code reads, and what is missing in its words", () => {
    expect(found(/>&[3-9]/g)).toEqual([`>&${REPORT_FD}`]);
    expect(text.split(MISSING_WORDS)).toHaveLength(4);
  });
});
