/**
 * The options of public functions: a misspelled, invalid or missing one is refused. Without this, a server whose `token` is misspelled
 * would be open to everybody. Each function has one table with the check of every option, which must have all members of the interface.
 */
import { type ErrorType, ToolError } from '../protocol/errors.ts'
import { isObject } from '../protocol/json.ts'
import { clip, didYouMean } from '../protocol/text.ts'
import { shown } from './definition-faults.ts'
import { nearest } from './nearest.ts'

/** What is wrong with a value, as it is read after the name of the option: `must be a function`. Undefined if nothing is. */
export type OptionCheck = (value: unknown) => string | undefined

/** The check of every option. An optional one that is undefined is not checked. */
export type OptionChecks<Options> = { readonly [Name in keyof Required<Options>]: OptionCheck }

const MAX_FAULTS = 20
const MAX_NAMES = 500

/**
 * Throws an error that names everything that is wrong. `what` has the options, such as `listenHttp()`. Faults in the options of one call are a
 * ValidationError, everything else a RegistrationError.
 */
export function checkOptions<Options>(
  what: string,
  options: unknown,
  checks: OptionChecks<Options>,
  type: ErrorType = 'RegistrationError',
): void {
  throwFaults(what, optionFaults(what, options, checks, type), type)
}

/** Throws if `options` is no object at all. */
export function optionFaults<Options>(
  what: string,
  options: unknown,
  checks: OptionChecks<Options>,
  type: ErrorType = 'RegistrationError',
): string[] {
  if (!isObject(options) || isPromise(options))
    throw ToolError.of(type, `The options of ${what} must be an object, not ${given(options)}`)
  const faults: string[] = []
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(checks, name))
  if (unknown.length > 0) faults.push(...unknownOptions(unknown, Object.keys(checks)))
  for (const name in checks) {
    const check = checks[name]
    const fault = options[name] === undefined && !REQUIRED.has(check) ? undefined : check(options[name])
    if (fault !== undefined) faults.push(`${name} ${fault}`)
  }
  return faults
}

export function throwFaults(what: string, faults: readonly string[], type: ErrorType = 'RegistrationError'): void {
  const [first, ...more] = faults
  if (first === undefined) return
  const text = more.length === 0 ? first : listedFaults(faults)
  const head = more.length === 0 ? what : `${what} has ${faults.length} faults`
  throw ToolError.of(type, `${head}: ${text}`, { faults: [...faults] })
}

/** In one text. Of many, the first. */
export function listedFaults(faults: readonly string[]): string {
  const hidden = faults.length - MAX_FAULTS
  return `${faults.slice(0, MAX_FAULTS).join('; ')}${hidden > 0 ? `; and ${hidden} more` : ''}`
}

function unknownOptions(names: readonly string[], known: readonly string[]): string[] {
  const near = names.map((name) => [name, nearest(name, known, 1)] as const)
  const faults = near
    .filter(([, meant]) => meant.length > 0)
    .map(([name, meant]) => `${shown(name)} is not a known option.${didYouMean(meant)}`)
  const far = near.filter(([, meant]) => meant.length === 0).map(([name]) => shown(name))
  if (far.length === 0) return faults
  const are = far.length === 1 ? 'is not a known option' : 'are not known options'
  return [...faults, `${clip(far.join(', '), MAX_NAMES)} ${are}. Known options: ${known.join(', ')}`]
}

const isPromise = (value: unknown): boolean => value instanceof Promise

/** A value in a message. */
const given = (value: unknown): string => (isPromise(value) ? 'a Promise. Was an await forgotten?' : shown(value))

const REQUIRED = new WeakSet<OptionCheck>()

/** The option must be there. */
export function required(check: OptionCheck): OptionCheck {
  const checked: OptionCheck = (value) => (value === undefined ? 'is missing' : check(value))
  REQUIRED.add(checked)
  return checked
}

const must =
  (accepts: (value: unknown) => boolean, words: string): OptionCheck =>
  (value) =>
    accepts(value) ? undefined : `must be ${words}, not ${given(value)}`

/** A text, which may be empty. */
export const isText: OptionCheck = must((value) => typeof value === 'string', 'a text')

/** The error does not show it. */
export const isSecretText: OptionCheck = (value) => (typeof value === 'string' ? undefined : 'must be a text')

export const isFilledText: OptionCheck = (value) =>
  typeof value === 'string' && value.trim() === '' ? 'is empty' : isText(value)

export const isFlag: OptionCheck = must((value) => typeof value === 'boolean', 'true or false')

export const isCallback: OptionCheck = must((value) => typeof value === 'function', 'a function')

export const isTextList: OptionCheck = must(
  (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
  'a list of texts',
)

export const isChoice = (choices: readonly string[]): OptionCheck =>
  must((value) => choices.includes(value as string), choices.map(shown).join(' or '))

export const isObjectOption: OptionCheck = must((value) => isObject(value) && !isPromise(value), 'an object')

export const isWholeNumber = (from: number, to: number = Number.MAX_SAFE_INTEGER): OptionCheck =>
  must(
    (value) => Number.isSafeInteger(value) && (value as number) >= from && (value as number) <= to,
    to === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${from}` : `a whole number from ${from} to ${to}`,
  )

/** The longest time that a timer takes: 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Milliseconds that a timer takes. */
export const isDuration = (from: number): OptionCheck =>
  must(
    (value) => typeof value === 'number' && value >= from && value <= MAX_TIMER_MS,
    `a number of milliseconds from ${from} to ${MAX_TIMER_MS}`,
  )

/** An object with these methods, or other members that are no undefined. */
export const isWith = (members: readonly string[], words: string): OptionCheck =>
  must(
    (value) =>
      typeof value === 'object' && value !== null && members.every((name) => Reflect.get(value, name) !== undefined),
    words,
  )

export const isInstance = (type: abstract new (...args: never) => unknown, words: string): OptionCheck =>
  must((value) => value instanceof type, words)
