/**
 * Effects that happen once. A key is written in the transaction of its effect: both are there or neither. Who comes again
 * with the same key gets the stored result and changes nothing; who comes with another request under it is refused.
 */
import { createHash } from 'node:crypto'
import { ToolError } from 'myrmex'
import type { IdempotencyKey } from '../../ports.ts'
import type { Store } from './store.ts'

const LONGEST_KEY = 512

/**
 * `what` names the port's method, `request` is all that it was asked for. What `work` returns is answered as JSON keeps it,
 * so that the first answer and the repeated one are the same.
 */
export async function runOnce<Result>(
  store: Store,
  what: string,
  key: IdempotencyKey,
  request: unknown,
  work: () => Result,
): Promise<Result> {
  if (key === undefined) return store.write(work)
  if (key === '' || key.length > LONGEST_KEY) {
    throw new ToolError('ValidationError', `A key has 1 to ${LONGEST_KEY} characters; this one has ${key.length}.`)
  }
  const signature = `${what} ${createHash('sha256').update(canonicalText(request)).digest('hex')}`
  const result = store.write(() => {
    const before = store.first(store.kysely.selectFrom('keys').select(['what', 'result']).where('key', '=', key))
    if (before !== undefined) {
      if (before.what !== signature) throw keyReusedError(key, what, before.what)
      return before.result
    }
    const made = JSON.stringify(work() ?? null)
    const row = { key, what: signature, result: made, made_on: store.today() }
    store.run(store.kysely.insertInto('keys').values(row))
    return made
  })
  return JSON.parse(result) as Result
}

/** What one of these methods made under the key; undefined where the key is new, or another's. */
export function findRecordedResult<Result>(
  store: Store,
  methods: readonly string[],
  key: IdempotencyKey,
): Result | undefined {
  if (key === undefined) return undefined
  const made = store.first(store.kysely.selectFrom('keys').select(['what', 'result']).where('key', '=', key))
  if (made === undefined || !methods.includes(methodOf(made.what))) return undefined
  return JSON.parse(made.result) as Result
}

const methodOf = (signature: string): string => signature.slice(0, signature.indexOf(' '))

function keyReusedError(key: string, what: string, before: string): ToolError {
  const method = methodOf(before)
  const other = method === what ? `${what} with another request` : method
  return new ToolError(
    'ValidationError',
    `The key ${JSON.stringify(key)} was used for ${other}. Use a new key for a new request.`,
    { key, used_for: method, asked_for: what },
  )
}

/** The same request gives the same text, whatever the order of its fields. */
export const canonicalText = (value: unknown): string => JSON.stringify(value, ordered) ?? 'null'

const ordered = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value
