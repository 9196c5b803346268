/**
 * Setting up the shop trusts its own tools once, as they are at that moment. A call that changes something still needs approval, of
 * the plan or of the call itself. A tool that a person has decided about, or that has changed since, is left to people.
 */
import type { Ledger, Tool } from 'myrmex'
import { say } from 'myrmex/serve'
import { plural } from 'myrmex/text'

/** Returns the tools that it trusted. Those that changed since they were trusted are reported. */
export async function trustOwnTools({ trust, lock }: Ledger, tools: Iterable<Tool>, by: string): Promise<string[]> {
  const decisions = new Map((await trust.decisions()).map((row) => [row.tool, row]))
  const trusted: string[] = []
  for (const tool of tools) {
    if (!tool.destructive || tool.origin !== 'own') continue
    const { name, version, hash } = tool
    const decision = decisions.get(name)
    if (decision === undefined) {
      await trust.recordDefinitions([tool])
      // In a locked ledger it waits for the operator's signature.
      await trust.propose({ tool: name, version, hash }, 'trusted', by)
      trusted.push(name)
    } else if (decision.hash !== hash) say(`${name} changed since it was trusted: npx myrmex trust status ${name}`)
  }
  if (!lock.isLocked || trusted.length === 0) return trusted
  const waiting = plural(trusted.length, 'tool')
  say(`${waiting} of the shop that change something: trust in them waits for your signature (npx myrmex operator sign)`)
  return []
}
