// Schemas that both task APIs share, for the OpenAPI document.
import { z } from "zod";
import { TASK_STATUSES } from "./task-status.ts";

export const TaskStatus = z.enum(TASK_STATUSES).meta({ id: "TaskStatus" });

/** A part of a form with a file name. */
export const UploadedFile = z.string().meta({ format: "binary", description: "At most 50 MB." });

/** Relative, with `/` between names, or nothing; `..` is refused as well. */
export const RELATIVE_PATH = "^([^/\\\\\\x00-\\x1f\\x7f][^\\\\\\x00-\\x1f\\x7f]*)?$";

/** Fifteen digits, as they are read. */
export const MAX_SEQ = 999_999_999_999_999;
