/** Tools that repeat the name of their server: every name finds them, and no rule or decision about them stops to hold. */
import { changingServer, hostOf, temporaryLedger } from '@myrmex/testing/host/changing-server'
import { rawClient } from '@myrmex/testing/host/raw-client'
import { describe, expect, test } from 'vitest'
import { trackedTools, trackedVersions } from '../ledger/decisions/tracked-tools.ts'
import { parsePolicy } from '../pipeline/rules/policy.ts'

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
