// Part of bundling: libraries with native parts, or that look for files of their own, stay outside of a bundle.
export const EXTERNAL = [/^libsql/, /^@lydell\//, /^dockerode/, /^ajv/];
