import { freshStore } from '@myrmex/testing/ledger/ledger-store'
import { expect, test } from 'vitest'
import { lockLedger, signDecisions, unlockSigner, unsignedDecisions } from '../ledger/operator/operator-admin.ts'
import { tool } from '../tool/tool.ts'
import { trustCeo } from './ceo.ts'

const PASSPHRASE = 'correct horse battery'

const runGoal = tool({
  ...{ name: 'ceo.run_goal', version: '2.0.0', description: 'Runs a goal.', input: { type: 'object' } },
  ...{ output: { type: 'object' }, errors: {}, idempotent: false, destructive: true, security: 'none', examples: [] },
  run: () => ({}),
})

test('in a locked ledger the CEO starts, and its tools wait for the operator', async () => {
  const store = await freshStore('sqlite')
  const open = await store.open()
  await lockLedger(open, PASSPHRASE, 'olga', 2 ** 14)
  await open.close()
  const ledger = await store.open()
  try {
    const notes: string[] = []
    const start = () => trustCeo(ledger, { tools: [runGoal] }, 'myrmex ceo', (text) => notes.push(text))
    await start()
    await start()
    expect(notes).toEqual([expect.stringContaining('npx myrmex operator sign')])
    const definition = { tool: runGoal.name, version: runGoal.version, hash: runGoal.hash }
    expect(await ledger.trust.currentLevel(runGoal)).toBe('untrusted')
    expect(await ledger.grants.covering(definition, 'ann')).toBeUndefined()

    const by = { name: 'olga', from: 'cli', signer: await unlockSigner(ledger.lock, PASSPHRASE) } as const
    expect(await signDecisions(ledger, await unsignedDecisions(ledger), by)).toBe(2)
    expect(await ledger.trust.currentLevel(runGoal)).toBe('trusted')
    expect(await ledger.grants.covering(definition, 'ann')).toBeDefined()
  } finally {
    await ledger.close()
    await store.remove()
  }
})
