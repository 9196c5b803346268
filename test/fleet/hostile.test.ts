/** Agents that mean no good: their lists, plans and answers are checked, and they end when the fleet closes. */
import { join } from 'node:path'
import {
  CLERK,
  call,
  childrenOf,
  FIXTURES,
  type FleetStage,
  fileLetter,
  fleetStage,
  trustAgents,
  trustAll,
} from '@myrmex/testing/fleet/fleet-locations'
import { eventually } from '@myrmex/testing/gated-server'
import { LONG, longTest } from '@myrmex/testing/long'
import { connect } from 'myrmex/client'
import { expect, test, vi } from 'vitest'

const hostile = (how: string, here: FleetStage) => ({
  command: process.execPath,
  args: [join(FIXTURES, 'hostile.js')],
  env: { HOSTILE: how },
  cwd: here.folder(),
})

const TOO_LONG: [string, RegExp, number][] = [
  ['endless', /remaining pages: there are more than 1000/, 1000],
  ['huge', /everything after the first 2000 items/, 2000],
]

test.each(LONG ? TOO_LONG : TOO_LONG.slice(0, 1))(
  'of a list that is too long (%s) only so much is taken, and the others are there',
  async (how, message, taken) => {
    const here = fleetStage()
    const fleet = await here.fleet({ hostile: hostile(how, here), clerk: CLERK })
    expect(fleet.problems).toEqual([
      { agent: 'hostile', error_type: 'RegistrationError', message: expect.stringMatching(message) },
    ])
    expect(fleet.views().map(({ name }) => name)).toContain('clerk.file_letter')
    expect(fleet.views()).toHaveLength(taken + 1)
  },
)

test('no agent can pass a tool off as another’s, whatever it calls it', async () => {
  const here = fleetStage()
  const fleet = await here.fleet({ hostile: hostile('names', here), clerk: CLERK })
  expect(fleet.views().map(({ agent, name }) => [agent, name])).toEqual([
    ['clerk', 'clerk.file_letter'],
    ['hostile', 'hostile.clerk.file_letter'],
    // Of two that become the same name one is left, and one of which no letter is left has a name of its own.
    ['hostile', 'hostile.create_issue'],
    ['hostile', 'hostile.own'],
    ['hostile', 'hostile.repo_delete_all'],
    ['hostile', expect.stringMatching(/^hostile\.tool_[0-9a-f]{8}$/)],
  ])
  expect(fleet.problems).toMatchObject([{ agent: 'hostile', message: expect.stringMatching(/create_issue.*skipped/) }])
  expect((await fileLetter(fleet)).data).toEqual({ drawer: 3 })
  // Nothing is said of what it changes: the worst is taken for granted.
  expect(fleet.views()[2]).toMatchObject({ destructive: true, idempotent: false, version: '0.0.0' })
})

test('a tool whose schemas do not compile is left out and reported, the others are there', async () => {
  const here = fleetStage()
  const fleet = await here.fleet({ hostile: hostile('schemas', here) })
  expect(fleet.views().map(({ name }) => name)).toEqual(['hostile.good'])
  expect(fleet.problems.map(({ tool, error_type }) => [tool, error_type])).toEqual(
    // One that is too long is not even read; the log line has its name.
    [undefined, 'pattern', 'nowhere', 'output', 'old'].map((name) => [name, 'RegistrationError']),
  )
})

test('a remote’s plan is held against its own tools, and its verdict against the schema', async () => {
  const here = fleetStage()
  const fleet = await here.fleet({ hostile: hostile('plans', here), clerk: CLERK })
  const [agent] = fleet.agents
  await expect(agent?.plan('sound', {})).rejects.toThrow(/agent:hostile\.plan 0\.0\.0 must be verified/)
  await trustAgents(fleet)
  await expect(agent?.plan('no plan', {})).rejects.toThrow(/The plan of hostile is invalid.*\/steps/)
  await expect(agent?.plan('nothing', {})).rejects.toThrow(/is invalid/)
  await expect(agent?.plan('steals', {})).rejects.toThrow(/there is no tool "clerk.file_letter"/)
  await expect(agent?.plan('loops', {})).rejects.toThrow(/is invalid/)
  expect(await agent?.plan('sound', {})).toMatchObject({ steps: [{ agent: 'hostile', tool: 'hostile.talk' }] })
  await expect(agent?.critique({ task: 't', output: 1, criteria: [] })).rejects.toThrow(/\/verdict.*\/score/)
})

test.each([
  ['odd', { status: 'failure', error: { error_type: 'NeverHeardOf', error_message: 'Ha!' } }],
  ['empty', { status: 'success', data: null }],
  ['babbling', { status: 'success', data: { content: [{ type: 'text', text: 'hello' }] } }],
])('what a stranger’s tool answers comes back as it said it (%s)', async (how, expected) => {
  const here = fleetStage()
  const fleet = await here.fleet({ hostile: hostile(how, here) })
  await trustAll(fleet)
  expect(await call(fleet, 'hostile.talk')).toMatchObject(expected)
})

test('closing a fleet leaves no child behind, be it deaf or never heard of', async () => {
  const here = fleetStage()
  const before = await childrenOf(process.pid)
  const fleet = await here.fleet({ deaf: hostile('deaf', here), mute: hostile('mute', here) }, { openMs: 500 })
  expect(fleet.problems).toMatchObject([{ agent: 'mute', error_type: 'UnavailableError' }])
  expect((await childrenOf(process.pid)).length).toBeGreaterThan(before.length)
  await fleet.close()
  expect(await childrenOf(process.pid)).toEqual(before)
  await expect(fleet.agents[0]?.plan('x', {})).rejects.toThrow(/closed/)
})

longTest('a connection that is given up while it is opened leaves no child behind either', async () => {
  const before = await childrenOf(process.pid)
  const stop = new AbortController()
  const opening = connect(
    { ...hostile('stone', fleetStage()), stderr: 'ignore' },
    { era: 'legacy', signal: stop.signal },
  )
  const refused = expect(opening).rejects.toMatchObject({ error_type: 'TransportError' })
  await eventually(async () => expect(await childrenOf(process.pid)).not.toEqual(before))
  stop.abort()
  await refused
  // It was killed; the system may take a moment to notice.
  await vi.waitFor(async () => expect(await childrenOf(process.pid)).toEqual(before))
})
