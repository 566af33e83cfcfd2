// The bucket that holds artifacts: its address from the environment or proctor.yaml, its keys from the environment only.
import { quote } from "../../core/printable.ts";
import { suggest } from "../../core/suggest.ts";
import type { Parse } from "./parse-values.ts";

interface BucketUrl {
  bucket: string;
  endpoint: string;
  region: string;
}

export interface BucketConfig extends BucketUrl {
  accessKeyId: string;
  secretAccessKey: string;
}

const PARAMETERS = ["endpoint", "region"];
const EXAMPLE = "s3://my-bucket?endpoint=https://s3.example.com&region=eu-central-1";
const bad = (message: string): { ok: false; message: string } => ({ ok: false, message });

/** Parses `s3://bucket?endpoint=…&region=…`. Without an endpoint, the bucket is one of AWS. */
export const parseBucketUrl: Parse<BucketUrl> = (text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "s3:") return bad(`must be an address like ${EXAMPLE}`);
  if (url.username || url.password)
    return bad("must not hold keys\n   set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY instead");
  if (url.pathname.replace("/", "") !== "" || url.hash || url.port)
    return bad(`must end after the bucket and its parameters: ${EXAMPLE}`);
  const bucket = url.hostname;
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return bad("must name a bucket of 3 to 63 lower-case letters, digits, dots and hyphens");
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) {
    const similar = suggest(unknown, PARAMETERS);
    const hint = similar === undefined ? "" : `\n   did you mean ${quote(similar)}?`;
    return bad(`has a parameter ${quote(unknown)}; there are ${PARAMETERS.join(" and ")}${hint}`);
  }
  const region = url.searchParams.get("region") || "us-east-1";
  const endpoint = url.searchParams.get("endpoint") || `https://s3.${region}.amazonaws.com`;
  const place = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  const isPlain = place !== undefined && /^https?:$/.test(place.protocol) && !place.username && !place.search;
  if (!isPlain) return bad("needs an endpoint like https://s3.example.com, without keys and parameters");
  return { ok: true, value: { bucket, region, endpoint: endpoint.replace(/\/+$/, "") } };
};

interface BucketSources {
  env: Readonly<Record<string, string | undefined>>;
  file: { artifacts_url?: string | undefined };
}

/** Returns undefined when artifacts are kept on disk, or when something is wrong, which is added to `problems`. Never shows a key. */
export function readBucket({ env, file }: BucketSources, problems: string[]): BucketConfig | undefined {
  const text = env["ARTIFACTS_URL"] || file.artifacts_url;
  if (text === undefined) return undefined;
  const parsed = parseBucketUrl(text);
  if (!parsed.ok) problems.push(`ARTIFACTS_URL  ${parsed.message}`);
  const accessKeyId = env["S3_ACCESS_KEY_ID"]?.trim() ?? "";
  const secretAccessKey = env["S3_SECRET_ACCESS_KEY"]?.trim() ?? "";
  if (accessKeyId === "" || secretAccessKey === "")
    problems.push(
      "ARTIFACTS_URL  needs the keys of the bucket\n   set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY in the environment",
    );
  return parsed.ok ? { ...parsed.value, accessKeyId, secretAccessKey } : undefined;
}
