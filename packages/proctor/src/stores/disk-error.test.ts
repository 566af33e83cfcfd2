import { expect, test } from "vitest";
import { ProctorError } from "../core/errors.ts";
import { diskError } from "./disk-error.ts";

const systemError = (code: string): Error => Object.assign(new Error(`${code}: it failed`), { code });

test.each([
  ["ENOSPC", "STORE_FULL"],
  ["EDQUOT", "STORE_FULL"],
  ["EACCES", "DATA_DIR_UNWRITABLE"],
  ["EROFS", "DATA_DIR_UNWRITABLE"],
  ["ENOTDIR", "DATA_DIR_UNWRITABLE"],
  ["EIO", "STORE_UNAVAILABLE"],
  ["EMFILE", "STORE_UNAVAILABLE"],
])("the disk error %s becomes %s", (errno, code) => {
  const cause = systemError(errno);
  const error = diskError(cause, "some/where");
  expect(error).toMatchObject({ code, cause });
  expect(error.message).toContain("some/where");
});

test("a disk error: an error of ours stays as it is", () => {
  const ours = new ProctorError("RUN_NOT_FOUND", "no");
  expect(diskError(ours, "some/where")).toBe(ours);
});

test("a disk error: anything else that was thrown is unavailable", () => {
  expect(diskError("odd", "some/where")).toMatchObject({ code: "STORE_UNAVAILABLE" });
});
