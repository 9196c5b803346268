/** Builds an object for rules without an obvious contradiction. It may still break one, so it is judged afterwards. */
import type { JsonObject } from '../../../protocol/json.ts'
import { sample } from './array-build.ts'
import { type MemberOption, memberOptions, type ObjectRules } from './object.ts'
import type { Search } from './search.ts'

const MAX_MEMBERS = 200

export function buildObject(objects: ObjectRules, finder: Search): JsonObject | undefined {
  const value: JsonObject = {}
  for (const key of objects.required) {
    if (!extend(value, { key, value: objects.under(key) ?? [] }, finder)) return undefined
  }
  for (const rule of objects.wanted) {
    const ways = memberOptions(rule, objects, finder)
    if (!ways.some((way) => extend(value, way, finder))) return undefined
  }
  return filledUp(value, objects, finder)
}

/** Adds a member. Returns false if no key or no value was found for it. */
function extend(value: JsonObject, way: Omit<MemberOption, 'doubt'>, finder: Search): boolean {
  const key = typeof way.key === 'string' ? way.key : sample([...way.key, finder.noneOf(Object.keys(value))], finder)
  const item = typeof key === 'string' ? sample(way.value, finder) : undefined
  if (typeof key !== 'string' || item === undefined) return false
  // An assignment would not set `__proto__`.
  Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true })
  return true
}

function filledUp(value: JsonObject, objects: ObjectRules, finder: Search): JsonObject | undefined {
  if (objects.least > MAX_MEMBERS) return undefined
  for (const key of objects.known) {
    if (Object.keys(value).length >= objects.least) return value
    const goal = objects.under(key)
    if (goal !== undefined && !Object.hasOwn(value, key)) extend(value, { key, value: goal }, finder)
  }
  for (const kind of objects.kinds) {
    while (Object.keys(value).length < objects.least) {
      if (!extend(value, kind, finder)) break
    }
  }
  return Object.keys(value).length >= objects.least ? value : undefined
}
