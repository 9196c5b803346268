/** Builds an object for rules without an obvious contradiction. It may still break one, so it is judged afterwards. */
import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { Literal } from '../formula/interned-schema.ts'
import type { ValueFinder } from './array.ts'
import { sample } from './array-build.ts'
import { type KeyClass, type MemberOption, memberOptions, type ObjectRules } from './object.ts'

const MAX_MEMBERS = 200

export function buildObject(objects: ObjectRules, finder: ValueFinder): JsonObject | undefined {
  const value: JsonObject = {}
  for (const key of objects.required) {
    const item = sample(objects.under(key) ?? [], finder)
    if (item === undefined) return undefined
    put(value, key, item)
  }
  for (const rule of objects.wanted) {
    const ways = memberOptions(rule, objects, finder)
    const isMet = ways.some((way) => extend(value, way, rule.value, rule.key, objects, finder))
    if (!isMet) return undefined
  }
  return filledUp(value, objects, finder)
}

/** Sets any key, also `__proto__`. */
function put(value: JsonObject, key: string, item: Json): void {
  Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true })
}

function extend(
  value: JsonObject,
  way: MemberOption,
  wanted: Literal,
  named: Literal | undefined,
  objects: ObjectRules,
  finder: ValueFinder,
): boolean {
  const key = way.key ?? freshKey(value, way.kind as KeyClass, named, finder)
  if (key === undefined) return false
  const goal = way.key === undefined ? (way.kind as KeyClass).value : (objects.under(key) ?? [])
  const item = sample([...goal, wanted], finder)
  if (item === undefined) return false
  put(value, key, item)
  return true
}

function freshKey(
  value: JsonObject,
  kind: KeyClass,
  named: Literal | undefined,
  finder: ValueFinder,
): string | undefined {
  const taken = Object.keys(value)
  const goal = [
    ...kind.key,
    ...(named === undefined ? [] : [named]),
    ...(taken.length === 0 ? [] : [finder.noneOf(taken)]),
  ]
  const key = sample(goal, finder)
  return typeof key === 'string' ? key : undefined
}

function filledUp(value: JsonObject, objects: ObjectRules, finder: ValueFinder): JsonObject | undefined {
  if (objects.least > MAX_MEMBERS) return undefined
  for (const key of objects.known) {
    if (Object.keys(value).length >= objects.least) return value
    const goal = objects.under(key)
    const item = goal === undefined || Object.hasOwn(value, key) ? undefined : sample(goal, finder)
    if (item !== undefined) put(value, key, item)
  }
  for (const kind of objects.kinds) {
    while (Object.keys(value).length < objects.least) {
      const key = freshKey(value, kind, undefined, finder)
      const item = key === undefined ? undefined : sample(kind.value, finder)
      if (key === undefined || item === undefined) break
      put(value, key, item)
    }
  }
  return Object.keys(value).length >= objects.least ? value : undefined
}
