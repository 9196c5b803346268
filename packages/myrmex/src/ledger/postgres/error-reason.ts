/** Explains errors of PostgreSQL and pg to the operator, with what to do if that is known. */

/** By SQLSTATE, or by the code of the operating system. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'PostgreSQL refuses connections; it is not running there',
  ENOTFOUND: 'the host name of PostgreSQL cannot be resolved',
  EAI_AGAIN: 'the host name of PostgreSQL cannot be resolved',
  ECONNRESET: 'the connection to PostgreSQL broke',
  EPIPE: 'the connection to PostgreSQL broke',
  ETIMEDOUT: 'PostgreSQL does not answer',
  EHOSTUNREACH: 'the host of PostgreSQL cannot be reached',
  ENETUNREACH: 'the host of PostgreSQL cannot be reached',
  '25006': 'the database is read-only',
  '28000': 'PostgreSQL refuses the user of the address',
  '28P01': 'PostgreSQL refuses the user or the password of the address',
  '3D000': 'the database does not exist; create it first',
  '3F000': 'its tables are not there; they were removed while it was open',
  '42501': 'the user of the address may not do that; it must own the schema myrmex, or be allowed to create it',
  '42P01': 'its tables are not there; they were removed while it was open',
  '53100': 'the disk of PostgreSQL is full',
  '53200': 'PostgreSQL has no memory left',
  '53300': 'PostgreSQL has no connection left to give',
  '57014': 'PostgreSQL took too long; another session may hold a lock',
  '57P01': 'PostgreSQL is shutting down, or somebody ended the connection',
  '57P02': 'PostgreSQL crashed and starts again',
  '57P03': 'PostgreSQL is starting or shutting down',
  XX001: 'the database is damaged; restore it from a copy',
  XX002: 'an index of the database is damaged; REINDEX may fix it',
}

/** For errors of pg without a code. */
const BY_WORDS: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'PostgreSQL does not answer'],
  [/connection terminated|not queryable/i, 'the connection to PostgreSQL broke'],
  [/after calling end/i, 'it is closed'],
  [/invalid url/i, 'its address is no URL'],
]

export function errorReason(error: unknown): string {
  const { code, message } = error as { code?: string; message: string }
  const known = code === undefined ? undefined : REASONS[code]
  if (known !== undefined) return known
  if (code?.startsWith('08')) return 'the connection to PostgreSQL broke'
  return BY_WORDS.find(([pattern]) => pattern.test(message))?.[1] ?? message
}
