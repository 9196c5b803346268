/**
 * Names behind the host as its users start it: a tool that repeats the name of its server has a short name, and everything that the
 * operator has written about the long one holds, in every file and command, also after the files were read again. The short form of most
 * of it is packages/myrmex/src/host/repeated-names.test.ts.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { gatedServer, hostFolder } from '@myrmex/testing/host/host-folder'
import { longTest } from '@myrmex/testing/long'
import { fixturePath } from '@myrmex/testing/paths'
import { expect, onTestFinished, test } from 'vitest'

const tool = (name: string, readOnlyHint = true): object => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object' },
  annotations: { readOnlyHint },
})

/** A host of a server `git` with these tools and resources, and of one with a single tool. */
function gitHost(shape: object, config: object = {}) {
  const folder = hostFolder()
  const { write, start, env, project } = folder
  const server = (name: string, its: object): object => {
    const file = write(`${name}/shape.json`, its)
    const FOLDER = file.slice(0, -'/shape.json'.length)
    return {
      command: process.execPath,
      args: [fixturePath('host/changing-upstream.mjs')],
      env: { FOLDER },
      trust: 'verified',
    }
  }
  const mcpServers = { git: server('git', shape), other: gatedServer('ping') }
  write('project/myrmex.json', { mcpServers, ...config })
  return {
    ...folder,
    shape: (next: object) => write('git/shape.json', next),
    start: () => start(['--http', '0', '--open']),
    myrmex: (...args: string[]) => runToEnd(args, { cwd: project, env }),
  }
}

interface Caller {
  names(): Promise<string[]>
  call(
    name: string,
    args?: Record<string, string>,
  ): Promise<{ isError?: boolean; structuredContent?: { error_details?: { status?: string } } }>
}

async function sdk2(url: string): Promise<Caller> {
  const client = new Client({ name: 'two', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as object,
  }
}

async function sdk1(url: string): Promise<Caller> {
  const client = new Client1({ name: 'one', version: '1' })
  onTestFinished(() => client.close())
  await client.connect(new Http1(new URL(url)))
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as object,
  }
}

longTest('every client sees the short name, and every name finds the tool', async () => {
  const host = gitHost({ tools: [tool('git_add'), tool('git_log')] })
  const running = host.start()
  const url = await running.says(/listening at (\S+);/)
  for (const client of [await sdk1(url), await sdk2(url)]) {
    expect(await client.names()).toEqual(expect.arrayContaining(['git_add', 'git_log', 'other_ping']))
    for (const name of ['git.add', 'git_add', 'git.git_add', 'git_git_add'])
      expect(await client.call(name), name).not.toHaveProperty('isError', true)
  }
  const { stdout } = await host.myrmex('audit', 'query', '--tool', 'git.add', '--json')
  expect(stdout.trim().split('\n')).toHaveLength(8)
  const long = await host.myrmex('audit', 'query', '--tool', 'git.git_add', '--json')
  expect(long.stdout).toBe(stdout)
  expect((await host.myrmex('audit', 'query', '--tool', 'git.git_nothing')).stdout).toContain('no matching calls')
  for (const name of ['git.add', 'git.git_add'])
    expect((await host.myrmex('trust', 'status', name)).stdout).toMatch(/^git\.add /)
  expect(await running.end()).toBe(0)
})

