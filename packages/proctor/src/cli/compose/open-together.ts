// Opens what has several parts: where one of them cannot be opened, those that are open already are closed.

interface Closing {
  close(): Promise<void>;
}

/** Calls `open`, and when it throws closes everything that it kept, the last first. */
export async function openTogether<T>(
  open: (keep: <P extends Closing>(part: P) => P) => Promise<T>,
): Promise<T> {
  const kept: Closing[] = [];
  try {
    return await open((part) => {
      kept.unshift(part);
      return part;
    });
  } catch (error) {
    for (const part of kept) await part.close().catch(() => undefined);
    throw error;
  }
}
