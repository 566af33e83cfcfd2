import { expect, it } from "vitest";
import { readObject } from "./read-object.ts";

const read = (body: string) =>
  readObject(new Request("http://hub/v1", { method: "POST", body }), { limitBytes: 100 });

it("a model's request is read whatever its media type says", async () => {
  expect(await read('{"model": "m"}')).toEqual({ model: "m" });
});

it.each([
  ["no JSON", "{", 400],
  ["no object", "[]", 400],
  ["a number that cannot be kept exactly", '{"n": 12345678901234567890}', 400],
  ["too many bytes", `{"n": "${"x".repeat(100)}"}`, 413],
])("a model's request with %s is refused in the form of OpenAI's API", async (_, body, status) => {
  await expect(read(body)).rejects.toMatchObject({ name: "Error", status, type: "invalid_request_error" });
});
