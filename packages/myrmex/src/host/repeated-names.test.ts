/** Tools that repeat the name of their server: every name finds them, and no rule or decision about them stops to hold. */
import { changingServer, hostOf, temporaryLedger } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { describe, expect, test, vi } from 'vitest'
import { trackedTools, trackedVersions } from '../ledger/decisions/tracked-tools.ts'
import { parseConstitution } from '../pipeline/rules/constitution.ts'
import { parsePolicy } from '../pipeline/rules/policy.ts'
import { isInProfile } from '../pipeline/rules/profiles.ts'
import type { Tool } from '../tool/tool.ts'

const tool = (name: string) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
})
const NAMES = ['git.add', 'git_add', 'git.git_add', 'git_git_add']

test('a tool is listed by its short name, and found by each', async () => {
  const [git, other] = [changingServer('git', { tools: [tool('git_add')] }), changingServer('other', {})]
  const client = await rawClient((await hostOf([git, other])).server, { era: 'legacy' })
  const { tools } = (await client.request('tools/list')) as { tools: { name: string; _meta: object }[] }
  expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual([
    ['git_add', expect.objectContaining({ 'myrmex/name': 'git.add' })],
  ])
  for (const name of NAMES)
    expect(await client.request('tools/call', { name, arguments: {} })).not.toHaveProperty('isError')
  expect(git.called()).toEqual(NAMES.map(() => 'git_add'))
})

test('a tool is found by the name that its own server gives it, unless that could mean another', async () => {
  const one = changingServer('one', { tools: [tool('get-time'), tool('set-time')] })
  const two = changingServer('two', { tools: [tool('get-time'), tool('one_x')] })
  const { server } = await hostOf([one, two])
  expect(server.registry.find('set-time')?.name).toBe('one.set_time')
  expect(server.registry.find('get-time')).toBeUndefined()
  expect(server.registry.find('one_x')).toBeUndefined()
})

describe('a rule for the long name holds for the short one', () => {
  const git = () => changingServer('git', { tools: [tool('git_add'), tool('git_log')] })

  test('in the policy', async () => {
    const policy = parsePolicy({ approvals: [{ name: 'looked at', tools: ['git.git_add'] }] })
    const { server } = await hostOf([git()], { policy })
    const client = await rawClient(server, { era: 'legacy' })
    expect(await client.request('tools/call', { name: 'git.add', arguments: {} })).toMatchObject({
      structuredContent: { error_details: { status: 'waiting' } },
    })
    expect(await client.request('tools/call', { name: 'git.log', arguments: {} })).not.toHaveProperty('isError')
  })

  test('in the scopes of a caller', async () => {
    const { server } = await hostOf([git()])
    const principal = { id: 'p', kind: 'bearer', scopes: ['git.git_add'] } as const
    const client = await rawClient(server, { era: 'legacy', principal })
    expect((await client.request('tools/list')).tools).toMatchObject([{ name: 'add' }])
    expect(await client.request('tools/call', { name: 'git.add', arguments: {} })).not.toHaveProperty('isError')
    expect(await client.request('tools/call', { name: 'git.log', arguments: {} })).toMatchObject({ isError: true })
  })

  test('in the settings of the server', async () => {
    const one = git().with({
      tools: [
        ['git.git_add', { enabled: false }],
        ['git_git_log', { destructive: true }],
      ],
    })
    const { server } = await hostOf([one])
    expect([...server.registry].map(({ name, destructive }) => [name, destructive])).toEqual([['git.log', true]])
  })
})

