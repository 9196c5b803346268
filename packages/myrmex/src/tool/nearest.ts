/**
 * The names that a mistyped one may mean. Only near ones: a guess that has nothing to do with what was typed leads a model to another
 * tool. Near is a name with few other letters, with two letters swapped, or of which only a part was typed. What both names begin with,
 * such as their module, does not count, so that two tools of one module are not near because of it.
 */
import { distance } from 'fastest-levenshtein'

/** Longer input is not a typing mistake, and comparing it would cost more than it helps. */
const MAX_LENGTH = 200
/** Shorter parts of a name say too little. */
const MIN_PART = 3

/** The nearest first, at most `count`; none if no name is near. */
export function nearest(name: string, known: Iterable<string>, count = 3): string[] {
  const wanted = name.slice(0, MAX_LENGTH).toLowerCase()
  const near: { candidate: string; far: number }[] = []
  for (const candidate of known) {
    const lower = candidate.toLowerCase()
    if (isNear(wanted, lower)) near.push({ candidate, far: distance(wanted, lower) })
  }
  return near
    .sort((a, b) => a.far - b.far || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, count)
    .map(({ candidate }) => candidate)
}

/** The tool may be named without its module, or with another one. */
function isNear(wanted: string, candidate: string): boolean {
  const [tool, bare] = [withoutModule(wanted), withoutModule(candidate)]
  return isNearText(wanted, candidate) || (bare !== candidate && isNearText(tool, bare))
}

const withoutModule = (name: string): string => name.slice(name.lastIndexOf('.') + 1)

function isNearText(wanted: string, candidate: string): boolean {
  if (wanted === candidate || isPart(wanted, candidate)) return true
  const start = sharedStart(wanted, candidate)
  const [a, b] = [wanted.slice(start), candidate.slice(start)]
  const length = Math.max(a.length, b.length)
  const most = length === 2 ? 1 : Math.floor(length / 3)
  return distance(a, b) <= most || hasSameLetters(a, b)
}

/** Something is missing at the end of the typed name, or is too much there. */
function isPart(wanted: string, candidate: string): boolean {
  if (candidate.startsWith(wanted)) return wanted.length >= MIN_PART
  return wanted.startsWith(candidate) && candidate.length >= Math.max(MIN_PART, wanted.length / 2)
}

/** How many characters of whole words both begin with. */
function sharedStart(a: string, b: string): number {
  let start = 0
  for (let at = 0; at < a.length && a[at] === b[at]; at++) if (SEPARATORS.has(a[at] as string)) start = at + 1
  return start
}

const SEPARATORS = new Set('._-/:')

const hasSameLetters = (a: string, b: string): boolean =>
  a.length === b.length && a.length > 1 && [...a].sort().join('') === [...b].sort().join('')
