/** agent/plan and agent/critique over every transport and in both eras, asked with the official client. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { clerk } from '@myrmex/testing/fixtures/fleet/clerk.agent'
import { FIXTURES, FleetStage } from '@myrmex/testing/fleet/fleet-locations'
import { legacyPeer, modernPeer } from '@myrmex/testing/mcp-peer'
import { CLI } from '@myrmex/testing/paths'
import { toolDefaults } from '@myrmex/testing/sample-tools'
import { agent, createServer, listenHttp, tool } from 'myrmex'
import { type Connection, connect, type Target } from 'myrmex/client'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as z from 'zod'
import type { Brain } from '../../packages/myrmex/src/agent/brain/brain.ts'
import { loadServer } from '../../packages/myrmex/src/cli/tools/load.ts'

const FILE = join(FIXTURES, 'clerk.agent.ts')
const shared = new FleetStage()
let url: string
beforeAll(async () => {
  const { server } = await loadServer([FILE])
  const listening = await listenHttp(server)
  shared.later(() => listening.close())
  url = listening.url
})
afterAll(() => shared.end())

const targets: [string, () => Promise<Target>][] = [
  ['in-process', async () => (await loadServer([FILE])).server],
  [
    'a child',
    async () => ({
      command: process.execPath,
      args: [CLI, 'serve', FILE, '--ledger', '.myrmex/ledger.db'],
      cwd: shared.folder(),
      stderr: 'ignore',
    }),
  ],
  ['a URL', async () => ({ url })],
]

describe.each(targets)('%s', (_where, target) => {
  describe.each(['auto', 'legacy'] as const)('era %s', (era) => {
    let connection: Connection
    beforeAll(async () => {
      connection = await connect(await target(), { era })
    })
    afterAll(() => connection.close())

    test('says which methods it has, and which of them its author wrote', () => {
      const methods = ['agent/plan', 'agent/critique']
      expect(connection.agent).toEqual({ methods, own: methods })
      expect(connection.client.getServerCapabilities()?.extensions).toMatchObject({ 'myrmex/agent': { name: 'clerk' } })
      expect(connection.client.getProtocolEra()).toBe(era === 'auto' ? 'modern' : 'legacy')
    })

    test('answers with a text for people and the plan as data', async () => {
      const answer = await connection.request('agent/plan', { goal: 'file it' })
      expect(answer).toMatchObject({
        content: [
          { type: 'text', text: expect.stringContaining('s1: clerk.file_letter\n      It goes into drawer 7.') },
        ],
        structuredContent: { goal: 'file it', steps: [{ id: 's1' }], assumptions: ['The drawer is empty.'] },
      })
    })

    test('answers with a verdict', async () => {
      const answer = await connection.request('agent/critique', { task: 'judge', output: 'short', criteria: ['short'] })
      expect(answer).toMatchObject({
        content: [{ type: 'text', text: 'pass (100 %): judge\n  short: pass (100 %)\n      short' }],
        structuredContent: { verdict: 'pass', score: 1 },
      })
    })

    test.each<[string, Record<string, unknown>, string[]]>([
      ['agent/plan', {}, ['/goal']],
      ['agent/plan', { goal: '  ' }, ['/goal']],
      [
        'agent/plan',
        { goal: 7, context: { want: 'all', budget: { money: -1 } } },
        ['/goal', '/context/want', '/context/budget/money'],
      ],
      ['agent/critique', { task: 't', criteria: [{ nam: 'x' }] }, ['/output', '/criteria/0/name']],
      ['agent/critique', { output: null, criteria: 'all' }, ['/task', '/criteria']],
    ])('%s refuses %j as malformed and names the places', async (method, params, places) => {
      const error = await connection.request(method, params).catch((thrown) => thrown)
      expect(error).toMatchObject({ code: -32602, data: { error_type: 'ValidationError' } })
      expect(error.data.issues.map(({ path }: { path: string }) => path).sort()).toEqual(places.sort())
      for (const place of places) expect(error.message).toContain(place)
    })

    test('a plan or a verdict that does not hold is an error with the places, not an answer', async () => {
      const stolen = await connection.request('agent/plan', { goal: 'steal' }).catch((thrown) => thrown)
      expect(stolen).toMatchObject({
        code: -32603,
        data: { error_type: 'ToolExecutionError', problems: [{ path: '/steps/0/tool', step: 's1' }] },
      })
      const params = { task: 'no verdict', output: 1, criteria: [] }
      const none = await connection.request('agent/critique', params).catch((thrown) => thrown)
      expect(none).toMatchObject({ code: -32603, message: expect.stringContaining('/verdict') })
    })
  })
})

test('the messages are what the protocol wants of them in both eras', async () => {
  const server = createServer({ name: 's', version: '1.0.0' })
  server.add({ file: FILE, agents: [clerk], tools: clerk.tools, resources: [], prompts: [], scratch: undefined })
  for (const peer of [await legacyPeer(server), modernPeer(server)]) {
    const { result } = await peer.request('agent/plan', { goal: 'file it' })
    expect(result.structuredContent.steps).toHaveLength(1)
    peer.close()
  }
})

test('a brain of one’s own thinks for an agent, and what it notes is said in the answer', async () => {
  const brain = {
    name: 'test',
    plan: async ({ goal }: { goal: string }) => ({
      value: { goal, steps: [], budget: {}, assumptions: [], questions: [] },
      by: 'test',
      notes: ['The model was asleep.'],
    }),
  } as unknown as Brain
  const idle = tool({ ...toolDefaults, name: 'lazy.idle', input: z.object({}), output: z.object({}), run: () => ({}) })
  const lazy = agent({ name: 'lazy', tools: [idle], brain })
  const server = createServer({ name: 's', version: '1.0.0', methods: lazy.methods })
  const connection = await connect(server)
  onTestFinished(() => connection.close())
  const { content } = await connection.request('agent/plan', { goal: 'rest' })
  expect(content).toEqual([{ type: 'text', text: expect.stringMatching(/\n\nNote: The model was asleep\.$/) }])
})

test('a plan that has to ask first is an answer with its questions, and still none where anything else is wrong', async () => {
  const bake = {
    ...toolDefaults,
    name: 'baker.bake_loaf',
    input: z.object({ flour: z.string() }),
    output: z.object({}),
  }
  const plan = async (own: object, goal: string) => {
    const baker = agent({ name: 'baker', tools: [tool({ ...bake, run: () => ({}) })], ...own })
    const connection = await connect(createServer({ name: 's', version: '1.0.0', methods: baker.methods }))
    onTestFinished(() => connection.close())
    return connection.request('agent/plan', { goal })
  }
  expect(await plan({}, 'bake a loaf')).toMatchObject({
    content: [{ text: expect.stringContaining('What is the flour (string)?') }],
    structuredContent: { steps: [{ tool: 'baker.bake_loaf', arguments: {} }], questions: [{ input: 'flour' }] },
  })
  const step = { id: 's1', agent: 'baker', tool: 'baker.bake_loaf', arguments: { flour: 7 }, needs: [], why: 'x' }
  const questions = [{ input: 'salt', question: 'How much?' }]
  const wrong = (asked: typeof questions, args: object) => ({
    plan: () => ({ goal: 'x', steps: [{ ...step, arguments: args }], budget: {}, assumptions: [], questions: asked }),
  })
  await expect(plan(wrong(questions, { flour: 7 }), 'x')).rejects.toThrow('/steps/0/arguments/flour')
  expect(await plan(wrong(questions, { flour: 'rye' }), 'as given')).toMatchObject({
    structuredContent: { goal: 'as given' },
  })
  await expect(plan(wrong([], {}), 'x')).rejects.toThrow('flour is required and missing')
})

test('agent files are found beside tool files, and two agents in one folder are an error that says how to separate them', async () => {
  const folder = await mkdtemp(join(import.meta.dirname, '.agents-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const reexport = (name: string) => `export { ${name} } from '@myrmex/testing/fixtures/fleet/${name}.agent'\n`
  await writeFile(join(folder, 'one.agent.ts'), reexport('clerk'))
  const { server, failures } = await loadServer([folder])
  expect(failures).toEqual([])
  expect(server.agent?.name).toBe('clerk')
  expect(server.registry.listed().map(({ listedAs }) => listedAs)).toEqual(['file_letter'])
  await expect(loadServer([join(folder, 'one.agent.ts'), join(FIXTURES, 'kiosk.agent.ts')])).rejects.toThrow(
    /clerk and kiosk cannot share a server.*Serve each one separately/,
  )
})
