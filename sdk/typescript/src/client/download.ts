// The bytes of an artifact as they arrive. A body that is cut off fails; it is never taken for a complete one.

export interface Download {
  fileName: string | undefined;
  contentType: string;
  sizeBytes: number | undefined;
  body: ReadableStream<Uint8Array>;
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
}

export function openDownload(response: Response): Download {
  const { headers } = response;
  const size = headers.get("content-length");
  return {
    fileName: fileNameOf(headers.get("content-disposition") ?? ""),
    contentType: headers.get("content-type") ?? "application/octet-stream",
    sizeBytes: size === null ? undefined : Number(size),
    body: response.body ?? new Blob([]).stream(),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
  };
}

/** RFC 6266: `filename*` is preferred to `filename`. The name is not checked: a caller that writes to disk must do so. */
function fileNameOf(disposition: string): string | undefined {
  const exact = /filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (exact !== undefined) {
    try {
      return decodeURIComponent(exact);
    } catch {
      // A malformed `filename*` is ignored, and `filename` is used.
    }
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1];
}
