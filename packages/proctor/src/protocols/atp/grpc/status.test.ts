import { readFileSync } from "node:fs";
import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { FAILURES } from "../../../core/failure.ts";
import { ATP_ERROR_CODES } from "../errors.ts";
import { meaningOf, STATUSES } from "./status.ts";

const reference = readFileSync(new URL("../../../../../../docs/reference/atp.md", import.meta.url), "utf8");

describe("the table of statuses", () => {
  it("has all 17 of gRPC, under their names, with codes that exist", () => {
    expect(Object.values(STATUSES).map(({ name }) => name)).toEqual(
      Array.from({ length: 17 }, (_, code) => status[code]),
    );
    for (const { failure, atp } of Object.values(STATUSES)) {
      if (failure !== null) expect(FAILURES).toHaveProperty(failure);
      if (atp !== null) expect(ATP_ERROR_CODES).toContain(atp);
    }
  });

  it("gives the codes that the reference gives", () => {
    const section = reference.slice(reference.indexOf("| gRPC status |"));
    const rows = section.slice(0, section.indexOf("\n\n")).split("\n").slice(2);
    const documented = rows.flatMap((row) => {
      const [, names = "", , code = ""] = row.split("|").map((cell) => cell.trim());
      const [word = ""] = code.match(/[A-Z_]{4,}/) ?? [];
      return [...names.matchAll(/`([A-Z_]+)`/g)].map(
        ([, name = ""]) => [name, word === "" ? null : word] as const,
      );
    });
    expect(documented.length).toBeGreaterThan(8);
    for (const [name, code] of documented) {
      expect([name, meaningOf(status[name as keyof typeof status]).atp]).toEqual([name, code]);
    }
  });

  it("takes a number that gRPC does not know for UNKNOWN", () => {
    expect(meaningOf(99).name).toBe("UNKNOWN");
  });
});
