import { expect, test } from "vitest";
import { baseEnvironment } from "./base-environment.ts";

test("the base environment holds what a program needs and nothing that could be a secret", () => {
  const picked = baseEnvironment({
    PATH: "/bin",
    HOME: "/home/a",
    LANG: "C",
    LC_ALL: "C",
    TZ: "UTC",
    TMPDIR: "/tmp",
    AWS_SECRET_ACCESS_KEY: "x",
    NODE_OPTIONS: "--inspect",
    PROCTOR_TOKEN: "y",
    UNSET: undefined,
  });
  expect(picked).toEqual({
    PATH: "/bin",
    HOME: "/home/a",
    LANG: "C",
    LC_ALL: "C",
    TZ: "UTC",
    TMPDIR: "/tmp",
  });
});

test("the base environment comes from this process by default", () => {
  expect(baseEnvironment()["PATH"] ?? baseEnvironment()["Path"]).toBe(process.env["PATH"]);
});
