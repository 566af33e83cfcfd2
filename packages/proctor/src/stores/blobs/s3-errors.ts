// What a bucket answers, as errors of the catalogue that say what to do. No message repeats a key.
import { ProctorError, type ErrorCode } from "../../core/errors.ts";

/** Keys of a bucket, and where it is. */
export interface BucketAddress {
  bucket: string;
  /** `https://host` or `http://host:port`, without the bucket. */
  endpoint: string;
  region: string;
}

interface S3Problem {
  /** HTTP status; 0 when there was no answer. */
  status: number;
  /** Name of the error, `NoSuchKey`, `ECONNRESET` and the like; empty where nothing is known. */
  name: string;
}

const WRONG_KEYS = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken"]);
const WRONG_REGION = new Set(["AuthorizationHeaderMalformed", "PermanentRedirect", "IncorrectEndpoint"]);
const FULL = new Set(["QuotaExceeded", "EntityTooLarge", "XMinioStorageFull"]);
const AGAIN_LATER = new Set([408, 425, 429, 500, 502, 503, 504]);
const MAX_CAUSES = 5;

/** Looks through the causes of an error, which fetch and s3mini wrap. */
export function problemOf(error: unknown): S3Problem {
  let name = "";
  for (let at = error, depth = 0; at instanceof Error && depth < MAX_CAUSES; at = at.cause, depth++) {
    const code = "code" in at && typeof at.code === "string" ? at.code : undefined;
    if ("status" in at && typeof at.status === "number") return { status: at.status, name: code ?? "" };
    if (code !== undefined) name = code;
    else if (at.name === "TimeoutError") name = "ETIMEDOUT";
  }
  return { status: 0, name };
}

/** Returns whether the same request may succeed a moment later. */
export function isPassing(error: unknown): boolean {
  const { status, name } = problemOf(error);
  return status === 0 ? name !== "ERR_INVALID_URL" : AGAIN_LATER.has(status);
}

/** Returns the error; `wrong` is the code where the configuration is to blame: at the start one can refuse to start. */
export function s3Error(
  error: unknown,
  { bucket, endpoint, region }: BucketAddress,
  wrong: ErrorCode = "STORE_UNAVAILABLE",
): ProctorError {
  if (ProctorError.is(error)) return error;
  const { status, name } = problemOf(error);
  const where = `the bucket ${bucket} at ${endpoint}`;
  const why = [status || "", name].filter((part) => part !== "").join(" ");
  const make = (code: ErrorCode, what: string, next: string): ProctorError =>
    new ProctorError(code, `${what}${why === "" ? "" : ` (${why})`}\n${next}`, { cause: error });
  if (name === "NoSuchBucket")
    return make(wrong, `there is no bucket ${bucket} at ${endpoint}`, "create it, or correct ARTIFACTS_URL");
  if (WRONG_KEYS.has(name))
    return make(
      wrong,
      `${endpoint} does not accept the keys for the bucket ${bucket}`,
      "set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to a valid pair",
    );
  if (WRONG_REGION.has(name) || status === 301)
    return make(wrong, `${where} is not in the region ${region}`, "correct region= in ARTIFACTS_URL");
  if (name === "RequestTimeTooSkewed")
    return make(wrong, `this machine's clock differs from that of ${endpoint}`, "set the clock (NTP)");
  if (status === 401 || status === 403)
    return make(
      wrong,
      `${where} does not allow this`,
      "allow these keys s3:GetObject, s3:PutObject, s3:DeleteObject, s3:ListBucket and s3:AbortMultipartUpload",
    );
  if (FULL.has(name) || status === 507) return make("STORE_FULL", `${where} is full`, "make room in it");
  if (status === 0)
    return make("STORE_UNAVAILABLE", `${where} cannot be reached`, "start it, or correct ARTIFACTS_URL");
  return make("STORE_UNAVAILABLE", `${where} cannot be used now`, "try again; if it stays, look at its logs");
}
