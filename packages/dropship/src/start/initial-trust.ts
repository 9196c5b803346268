/**
 * Setting up the shop trusts its own tools once, as they are at that moment. A call that changes something still needs approval, of
 * the plan or of the call itself. A tool that a person has decided about, or that has changed since, is left to people.
 */
import type { Ledger, Tool } from 'myrmex'
import { say } from 'myrmex/serve'

/** Returns the tools that it trusted. Those that changed since they were trusted are reported. */
export async function trustOwnTools({ trust }: Ledger, tools: Iterable<Tool>, by: string): Promise<string[]> {
  const decisions = new Map((await trust.decisions()).map((row) => [row.tool, row]))
  const trusted: string[] = []
  for (const tool of tools) {
    if (!tool.destructive || tool.origin !== 'own') continue
    const { name, version, hash } = tool
    const decision = decisions.get(name)
    if (decision === undefined) {
      await trust.recordDefinitions([tool])
      await trust.set({ tool: name, version, hash }, 'trusted', by)
      trusted.push(name)
    } else if (decision.hash !== hash) say(`${name} changed since it was trusted: npx myrmex trust status ${name}`)
  }
  return trusted
}
