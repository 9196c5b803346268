/**
 * Writes into the ledger what every tool looks like, a moment after a server has it, so that whoever decides about a tool
 * finds it there, and pins what somebody else wrote. In small portions between calls: a thousand tools must not hold anybody up.
 */
import { PLATFORM } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import type { Server } from './server.ts'

const AFTER_MS = 20
const PORTION = 20

export function pinDefinitions(server: Server): void {
  const seen = new WeakSet<Tool>()
  let timer: NodeJS.Timeout | undefined
  const pinNext = async (): Promise<void> => {
    // Nobody has to decide about the platform's own tools.
    const fresh = [...server.registry].filter((tool) => !seen.has(tool) && tool.module !== PLATFORM)
    const portion = fresh.slice(0, PORTION)
    try {
      const { trust } = server.ledger
      await trust.recordDefinitions(portion.filter(({ origin }) => origin === 'own'))
      // Upstream tools are pinned now, not at their first call: their definition may have changed by then.
      await trust.pinAll(portion.filter(({ origin }) => origin !== 'own'))
      for (const tool of portion) seen.add(tool)
    } catch (thrown) {
      // The trust gate stores the definition when it first refuses the tool; until then only the operator's list lacks it.
      server.fault(thrown)
      return
    }
    if (fresh.length > portion.length) soon()
  }
  const look = (): void => {
    timer = undefined
    void server.ledger.background(pinNext)
  }
  const soon = (): void => {
    timer ??= setTimeout(look, AFTER_MS).unref()
  }
  const forget = server.registry.onChange(soon)
  server.onClose(() => {
    clearTimeout(timer)
    forget()
  })
  soon()
}
