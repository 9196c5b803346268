/** Many tools with the same fault are one finding, at the first of them: twelve lines that say the same hide the thirteenth. */
import type { TextLocation } from '../document.ts'
import type { AlsoFound, RuleFinding } from './finding.ts'

/** This many tools are reported one by one. */
const FEW = 2
/** Lines that a message lists. */
const MAX_LINES = 5

export interface FoldedFinding extends RuleFinding {
  readonly also?: readonly AlsoFound[]
}

export function fold(findings: readonly RuleFinding[]): FoldedFinding[] {
  const groups = Map.groupBy(findings, ({ message, same, severity }) => JSON.stringify([same ?? message, severity]))
  const folded = new Set<RuleFinding>()
  const first = new Map<RuleFinding, FoldedFinding>()
  for (const group of groups.values()) {
    if (new Set(group.map(({ tool }) => tool)).size <= FEW) continue
    const [one, ...others] = group as [RuleFinding, ...RuleFinding[]]
    for (const other of others) folded.add(other)
    const message = `${one.message} The same in ${linesOf(others.map(({ location }) => location))}.`
    first.set(one, { ...one, message, also: others.map(alsoFound) })
  }
  return findings.filter((finding) => !folded.has(finding)).map((finding) => first.get(finding) ?? finding)
}

const alsoFound = ({ location: { line, column }, tool }: RuleFinding): AlsoFound => ({
  line,
  column,
  ...(tool !== undefined && { tool }),
})

function linesOf(locations: readonly TextLocation[]): string {
  const lines = locations.map(({ line }) => line)
  const shown = lines.slice(0, MAX_LINES).join(', ')
  return lines.length > MAX_LINES ? `lines ${shown} and ${lines.length - MAX_LINES} more` : `lines ${shown}`
}
