import { describe, expect, it } from "vitest";
import { maskOptions, secretsOfOptions } from "./option-secrets.ts";

describe("the options of an agent", () => {
  it.each([
    "api_key",
    "apikey",
    "X-Api-Key",
    "access_token",
    "token",
    "password",
    "client_secret",
    "Authorization",
  ])("hide a text that is called %s, however deep", (name) => {
    const options = { body: [{ inner: { [name]: "v1", other: "v2" } }] };
    expect(secretsOfOptions(options)).toEqual([{ name, value: "v1" }]);
    expect(maskOptions(options, "***")).toEqual({ body: [{ inner: { [name]: "***", other: "v2" } }] });
  });

  it.each(["tokens", "max_tokens", "key", "tokenizer", "secretary", "monkey"])(
    "show what is called %s",
    (name) => {
      const options = { [name]: "v1" };
      expect(maskOptions(options, "***")).toBe(options);
    },
  );

  it("show placeholders, numbers and empty texts", () => {
    const options = { token: "{conversation_id}", password: "", secret: 4 };
    expect(maskOptions(options, "***")).toBe(options);
  });
});
