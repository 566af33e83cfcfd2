// One bucket, one database. Bytes with the same content have the same name, and only rows of the database say who needs them: a second
// database on the bucket would remove what the first refers to. So the bucket keeps the id of the one that it belongs to.
import { ProctorError } from "../../core/errors.ts";
import type { Bucket } from "./s3-bucket.ts";

export const OWNER_KEY = "proctor-owner";
/** Bytes that are read of the id, more than any id has. */
const MAX_BYTES = 200;

/** Claims the bucket; `where` names it in messages. Throws CONFIG_INVALID. */
export async function claimBucket(
  bucket: Pick<Bucket, "get" | "put">,
  databaseId: string,
  where: string,
): Promise<void> {
  if ((await ownerOf(bucket)) === undefined) await bucket.put(OWNER_KEY, Buffer.from(databaseId));
  // Read again: another process may have been first in the same moment.
  const owner = await ownerOf(bucket);
  if (owner === undefined || owner === databaseId) return;
  throw new ProctorError(
    "CONFIG_INVALID",
    `the bucket ${where} holds the artifacts of another database, and each would remove what the other needs\n` +
      `Create a bucket for this one and name it in ARTIFACTS_URL. If this database took the place of the other, remove the object ${OWNER_KEY}.`,
  );
}

async function ownerOf(bucket: Pick<Bucket, "get">): Promise<string | undefined> {
  const content = await bucket.get(OWNER_KEY, { start: 0, end: MAX_BYTES });
  return content === undefined ? undefined : new Response(content).text();
}
