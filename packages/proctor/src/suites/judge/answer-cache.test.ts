import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createAnswerCache } from "./answer-cache.ts";

const root = temporaryFolder("answer-cache");
let count = 0;
const fresh = (): string => join(root, `cache-${(count += 1)}`);

const QUESTION = { model: "m", messages: [{ role: "user", content: "Good?" }], temperature: 0, vote: 1 };
const ANSWER = { text: '{"score":1}', model: "m-1", inputTokens: 3, outputTokens: 2 };

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => statSync(name).isFile());
}

test("the answer cache finds what was kept, even in another process, and nothing else", async () => {
  const folder = fresh();
  const cache = createAnswerCache(folder, "http://a");
  expect(await cache.find(QUESTION)).toBeUndefined();
  await cache.keep(QUESTION, ANSWER);
  expect(await createAnswerCache(folder, "http://a").find({ ...QUESTION })).toEqual(ANSWER);
  for (const other of [{ vote: 2 }, { model: "n" }, { temperature: 1 }, { messages: [] }])
    expect(await cache.find({ ...QUESTION, ...other })).toBeUndefined();
  expect(await createAnswerCache(folder, "http://b").find(QUESTION)).toBeUndefined();
});

test("the answer cache keeps an answer without token counts", async () => {
  const cache = createAnswerCache(fresh(), "");
  await cache.keep(QUESTION, { text: "t", model: "m" });
  expect(await cache.find(QUESTION)).toEqual({ text: "t", model: "m" });
});

test.each([
  "",
  "{",
  "null",
  '{"text":1,"model":"m"}',
  '{"model":"m"}',
  '{"text":"t","model":"m","input_tokens":-1}',
  "\0",
])("the answer cache ignores and replaces an entry that holds %j", async (content) => {
  const folder = fresh();
  const cache = createAnswerCache(folder, "");
  await cache.keep(QUESTION, ANSWER);
  const [file = ""] = filesIn(folder);
  writeFileSync(file, content);
  expect(await cache.find(QUESTION)).toBeUndefined();
  await cache.keep(QUESTION, ANSWER);
  expect(await cache.find(QUESTION)).toEqual(ANSWER);
});

test("the answer cache has one whole entry after many concurrent writes", async () => {
  const folder = fresh();
  const cache = createAnswerCache(folder, "");
  await Promise.all(Array.from({ length: 20 }, () => cache.keep(QUESTION, ANSWER)));
  const files = filesIn(folder);
  expect(files).toHaveLength(1);
  expect(JSON.parse(readFileSync(files[0] ?? "", "utf8"))).toMatchObject({ text: ANSWER.text });
});

test("the answer cache does not fail where it cannot write", async () => {
  const folder = fresh();
  writeFileSync(folder, "a file, not a folder");
  const cache = createAnswerCache(folder, "");
  await cache.keep(QUESTION, ANSWER);
  expect(await cache.find(QUESTION)).toBeUndefined();
});
