// The group of operations in the reference.
export const TAG = "Envelopes";
