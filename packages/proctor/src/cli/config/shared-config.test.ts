import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadConfig, type Config } from "./load-config.ts";

const cwd = temporaryFolder("shared-config");
const KEYS = { S3_ACCESS_KEY_ID: "ID", S3_SECRET_ACCESS_KEY: "hidden-key" };
const load = (env: Record<string, string>): Promise<Config> => loadConfig({ cwd, env, flags: {} });

async function refusal(env: Record<string, string>): Promise<string> {
  const error: unknown = await load(env).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "CONFIG_INVALID" });
  expect(String(error)).not.toContain("hidden");
  return String(error);
}

describe("the bucket of artifacts", () => {
  test("is an address with its endpoint and region, and keys of the environment", async () => {
    const url = "s3://my-bucket?endpoint=http://127.0.0.1:9000/&region=eu-west-1";
    expect((await load({ ...KEYS, ARTIFACTS_URL: url })).bucket).toEqual({
      bucket: "my-bucket",
      endpoint: "http://127.0.0.1:9000",
      region: "eu-west-1",
      accessKeyId: "ID",
      secretAccessKey: "hidden-key",
    });
    expect((await load({ ...KEYS, ARTIFACTS_URL: "s3://my-bucket" })).bucket).toMatchObject({
      endpoint: "https://s3.us-east-1.amazonaws.com",
    });
    expect((await load(KEYS)).bucket).toBeUndefined();
  });

  test("may stand in proctor.yaml, its keys may not", async () => {
    writeFileSync(join(cwd, "b.yaml"), "artifacts_url: s3://my-bucket\n");
    expect((await loadConfig({ cwd, env: KEYS, flags: { config: "b.yaml" } })).bucket?.bucket).toBe(
      "my-bucket",
    );
    writeFileSync(join(cwd, "c.yaml"), "s3_secret_access_key: hidden\n");
    await expect(loadConfig({ cwd, env: {}, flags: { config: "c.yaml" } })).rejects.toThrow(
      "S3_SECRET_ACCESS_KEY",
    );
  });

  test.each([
    ["https://my-bucket", "must be an address like s3://"],
    ["s3://ID:hidden@my-bucket", "must not hold keys"],
    ["s3://my-bucket/folder", "must end after the bucket"],
    ["s3://My_Bucket", "must name a bucket"],
    ["s3://my-bucket?endpont=https://x", 'did you mean "endpoint"?'],
    ["s3://my-bucket?endpoint=ftp://x", "needs an endpoint like"],
    ["s3://my-bucket?endpoint=https://a:hidden@x", "needs an endpoint like"],
  ])("cannot be %s", async (url, message) => {
    expect(await refusal({ ...KEYS, ARTIFACTS_URL: url })).toContain(message);
  });

  test("needs both keys", async () => {
    const env = { ARTIFACTS_URL: "s3://my-bucket", S3_SECRET_ACCESS_KEY: "hidden" };
    expect(await refusal(env)).toContain("set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY");
  });
});

describe("the seal key of the configuration", () => {
  const [first, second] = [randomBytes(32), randomBytes(32)];

  test.each([
    ["base64", first.toString("base64")],
    ["base64 without padding", first.toString("base64").replace("=", "")],
    ["hex", first.toString("hex")],
  ])("is 32 bytes as %s", async (_, text) => {
    expect((await load({ SEAL_KEY: text })).sealKeys).toEqual([first]);
  });

  test("may have older ones after it, and may stand in a file", async () => {
    const both = `${first.toString("hex")},${second.toString("base64")}`;
    expect((await load({ SEAL_KEY: both })).sealKeys).toEqual([first, second]);
    writeFileSync(join(cwd, "seal"), `${second.toString("base64")}\n`);
    expect((await load({ SEAL_KEY_FILE: "seal" })).sealKeys).toEqual([second]);
    writeFileSync(join(cwd, "k.yaml"), "seal_key_file: seal\n");
    expect((await loadConfig({ cwd, env: {}, flags: { config: "k.yaml" } })).sealKeys).toEqual([second]);
    expect((await load({})).sealKeys).toBeUndefined();
  });

  test.each(["hidden", randomBytes(31).toString("base64"), randomBytes(33).toString("hex"), ","])(
    "of another length is refused with what to do: %#",
    async (text) => {
      expect(await refusal({ SEAL_KEY: text })).toMatch(/must be 32 bytes, as base64 or hex\n.*openssl rand/);
    },
  );

  test("in a file that is not there is refused", async () => {
    expect(await refusal({ SEAL_KEY_FILE: "nowhere" })).toMatch(/nowhere cannot be read/);
  });
});
