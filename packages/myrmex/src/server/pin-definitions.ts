/**
 * Records every tool definition in the ledger shortly after it is registered, so that an operator can decide about it, and pins
 * definitions of upstreams. It works in small portions between calls.
 */
import { PLATFORM } from '../tool/registry.ts'
import type { Tool } from '../tool/tool.ts'
import type { Server } from './server.ts'

const DELAY_MS = 20
const TOOLS_PER_TURN = 20

export function pinDefinitions(server: Server): void {
  const recorded = new WeakSet<Tool>()
  let timer: NodeJS.Timeout | undefined
  const recordNext = async (): Promise<void> => {
    // The platform's own tools need no decision.
    const fresh = [...server.registry].filter((tool) => !recorded.has(tool) && tool.module !== PLATFORM)
    const portion = fresh.slice(0, TOOLS_PER_TURN)
    try {
      const { trust } = server.ledger
      await trust.recordDefinitions(portion.filter(({ origin }) => origin === 'own'))
      // Upstream tools are pinned now, not at their first call: their definition may have changed by then.
      await trust.pinAll(portion.filter(({ origin }) => origin !== 'own'))
      for (const tool of portion) recorded.add(tool)
    } catch (thrown) {
      // The trust gate stores the definition when it first rejects the tool. Until then only the operator's list lacks it.
      server.fault(thrown)
      return
    }
    if (fresh.length > portion.length) schedule()
  }
  const run = (): void => {
    timer = undefined
    void server.ledger.background(recordNext)
  }
  const schedule = (): void => {
    timer ??= setTimeout(run, DELAY_MS).unref()
  }
  const forget = server.registry.onChange(schedule)
  server.onClose(() => {
    clearTimeout(timer)
    forget()
  })
  schedule()
}
