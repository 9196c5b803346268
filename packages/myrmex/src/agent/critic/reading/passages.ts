/** The texts of an output, each with its place: the text itself, or every string of the data, in the order they stand. */
import { isObject, pointer } from '../../../protocol/json.ts'

/** A value and the one it is in. A pointer is built only for reports, so deep data costs no more than flat. */
export interface Leaf {
  readonly value: unknown
  /** of the value within the one above; the outermost value has none */
  readonly key: string
  readonly above?: Leaf
  /** the name of a property, which is text where it is written to be read */
  readonly isKey?: boolean
}

/** Deeper places are named by their beginning. */
const NAMED = 20

export function pointerOf(leaf: Leaf): string {
  const keys: string[] = []
  for (let here = leaf; here.above !== undefined; here = here.above) keys.push(here.key)
  keys.reverse()
  return keys.length > NAMED ? `${pointer(keys.slice(0, NAMED))}/…` : pointer(keys)
}

/** Every value that holds no others, without recursion and each object once: no depth and no cycle is too much. */
export function* leavesOf(value: unknown): Generator<Leaf> {
  const seen = new Set<object>()
  const waiting: Leaf[] = [{ value, key: '' }]
  for (let leaf = waiting.pop(); leaf !== undefined; leaf = waiting.pop()) {
    if (leaf.isKey || typeof leaf.value !== 'object' || leaf.value === null) {
      yield leaf
      continue
    }
    if (seen.has(leaf.value)) continue
    seen.add(leaf.value)
    const children = childrenOf(leaf.value, leaf)
    if (children.length === 0) yield leaf
    for (const child of children.reverse()) waiting.push(child)
  }
}

function childrenOf(value: object, above: Leaf): Leaf[] {
  return Object.entries(value).flatMap(([key, child]): Leaf[] => {
    const isText = !Array.isArray(value) && /\s/.test(key)
    const name = isText ? [{ value: key, key, above, isKey: true }] : []
    return [...name, { value: child, key, above }]
  })
}

/** Nothing was made: nothing at all, or only blanks. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0)
