// Part of bundling: libraries that have native parts or look for files of their own stay outside of a bundle.
export const EXTERNAL = [/^libsql/, /^@lydell\//, /^dockerode/, /^ajv/];
