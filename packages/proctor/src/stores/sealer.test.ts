import { mkdtemp, readdir, readFile, rm, stat, writeFile, mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openSealer } from "./sealer.ts";
import { anyText } from "../../test/support/any-character.ts";

let directory: string;
const keyFile = (name = "key") => join(directory, name);

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "proctor-sealer-"));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

test("the sealer opens whatever it sealed, also after a restart", async () => {
  const first = await openSealer(keyFile());
  const again = await openSealer(keyFile());
  fc.assert(
    fc.property(anyText, (plain) => {
      const sealed = first.seal(plain);
      expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
      expect(again.open(sealed)).toBe(plain);
    }),
  );
});

test("the sealer never seals the same text the same way, and shows nothing of it", async () => {
  const sealer = await openSealer(keyFile());
  const plain = "hunter22".repeat(10);
  expect(sealer.seal(plain)).not.toBe(sealer.seal(plain));
  expect(Buffer.from(sealer.seal(plain).slice(3), "base64url").toString("latin1")).not.toContain("hunter22");
});

test("the sealer does not open what was changed, wherever and however", async () => {
  const sealer = await openSealer(keyFile());
  const sealed = sealer.seal("secret!!");
  for (let index = 0; index < sealed.length; index++) {
    for (const other of ["A", "B", "=", "\n", ""]) {
      const changed = sealed.slice(0, index) + other + sealed.slice(index + 1);
      if (changed !== sealed) expect(sealer.open(changed)).toBeUndefined();
    }
  }
  for (const odd of [
    "",
    "v1.",
    "v1.AAAA",
    "v2.AAAA",
    `${sealed}A`,
    ` ${sealed}`,
    sealed.replace("v1", "v2"),
  ]) {
    expect(sealer.open(odd)).toBeUndefined();
  }
});

test("the sealer does not open what another key sealed", async () => {
  const ours = await openSealer(keyFile("ours"));
  const theirs = await openSealer(keyFile("theirs"));
  expect(ours.open(theirs.seal("secret"))).toBeUndefined();
});

test("the sealer makes a key that only its owner can read, and leaves nothing else behind", async () => {
  await openSealer(join(directory, "new", "folder", "key"));
  const folder = join(directory, "new", "folder");
  expect((await stat(join(folder, "key"))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["key"]);
});

test("the sealer keeps the key that is there", async () => {
  const key = `${Buffer.alloc(32, 7).toString("base64")}\n`;
  await writeFile(keyFile(), key);
  await openSealer(keyFile());
  expect(await readFile(keyFile(), "utf8")).toBe(key);
});

test("the sealer agrees on one key when several open it at once", async () => {
  const sealers = await Promise.all(Array.from({ length: 16 }, () => openSealer(keyFile())));
  const sealed = sealers[0]?.seal("secret") ?? "";
  expect(sealers.map((sealer) => sealer.open(sealed))).toEqual(Array(16).fill("secret"));
  expect(await readdir(directory)).toEqual(["key"]);
});

test.each([
  ["empty", "", /is empty\n.*delete it/],
  ["too short", Buffer.alloc(31).toString("base64"), /does not hold 32 bytes/],
  ["too long", Buffer.alloc(33).toString("base64"), /does not hold 32 bytes/],
  ["not base64", "!".repeat(44), /does not hold 32 bytes/],
])(
  "the sealer refuses a key file that is %s, says what to do and never shows it",
  async (_name, content, message) => {
    await writeFile(keyFile(), content);
    const refusal = expect.objectContaining({
      code: "CONFIG_INVALID",
      message: expect.stringMatching(message),
    });
    await expect(openSealer(keyFile())).rejects.toEqual(refusal);
    if (content !== "") await expect(openSealer(keyFile())).rejects.not.toThrow(content);
  },
);

test("the sealer refuses a key file that cannot be read", async () => {
  await mkdir(keyFile());
  await expect(openSealer(keyFile())).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringContaining("cannot be read"),
  });
});

test("the sealer says so when the key cannot be written", async () => {
  await writeFile(keyFile("file"), "");
  await expect(openSealer(join(directory, "file", "key"))).rejects.toMatchObject({ code: "CONFIG_INVALID" });
  await expect(openSealer(join(directory, "file", "more", "key"))).rejects.toHaveProperty("code");
});
