import { expect, test } from 'vitest'
import * as z from 'zod'
import { openLedger } from '../ledger/open.ts'
import { tool } from '../tool/tool.ts'
import { createServer } from './server.ts'

const numbered = (n: number) =>
  tool({
    name: `shop.tool_${n}`,
    version: '1.0.0',
    description: 'Does nothing.',
    input: z.object({}),
    output: z.object({}),
    errors: {},
    idempotent: true,
    destructive: false,
    security: 'None.',
    examples: [],
    run: () => ({}),
  })

test('a ledger that closes while definitions are stored waits for them, and no more are started', async () => {
  const ledger = await openLedger(':memory:')
  const faults: unknown[] = []
  const started = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const record = ledger.trust.recordDefinitions.bind(ledger.trust)
  let portions = 0
  ledger.trust.recordDefinitions = async (tools) => {
    portions++
    started.resolve()
    await goOn.promise
    await record(tools)
  }
  const server = createServer({ name: 's', version: '1.0.0', ledger, observe: (fault) => faults.push(fault) })
  for (let n = 0; n < 50; n++) server.registry.register(numbered(n))
  await started.promise
  const closed = ledger.close()
  goOn.resolve()
  await closed
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect({ portions, faults }).toEqual({ portions: 1, faults: [] })
})
