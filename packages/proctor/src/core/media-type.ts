// The media type of a file by its extension, where nothing else names one, and which types are text.

const TYPES: Readonly<Record<string, string>> = {
  avif: "image/avif",
  bin: "application/octet-stream",
  c: "text/x-c",
  css: "text/css",
  csv: "text/csv",
  dat: "application/octet-stream",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  exe: "application/octet-stream",
  gif: "image/gif",
  gz: "application/gzip",
  htm: "text/html",
  html: "text/html",
  ics: "text/calendar",
  ipynb: "application/x-ipynb+json",
  java: "text/x-java",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript",
  json: "application/json",
  jsonl: "application/jsonl",
  log: "text/plain",
  md: "text/markdown",
  mjs: "text/javascript",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
  pdf: "application/pdf",
  png: "image/png",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  py: "text/x-python",
  rs: "text/x-rust",
  sh: "application/x-sh",
  sql: "application/sql",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  toml: "application/toml",
  ts: "text/x-typescript",
  tsv: "text/tab-separated-values",
  txt: "text/plain",
  wav: "audio/wav",
  webm: "video/webm",
  webp: "image/webp",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

/** The media type of bytes whose type is not known. */
export const UNKNOWN_TYPE = "application/octet-stream";

/** Returns undefined where the extension says nothing. */
export function mediaTypeOf(fileName: string): string | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
}

/** Types that are text though they do not begin with `text/`. */
const TEXTS =
  /^(?:text\/.+|application\/(?:(?:.+\+)?(?:json|xml|yaml)|jsonl|x-ndjson|toml|sql|x-sh|javascript))$/;

/** Returns whether bytes of this type are text in UTF-8: a type that names another encoding is not. */
export function isTextType(mediaType: string): boolean {
  const [name = "", ...parameters] = mediaType.toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  return (
    TEXTS.test(name.trim()) && (charset === undefined || /^charset="?(?:utf-?8|us-ascii)"?$/.test(charset))
  );
}
