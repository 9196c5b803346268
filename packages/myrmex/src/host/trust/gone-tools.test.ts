/** Tools that their server no longer lists leave the lists of people. The decisions about them stay, and count when they are back. */
import { changingServer, hostOf, temporaryLedger } from '@myrmex/testing/host/changing-server'
import { expect, test } from 'vitest'
import { planBulk } from '../../ledger/decisions/bulk/bulk-plan.ts'
import { selectTools } from '../../ledger/decisions/bulk/selection.ts'
import { trackedTools, trackedVersions } from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'

const tool = (name: string) => ({
  name,
  description: `Reads ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
})
const prompt = { name: 'greet', description: 'Greets.' }

const selected = async (ledger: Ledger, names: readonly string[] = [], withGone = false): Promise<string[]> =>
  selectTools(await trackedTools(ledger), { names, readOnly: false, withGone })
    .map((one) => one.tool)
    .filter((name) => !name.startsWith('resource:'))

test('a tool that its server no longer lists is not decided about with others, and keeps its decision', async () => {
  const ledger = await temporaryLedger()
  const git = changingServer('git', { tools: [tool('log'), tool('show')], prompts: [prompt] }, { trust: 'none' })
  const host = await hostOf([git], { ledger })
  const [show] = trackedVersions(await trackedTools(ledger), 'git.show')
  await ledger.trust.set(show.definition, 'verified', { name: 'me', from: 'cli' })
  expect(await selected(ledger)).toEqual(['git.log', 'git.show', 'prompt:git.greet'])

  git.shape({ tools: [tool('log')] })
  await host.refresh('git')
  for (const names of [[], ['git'], ['git.*'], ['*']])
    expect((await selected(ledger, names)).filter((name) => !name.endsWith('log'))).toEqual([])
  const known = await trackedTools(ledger)
  const terms = { to: 'trust', ask: false, despiteFindings: false, open: true, isSeen: true, isNamed: false } as const
  const plan = planBulk(ledger, selectTools(known, { names: [], readOnly: false }), known, {
    ...terms,
    grant: { until: undefined, principal: undefined },
  })
  expect(plan.items.map(({ seen }) => seen.tool)).toContain('git.log')
  expect(plan.items.map(({ seen }) => seen.tool)).not.toContain('prompt:git.greet')
  // By its name it is found, to look at and to revoke.
  expect(await selected(ledger, ['git.show'])).toEqual(['git.show'])
  expect(await selected(ledger, [], true)).toContain('git.show')
  expect(trackedVersions(known, 'git.show')[0]).toMatchObject({ level: 'verified', goneAt: expect.any(Number) })

  git.shape({ tools: [tool('log'), tool('show')], prompts: [prompt] })
  await host.refresh('git')
  expect(await selected(ledger)).toEqual(['git.log', 'git.show', 'prompt:git.greet'])
  expect(trackedVersions(await trackedTools(ledger), 'git.show')[0]).toMatchObject({ level: 'verified' })
})

test('tools of a server that is removed are gone, and those of a server that is stopped or starts again are not', async () => {
  const ledger = await temporaryLedger()
  const servers = ['one', 'two'].map((name) => changingServer(name, { tools: [tool('log')] }))
  const host = await hostOf(servers, { ledger })
  await host.replace(servers.slice(0, 1).map(({ settings }) => settings))
  expect(await selected(ledger)).toEqual(['one.log'])
  await host.stop('one')
  expect(await selected(ledger)).toEqual(['one.log'])
  await host.close()
  expect(await selected(ledger)).toEqual(['one.log'])
  await hostOf(servers, { ledger })
  expect(await selected(ledger)).toEqual(['one.log', 'two.log'])
})

test('a list that the server refuses says nothing about its tools', async () => {
  const ledger = await temporaryLedger()
  const git = changingServer('git', { tools: [tool('log')], prompts: [prompt] })
  await (await hostOf([git], { ledger })).close()
  git.shape({ tools: [tool('log')], refuseTools: true })
  await hostOf([git], { ledger })
  expect(await selected(ledger)).toEqual(['git.log'])
})
