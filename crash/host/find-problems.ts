/** Finds problems: lost calls of healthy servers, processes left over, more memory or handles than before. */
import type { CrashFindings } from './crash-test.ts'
import type { HeldResources } from './host-process.ts'

/** Of what it held when it was warm; garbage is collected first. */
const MOST_GROWTH = 0.1
const MEMORY = { heapBytes: 'its heap', outsideBytes: 'what is outside of its heap', residentBytes: 'what it occupies' }

/** Each link has a clock of its own, which goes on for as long as a call may take, whether one is waited for or not. */
const isClock = (kind: string): boolean => kind === 'Timeout'

/** What it holds more of than it did. */
export function leakedResources(before: HeldResources, after: HeldResources): string[] {
  const more: string[] = []
  if (after.files > before.files) more.push(`${after.files} files are open; there were ${before.files}`)
  for (const [kind, count] of Object.entries(after.handles)) {
    const most = (before.handles[kind] ?? 0) + (isClock(kind) ? after.servers : 0)
    if (count > most)
      more.push(`there are ${count} handles of the kind ${kind}; there were ${before.handles[kind] ?? 0}`)
  }
  for (const [key, words] of Object.entries(MEMORY) as [keyof typeof MEMORY, string][]) {
    if (after[key] > before[key] * (1 + MOST_GROWTH))
      more.push(`${words} has grown from ${before[key]} to ${after[key]} bytes`)
  }
  return more
}

/** Of each figure the smallest: what is free may not have been given back when it was looked at. */
function least(holdings: readonly HeldResources[]): HeldResources | undefined {
  const [first] = holdings
  const smallest = (key: keyof typeof MEMORY): number => Math.min(...holdings.map((holding) => holding[key]))
  return (
    first && {
      ...first,
      heapBytes: smallest('heapBytes'),
      outsideBytes: smallest('outsideBytes'),
      residentBytes: smallest('residentBytes'),
    }
  )
}

export function findProblems(found: CrashFindings): string[] {
  const { holdings, lost, orphans, calls } = found
  const wrong = [...found.problems]
  if (lost > 0) wrong.push(`${lost} of ${calls} calls of servers that were well are lost`)
  if (orphans > 0) wrong.push(`${orphans} processes are left`)
  const [before, after] = [least(holdings.slice(0, -1)), holdings.at(-1)]
  if (before === undefined || after === undefined) wrong.push('it was not looked at twice')
  else wrong.push(...leakedResources(before, after))
  return wrong
}
