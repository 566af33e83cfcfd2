// The schema of labels, wherever they can be written.
import { z } from "zod";
import { LABEL, MAX_LABELS } from "../../core/labels.ts";

export const labelsSchema = z
  .array(z.string().regex(LABEL, "1 to 40 lower-case letters, digits, `.`, `_` or `-`"))
  .max(MAX_LABELS);
