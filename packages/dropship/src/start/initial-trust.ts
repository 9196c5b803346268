/**
 * Whoever sets up the shop trusts its own tools as they are at that moment, once. Every change of state still needs a yes: of the
 * plan, or of the call. A tool that somebody has decided about, or that has changed since, is left to people.
 */
import type { Ledger, Tool } from 'myrmex'

export interface InitialTrust {
  /** tools that are trusted from now on */
  readonly trusted: readonly string[]
  /** tools that were trusted once and are different now */
  readonly changed: readonly string[]
}

export async function trustOwnTools({ trust }: Ledger, tools: Iterable<Tool>, by: string): Promise<InitialTrust> {
  const decided = new Map((await trust.decisions()).map((row) => [row.tool, row]))
  const trusted: string[] = []
  const changed: string[] = []
  for (const tool of tools) {
    if (!tool.destructive || tool.origin !== 'own') continue
    const { name, version, hash } = tool
    const before = decided.get(name)
    if (before !== undefined) {
      if (before.hash !== hash) changed.push(name)
      continue
    }
    await trust.recordDefinitions([tool])
    await trust.set({ tool: name, version, hash }, 'trusted', by)
    trusted.push(name)
  }
  return { trusted, changed }
}
