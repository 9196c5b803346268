/** What makes an effect happen once. */

/** What an effect is told beside its request. Undefined: the caller does not mind doing it twice. */
export type IdempotencyKey = string | undefined
