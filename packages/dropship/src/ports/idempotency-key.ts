/** The key that makes a change happen once: a repeated call with the same key returns the first result. */

/** Undefined: the caller accepts that a repeated call repeats the change. */
export type IdempotencyKey = string | undefined
