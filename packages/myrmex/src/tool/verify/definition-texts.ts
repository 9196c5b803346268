/** Every text of a tool, resource or prompt that a caller can see, with its location: names, values and `_meta` included. */
import { pointer } from '../../protocol/json.ts'
import type { VerifyFinding } from './finding.ts'

export interface VisibleText {
  readonly where: string
  readonly text: string
  /** prose: written to be read. data: a name, a value, a pattern. example: a value that shows what a call looks like. */
  readonly kind: 'prose' | 'data' | 'example'
}

const PROSE = new Set(['title', 'description', 'security', 'migration', '$comment', 'markdownDescription'])
/** Below these keys are values, whatever their names are. */
const VALUES = new Set(['default', 'const', 'enum'])

/** A definition that is nested deeper tries to hide something. */
export const MAX_DEPTH = 100

/** More texts than this are not looked at; the scanner then reports that the definition is too long. */
export const MAX_TEXTS = 20_000

/** A definition that is nested so deep that nobody, the scanner included, reads it to its end. */
export function tooDeep(body: object): VerifyFinding[] {
  const path = deepPath(body, [])
  if (path === undefined) return []
  const message = `is nested deeper than ${MAX_DEPTH} levels; nobody can read that.`
  return [{ rule: 'too-deep', grade: 'block', where: pointer(path.slice(0, 4)), message }]
}

function deepPath(value: unknown, path: readonly string[]): readonly string[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (path.length > MAX_DEPTH) return path
  for (const [key, child] of Object.entries(value)) {
    const found = deepPath(child, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

export function visibleTexts(body: object): VisibleText[] {
  const texts: VisibleText[] = []
  visit(body, [], 'prose', texts)
  return texts
}

/** `below` is what a text here is, unless its own name says otherwise. */
function visit(value: unknown, path: readonly string[], below: VisibleText['kind'], texts: VisibleText[]): void {
  if (texts.length >= MAX_TEXTS) return
  if (typeof value === 'string') texts.push({ where: pointer(path), text: value, kind: below })
  if (typeof value !== 'object' || value === null || path.length > MAX_DEPTH) return
  for (const [key, child] of Object.entries(value)) {
    const here = [...path, key]
    if (!Array.isArray(value))
      texts.push({ where: pointer(here), text: key, kind: below === 'example' ? below : 'data' })
    visit(child, here, kindBelow(key, child, path, below), texts)
  }
}

function kindBelow(
  key: string,
  child: unknown,
  path: readonly string[],
  below: VisibleText['kind'],
): VisibleText['kind'] {
  if (below === 'example' || key === 'examples') return 'example'
  if (path.length === 1 && path[0] === 'errors') return 'prose'
  if (VALUES.has(key) || path.some((step) => VALUES.has(step))) return 'data'
  return typeof child === 'string' && PROSE.has(key) ? 'prose' : 'data'
}
