/** A long-lived ledger does not keep the pipelines of servers that are gone. */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test, vi } from 'vitest'
import { memoryLedger } from '../ledger/open.ts'
import { Registry } from '../tool/registry.ts'
import { Pipeline } from './pipeline.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

test('a pipeline is gone with its server, and so is what listens for it on the switches', async () => {
  const ledger = memoryLedger()
  onTestFinished(() => ledger.close())
  const forget = vi.fn()
  const onChange = ledger.switches.onChange.bind(ledger.switches)
  vi.spyOn(ledger.switches, 'onChange').mockImplementation((listener) => {
    const stop = onChange(listener)
    return () => {
      forget()
      return stop()
    }
  })
  const gone = Array.from({ length: 10 }, () => new WeakRef(new Pipeline(new Registry(), { ledger })))
  const kept = new Pipeline(new Registry(), { ledger })
  await vi.waitFor(async () => {
    await pause(1)
    collect()
    expect(gone.filter((one) => one.deref() !== undefined)).toEqual([])
    expect(forget).toHaveBeenCalledTimes(gone.length)
  })
  const interrupted = vi.spyOn(kept.deadlineTimer, 'interruptAll')
  await ledger.switches.set('stop', '', 'on', 'ada')
  expect(interrupted).toHaveBeenCalledTimes(1)
})