test('a ledger that knows the tool by its long name keeps that name and the decision', async () => {
  const ledger = await temporaryLedger()
  const git = changingServer('git', { tools: [tool('git_add'), tool('add')] }, { trust: 'none' })
  const first = await hostOf([git], { ledger })
  const seen = first.server.registry.find('git.git_add')
  if (seen === undefined) throw new Error('not listed')
  await ledger.trust.set({ tool: seen.name, version: seen.version, hash: seen.hash }, 'verified', {
    name: 'me',
    from: 'cli',
  })
  await first.close()
  // From now on the short name is free.
  git.shape({ tools: [tool('git_add')] })
  const { server } = await hostOf([git], { ledger })
  const client = await rawClient(server, { era: 'legacy' })
  expect(server.registry.find('git.add')?.name).toBe('git.git_add')
  for (const name of NAMES)
    expect(await client.request('tools/call', { name, arguments: {} })).not.toHaveProperty('isError')
})

test('a name that becomes free while the host runs is found at once, and one that is taken is not', async () => {
  const ledger = await temporaryLedger()
  const git = changingServer('git', { tools: [tool('git_add'), tool('add')] })
  const host = await hostOf([git], { ledger })
  const { registry } = host.server
  expect(registry.find('git.add')?.name).toBe('git.add')
  git.shape({ tools: [tool('git_add')] })
  await host.refresh('git')
  expect(registry.find('git.add')?.name).toBe('git.git_add')
  git.shape({ tools: [tool('git_add'), tool('add')] })
  await host.refresh('git')
  expect(registry.find('git.add')?.name).toBe('git.add')
})

test('a rule of the constitution and a profile hold by the long name', async () => {
  const constitution = parseConstitution({
    articles: [{ name: 'no', text: 'No.', tools: ['git.git_add'], forbid: [{ argument: '/to', present: true }] }],
  })
  const { server } = await hostOf([changingServer('git', { tools: [tool('git_add'), tool('git_log')] })], {
    constitution,
  })
  const client = await rawClient(server, { era: 'legacy' })
  const call = (name: string) => client.request('tools/call', { name, arguments: { to: 'x' } })
  expect(await call('git.add')).toMatchObject({ structuredContent: { error_details: { article: 'no' } } })
  expect(await call('git.log')).not.toHaveProperty('isError')
  const [add, log] = ['git.add', 'git.log'].map((name) => server.registry.find(name) as Tool)
  const profile = { name: 'p', tools: ['git.git_add'], readOnly: false }
  expect([add, log].map((one) => isInProfile(profile, one as Tool))).toEqual([true, false])
})

test('the audit finds the calls of a tool by either name', async () => {
  const ledger = await temporaryLedger()
  const { server } = await hostOf([changingServer('git', { tools: [tool('git_add')] })], { ledger })
  await (await rawClient(server, { era: 'legacy' })).request('tools/call', { name: 'git.add', arguments: {} })
  const found = async (name: string) =>
    (await Array.fromAsync(ledger.index.search({ tool: name }))).map((one) => one.tool)
  await vi.waitFor(async () => expect(await found('git.git_add')).toEqual(['git.add']))
  expect(await found('git.add')).toEqual(['git.add'])
  expect(await found('git.git_log')).toEqual([])
})

test('a decision names the tool by either name', async () => {
  const ledger = await temporaryLedger()
  await hostOf([changingServer('git', { tools: [tool('git_add')] })], { ledger })
  const known = await trackedTools(ledger)
  expect(trackedVersions(known, 'git.git_add')[0].tool).toBe('git.add')
})

test('a tool that takes the short name later is another: nothing that was decided holds for it', async () => {
  const ledger = await temporaryLedger()
  const git = changingServer('git', { tools: [tool('git_add')] }, { trust: 'verified' })
  await (await hostOf([git], { ledger })).close()
  git.shape({ tools: [tool('git_add'), tool('add')] })
  const { server } = await hostOf([git], { ledger })
  const client = await rawClient(server, { era: 'legacy' })
  for (const name of ['git.add', 'git.git_add'])
    expect(await client.request('tools/call', { name, arguments: {} })).toMatchObject({
      structuredContent: { error_type: 'PermissionError' },
    })
  expect(git.called()).toEqual([])
})