test('policy, constitution and profile hold by the long name, also when they are read again while the host runs', async () => {
  const host = gitHost(
    { tools: [tool('git_add'), tool('git_log'), tool('git_push')] },
    { profiles: { readers: { tools: ['git.git_log'] } } },
  )
  const running = host.start()
  const url = await running.says(/listening at (\S+);/)
  const client = await sdk2(url)
  await running.says(/(git: ready)/)
  expect(await (await sdk2(`${url}/p/readers`)).names()).toContain('git_log')
  expect(await (await sdk2(`${url}/p/readers`)).names()).not.toContain('git_add')
  expect(await client.call('git.add')).not.toHaveProperty('isError', true)
  host.write('project/myrmex.policy.json', { approvals: [{ name: 'looked at', tools: ['git.git_add'] }] })
  await running.says(/(the policy and the constitution were reloaded)/)
  expect((await client.call('git.add')).structuredContent?.error_details?.status).toBe('waiting')
  expect(await client.call('git.push')).not.toHaveProperty('isError', true)
  host.write('project/myrmex.constitution.json', {
    articles: [
      {
        name: 'no pushing',
        text: 'Nobody pushes.',
        tools: ['git.git_push'],
        forbid: [{ argument: '/to', present: true }],
      },
    ],
  })
  await running.says(/(were reloaded[\s\S]*(?:were reloaded|were not reloaded))/)
  expect(running.said()).not.toContain('were not reloaded')
  expect(JSON.stringify(await client.call('git.push', { to: 'main' }))).toContain('no pushing')
  expect(await client.call('git.log')).not.toHaveProperty('isError', true)
  // A mistake changes nothing, and says where it is.
  host.write('project/myrmex.policy.json', '{"approvals": 1}')
  await running.says(/(were not reloaded, and nothing changed:\n.*myrmex\.policy\.json)/)
  expect((await client.call('git.add')).structuredContent?.error_details?.status).toBe('waiting')
  expect(await running.end()).toBe(0)
})

longTest('a grant and a decision by either name are about the same tool', async () => {
  const host = gitHost({ tools: [tool('git_push', false)] })
  const running = host.start()
  const client = await sdk2(await running.says(/listening at (\S+);/))
  await running.says(/(git: ready)/)
  expect(await client.call('git.push')).toMatchObject({ isError: true })
  expect(await host.myrmex('trust', 'git.git_push', '--open', '--yes')).toMatchObject({ code: 0, stderr: '' })
  expect((await host.myrmex('trust', 'status', 'git.push')).stdout).toContain('trusted')
  expect(await running.end()).toBe(0)
})

longTest(
  'a ledger from before keeps the long name, its decisions and its audit, and finds them by the short one',
  async () => {
    const host = gitHost({ tools: [tool('git_add'), tool('add')] })
    const before = host.start()
    const early = await sdk2(await before.says(/listening at (\S+);/))
    await before.says(/(git: ready)/)
    expect(await early.call('git.git_add')).not.toHaveProperty('isError', true)
    expect(await host.myrmex('untrust', 'git.git_add')).toMatchObject({ code: 0 })
    await before.end()
    // The tool that kept it from the short name is gone.
    host.shape({ tools: [tool('git_add')] })
    const after = host.start()
    const client = await sdk2(await after.says(/listening at (\S+);/))
    await after.says(/(git: ready)/)
    expect(await client.names()).toContain('git_git_add')
    for (const name of ['git.add', 'git.git_add', 'git_add'])
      expect(JSON.stringify(await client.call(name)), name).toContain('git.git_add')
    // The ledger knows the other tool too, by its own name.
    expect((await host.myrmex('trust', 'status', 'git.add')).stdout).toMatch(/^git\.add /)
    expect((await host.myrmex('audit', 'query', '--tool', 'git.add', '--json')).stdout).toContain('"git.git_add"')
    expect(await after.end()).toBe(0)
  },
)

longTest('a template and a resource of one URI, and a URI that nobody lists, reach their server', async () => {
  const uri = 'k8s://all'
  const host = gitHost({
    resources: [{ uri, name: 'all' }],
    templates: [{ uriTemplate: uri, name: 'each' }],
  })
  const running = host.start()
  const url = await running.says(/listening at (\S+);/)
  await running.says(/(git: ready)/)
  const client = new Client({ name: 'two', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  onTestFinished(() => client.close())
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  expect((await client.listResources()).resources).toMatchObject([{ uri, name: 'all' }])
  expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([{ uriTemplate: uri, name: 'each' }])
  for (const one of [uri, 'k8s://prod/nodes'])
    expect((await client.readResource({ uri: one })).contents).toHaveLength(1)
  expect(host.read('git/calls')).toContain('k8s://prod/nodes')
  expect(await running.end()).toBe(0)
})
