// What a program left running may still write where the program wrote. It is read and dropped, so that it neither waits nor dies of
// a broken pipe; and it keeps nobody from ending.

export function letGo(stream: NodeJS.ReadableStream): void {
  stream.removeAllListeners("data");
  stream.resume();
  if ("unref" in stream && typeof stream.unref === "function") stream.unref();
}
