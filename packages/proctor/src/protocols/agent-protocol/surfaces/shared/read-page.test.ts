import { describe, expect, it } from "vitest";
import { ProctorError } from "../../../../core/errors.ts";
import { onPage, pagesFor, readPage } from "./read-page.ts";

const NAMES = { page: ["page"], size: ["pageSize", "page_size"], defaultSize: 20 };
const read = (query: string) => readPage(new URLSearchParams(query), NAMES);

describe("a numbered page", () => {
  it("is the first by default", () => {
    expect(read("")).toEqual({ page: 1, size: 20 });
  });

  it("takes every spelling of its size", () => {
    expect(read("page=3&pageSize=200")).toEqual({ page: 3, size: 200 });
    expect(read("page_size=7")).toEqual({ page: 1, size: 7 });
  });

  it.each([
    "page=0",
    "page=-1",
    "page=1.5",
    "page=x",
    "page=",
    "page=1e3",
    "pageSize=0",
    "pageSize=201",
    "pageSize=1e9",
    "pageSize=1000000000",
    "page=99999999999999999999",
    "page=%201",
  ])("is refused as %s", (query) => {
    try {
      read(query);
    } catch (error) {
      if (!ProctorError.is(error)) throw error;
      expect(error.code).toBe("INVALID_REQUEST");
      expect(error.message).toContain(query.split("=")[0]);
      return;
    }
    throw new Error("it was accepted");
  });

  it("is empty past the end", () => {
    expect(onPage([1, 2, 3], { page: 2, size: 2 })).toEqual([3]);
    expect(onPage([1, 2, 3], { page: 3, size: 2 })).toEqual([]);
    expect(onPage([], { page: 1, size: 2 })).toEqual([]);
    expect([pagesFor(0, 20), pagesFor(20, 20), pagesFor(21, 20)]).toEqual([0, 1, 2]);
  });
});
