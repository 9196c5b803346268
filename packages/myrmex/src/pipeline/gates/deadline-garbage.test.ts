import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { plainCaller } from '../../server/exchange.ts'
import { LOCAL } from '../../tool/context.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { Pipeline } from '../pipeline.ts'

const CALLS = 500
const NUMBERS = 2000

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' | 'major' }) => void

const oldBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0

test('a call that has ended is gone after a minor garbage collection', async () => {
  const later = tool({
    ...toolDefaults,
    name: 'test.later',
    input: z.object({ numbers: z.any() }),
    output: z.object({}),
    run: async () => ({}),
  })
  // The default recorder would keep the arguments itself.
  const pipeline = new Pipeline(new Registry([later]), { recorder: { record: () => {} } })
  const caller = plainCaller('direct', LOCAL)
  const callAll = async (): Promise<void> => {
    for (let call = 0; call < CALLS; call++) {
      await pipeline.call(caller, 'test.later', { numbers: Array.from({ length: NUMBERS }, () => call) })
      // Twice, because an object that survives two minor collections is promoted.
      if (call % 50 === 0) for (let times = 0; times < 2; times++) collect({ type: 'minor' })
    }
  }
  await callAll()
  // Other tests left garbage in this process, and old garbage that refers to a call keeps it.
  collect({ type: 'major' })
  const before = oldBytes()
  await callAll()
  // All arguments together have more than 4 bytes for each number.
  expect(oldBytes() - before).toBeLessThan((CALLS * NUMBERS * 4) / 2)
})
