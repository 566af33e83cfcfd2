// How deep messages of gRPC may be nested, at both ends.

/** A Struct takes two messages for each of its levels. */
export const BINARY_OPTIONS = { recursionLimit: 600 };
