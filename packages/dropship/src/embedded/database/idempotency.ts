/**
 * Makes changes happen once. The key is written in the same transaction as the change, so that both exist or neither. A repeated
 * call with the same key returns the stored result and changes nothing; another request under a used key is rejected.
 */
import { createHash } from 'node:crypto'
import { ToolError } from 'myrmex'
import type { IdempotencyKey } from '../../ports.ts'
import type { Store } from './store.ts'

const MAX_KEY_LENGTH = 512

/**
 * `method` names the port's method and `request` holds all of its arguments. The result goes through JSON even the first time, so
 * that the first and the repeated result are the same.
 */
export async function runOnce<Result>(
  store: Store,
  method: string,
  key: IdempotencyKey,
  request: unknown,
  work: () => Result,
): Promise<Result> {
  if (key === undefined) return store.write(work)
  if (key === '' || key.length > MAX_KEY_LENGTH) {
    throw new ToolError('ValidationError', `A key has 1 to ${MAX_KEY_LENGTH} characters; this one has ${key.length}.`)
  }
  const signature = `${method} ${createHash('sha256').update(canonicalText(request)).digest('hex')}`
  const result = store.write(() => {
    const recorded = store.find('keys', { key })
    if (recorded !== undefined) {
      if (recorded.what !== signature) throw keyReusedError(key, method, recorded.what)
      return recorded.result
    }
    const text = JSON.stringify(work() ?? null)
    store.insert('keys', { key, what: signature, result: text, made_on: store.today() })
    return text
  })
  return JSON.parse(result) as Result
}

/** The result that one of these methods recorded under the key; undefined for a new key or another method's. */
export function findRecordedResult<Result>(
  store: Store,
  methods: readonly string[],
  key: IdempotencyKey,
): Result | undefined {
  if (key === undefined) return undefined
  const recorded = store.find('keys', { key })
  if (recorded === undefined || !methods.includes(methodOf(recorded.what))) return undefined
  return JSON.parse(recorded.result) as Result
}

const methodOf = (signature: string): string => signature.slice(0, signature.indexOf(' '))

function keyReusedError(key: string, method: string, signature: string): ToolError {
  const used_for = methodOf(signature)
  const other = used_for === method ? `${method} with another request` : used_for
  return new ToolError(
    'ValidationError',
    `The key ${JSON.stringify(key)} was used for ${other}. Use a new key for a new request.`,
    { key, used_for, asked_for: method },
  )
}

/** Equal requests give equal texts, in whatever order their fields are. */
export const canonicalText = (value: unknown): string => JSON.stringify(value, sortFields) ?? 'null'

const sortFields = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
