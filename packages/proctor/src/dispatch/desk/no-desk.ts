// The desk of a hub that shares its runs with no worker: it carries them out itself.
import { ProctorError } from "../../core/errors.ts";
import type { WorkDesk } from "../../core/ports/work-desk.ts";

export const NO_DESK: WorkDesk = {
  beat: refuse,
  leave: refuse,
  claim: refuse,
  listen: refuse,
  append: refuse,
  release: refuse,
  read: refuse,
  events: refuse,
  usedUp: refuse,
  putBlob: refuse,
  readBlob: refuse,
  settle: refuse,
};

function refuse(): Promise<never> {
  const message =
    "this hub keeps its runs in SQLite and carries them out itself\n" +
    "To let workers carry them out, start the hub with DATABASE_URL=postgres://…; proctor migrate moves what it has.";
  return Promise.reject(new ProctorError("NOT_SUPPORTED", message));
}
