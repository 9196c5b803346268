/**
 * Numbers: whether one can meet bounds, multiples and exceptions, and which one. Multiples are compared up to 2^53. Beyond that,
 * division is rounded, also in the validator.
 */
import { isMultiple } from '../../json-schema/judge-scalar.ts'
import type { Atom } from '../formula/formula.ts'
import { foundValue, NO_VALUE, type SearchResult, unknownResult } from './search-result.ts'

/** Whether every multiple of `a` is certainly a multiple of `b`, also for the validator, which divides and rounds. */
function isMultipleOfMultiple(a: number, b: number): boolean {
  if (a === b) return true
  const ratio = a / b
  if (!Number.isInteger(ratio)) return false
  // Dividing by a power of two is exact. Short binary fractions have exact products; 0.1 has not.
  return 2 ** Math.round(Math.log2(ratio)) === ratio || (isShort(a) && isShort(b))
}

const isShort = (value: number): boolean => Number.isInteger(value * 1024) && value < 2 ** 31

class Rules {
  low = Number.NEGATIVE_INFINITY
  lowOpen = false
  high = Number.POSITIVE_INFINITY
  highOpen = false
  readonly whole = new Set<boolean>()
  readonly multiples: number[] = []
  readonly others: number[] = []
  readonly excluded = new Set<number>()
}

function gather(one: Atom, rules: Rules): void {
  if (one.is === 'low' && (one.bound > rules.low || (one.bound === rules.low && one.open))) {
    rules.low = one.bound
    rules.lowOpen = one.open
  } else if (one.is === 'high' && (one.bound < rules.high || (one.bound === rules.high && one.open))) {
    rules.high = one.bound
    rules.highOpen = one.open
  } else if (one.is === 'whole') rules.whole.add(one.holds)
  else if (one.is === 'multiple') (one.holds ? rules.multiples : rules.others).push(one.of)
  else if (one.is === 'values' && !one.holds) for (const value of one.values) rules.excluded.add(value as number)
}

export function decideNumber(atoms: readonly Atom[]): SearchResult {
  const rules = new Rules()
  for (const one of atoms) gather(one, rules)
  if (isEmptyByRule(rules)) return NO_VALUE
  const few = listed(rules)
  const candidates = few ?? likely(rules)
  for (const value of candidates) if (Number.isFinite(value) && isAllowed(value, rules)) return foundValue(value)
  return few !== undefined ? NO_VALUE : unknownResult('no number was found that meets all bounds and multiples')
}

function isAllowed(value: number, rules: Rules): boolean {
  const { low, lowOpen, high, highOpen, whole, multiples, others, excluded } = rules
  if (lowOpen ? value <= low : value < low) return false
  if (highOpen ? value >= high : value > high) return false
  if (whole.has(!Number.isInteger(value)) || excluded.has(value)) return false
  return multiples.every((of) => isMultiple(value, of)) && !others.some((of) => isMultiple(value, of))
}

function isEmptyByRule({ low, lowOpen, high, highOpen, whole, multiples, others }: Rules): boolean {
  if (low > high || (low === high && (lowOpen || highOpen))) return true
  if (whole.size === 2) return true
  if (whole.has(false) && multiples.some((of) => Number.isInteger(of))) return true
  const steps = whole.has(true) ? [...multiples, 1] : multiples
  return others.some((other) => steps.some((step) => isMultipleOfMultiple(step, other)))
}

const FEW = 2_000

/** All possible numbers, if they are few. */
function listed(rules: Rules): number[] | undefined {
  const { low, high, whole, multiples } = rules
  if (low === high) return [low]
  if (adjacent(low, high)) return [low, high]
  const step = Math.max(whole.has(true) ? 1 : 0, ...multiples.filter(isShort))
  if (step === 0 || Math.abs(low) > 2 ** 53 || Math.abs(high) > 2 ** 53) return undefined
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)]
  if (last - first >= FEW) return undefined
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => (first + index) * step)
}

/** There is no number between them. */
function adjacent(low: number, high: number): boolean {
  const middle = low / 2 + high / 2
  return Number.isFinite(middle) && (middle <= low || middle >= high)
}

/** Numbers near the bounds, where rules differ. */
function likely({ low, high, whole, multiples, excluded }: Rules): Iterable<number> {
  const bases = [low, high, 0, low / 2 + high / 2].filter(Number.isFinite)
  const steps = [...multiples, ...(whole.has(true) ? [] : [0.5, 0.1, 1e-7]), 1, product(multiples)]
  const values = new Set<number>()
  const reach = (multiples.every(isShort) ? 12 : 24) + Math.min(excluded.size, 500)
  for (const base of bases) {
    values.add(base)
    for (const step of steps) {
      const start = Math.round(base / step)
      for (let turn = 0; turn <= reach; turn++) {
        for (const value of [(start + turn) * step, (start - turn) * step]) {
          // 3 * 0.1 is not exactly 0.3.
          values.add(value).add(Number(value.toPrecision(12)))
        }
      }
    }
    for (const shift of [0.5, 0.25, 1e-3, 1e3, 1e9]) values.add(base + shift).add(base - shift)
  }
  if (Number.isFinite(low) && Number.isFinite(high)) {
    for (let part = 1; part < 8; part++) values.add(low + ((high - low) * part) / 8)
  }
  // Short ones are easier to read.
  return [...values].sort((a, b) => String(a).length - String(b).length || Math.abs(a) - Math.abs(b))
}

const product = (multiples: readonly number[]): number => multiples.reduce((a, b) => a * b, 1)
