/** Every text of a tool that a caller can see, with its location. */
import { pointer } from '../../protocol/json.ts'

export interface VisibleText {
  readonly where: string
  readonly text: string
  /** prose: written to be read. data: a name, a value, a pattern. example: a value that shows what a call looks like. */
  readonly kind: 'prose' | 'data' | 'example'
}

const PROSE = new Set(['title', 'description', 'security', '$comment', 'markdownDescription'])
/** Below these keys are values, whatever their names are. */
const VALUES = new Set(['default', 'const', 'enum'])

/** A definition that is nested deeper tries to hide something. */
export const MAX_DEPTH = 100

export function visibleTexts(body: object): VisibleText[] {
  const texts: VisibleText[] = []
  visit(body, [], 'prose', texts)
  return texts
}

/** `below` is what a text here is, unless its own name says otherwise. */
function visit(value: unknown, path: readonly string[], below: VisibleText['kind'], texts: VisibleText[]): void {
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
