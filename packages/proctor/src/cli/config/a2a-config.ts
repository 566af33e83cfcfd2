// `a2a` of proctor.yaml: how the hub's agents answer clients of A2A, where the usual way is not theirs.
import { z } from "zod";

export const a2aSchema = z.strictObject({
  patch: z.enum(["1.0.0", "1.0.1"]).exactOptional(),
  unversioned_card: z.enum(["both", "1.0", "0.3"]).exactOptional(),
  repeated_messages: z.enum(["same", "new"]).exactOptional(),
});

export interface A2aConfig {
  /** Patch level of 1.0 whose statuses and media types are used in answers. */
  patch?: "1.0.0" | "1.0.1";
  /** Version of the card for clients that name no version. */
  unversionedCard?: "both" | "1.0" | "0.3";
  /** Task for a message that was already received: the same one as before, or a new one. */
  repeats?: "same" | "new";
}

export function readA2a(file: z.output<typeof a2aSchema>): A2aConfig {
  const { patch, unversioned_card: unversionedCard, repeated_messages: repeats } = file;
  return {
    ...(patch && { patch }),
    ...(unversionedCard && { unversionedCard }),
    ...(repeats && { repeats }),
  };
}
