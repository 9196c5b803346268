/**
 * Conditions on arguments, for the rules of the policy and the constitution. If a bound cannot be checked, because the argument
 * is missing or of another type, it counts as exceeded: asking once too often is the safe side.
 */
import { canonical } from '../../protocol/canonical.ts'
import { ToolError } from '../../protocol/errors.ts'
import { pointerSteps, valueAtPath } from '../../protocol/json.ts'
import { linearPattern } from '../../protocol/linear-pattern.ts'
import type { Condition } from './operator-schema.ts'

/** Of the arguments of a call. */
export type ArgumentTest = (args: unknown) => boolean
/** Of the one value a condition is about; undefined where there is none. */
type Test = (value: unknown) => boolean

/** A longer text is not searched and counts as matching. */
const MAX_TEXT_LENGTH = 4096

export const COMPARISONS = {
  above: (value: number, limit: number) => value > limit,
  at_least: (value: number, limit: number) => value >= limit,
  below: (value: number, limit: number) => value < limit,
  at_most: (value: number, limit: number) => value <= limit,
}

const bound =
  (name: keyof typeof COMPARISONS) =>
  (limit: number): Test =>
  (value) =>
    typeof value !== 'number' || Number.isNaN(value) || COMPARISONS[name](value, limit)

/** Two values are the same if their canonical JSON is. */
function isOneOf(given: readonly unknown[]): Test {
  const texts = new Set(given.map(canonical))
  return (value) => value !== undefined && texts.has(canonical(value))
}

const not =
  (test: Test): Test =>
  (value) =>
    !test(value)

type Operators = {
  readonly [Name in Exclude<keyof Condition, 'argument'>]-?: (given: NonNullable<Condition[Name]>) => Test
}

const OPERATORS: Operators = {
  above: bound('above'),
  at_least: bound('at_least'),
  below: bound('below'),
  at_most: bound('at_most'),
  longer_than: (limit) => (value) =>
    typeof value === 'string' ? [...value].length > limit : !Array.isArray(value) || value.length > limit,
  matches: (source) => {
    const matches = linearPattern(source)
    return (value) => typeof value !== 'string' || value.length > MAX_TEXT_LENGTH || matches(value)
  },
  equals: (given) => isOneOf([given]),
  not_equals: (given) => not(isOneOf([given])),
  one_of: isOneOf,
  not_one_of: (given) => not(isOneOf(given)),
  present: () => (value) => value !== undefined,
  absent: () => (value) => value === undefined,
}

/** Throws ToolError for a pattern it cannot use. */
export function compileCondition({ argument, ...given }: Condition): ArgumentTest {
  const path = pathOf(argument)
  const tests = Object.entries(given)
    .filter(([, operand]) => operand !== undefined)
    // Each operator takes what the schema has checked it was given.
    .map(([name, operand]) => (OPERATORS[name as keyof Operators] as (given: unknown) => Test)(operand))
  return (args) => {
    const value = valueAtPath(args, path)
    return tests.every((holds) => holds(value))
  }
}

export const OPERATOR_NAMES = Object.keys(OPERATORS) as (keyof Operators)[]

export const isPointer = (text: string): boolean => /^(\/([^~]|~[01])*)?$/.test(text)

/** The steps of a JSON pointer (RFC 6901). */
function pathOf(pointer: string): string[] {
  if (!isPointer(pointer)) throw ToolError.of('ValidationError', `${pointer} is not a JSON pointer`)
  return pointerSteps(pointer)
}
