/** A definition that nobody checked is refused wherever it could come in, with what to do. */
import { add } from '@myrmex/testing/sample-tools'
import { expect, test } from 'vitest'
import { agent } from '../agent/agent.ts'
import { openFleet } from '../agent/fleet/fleet.ts'
import { createServer } from '../server/server.ts'
import type { ServerOptions } from '../server/server-options.ts'
import { prompt } from './prompt.ts'
import { Registry } from './registry.ts'
import { resource } from './resource.ts'

const server = (options: object) => createServer({ name: 'test', version: '1.0.0', ...options } as ServerOptions)
const page = resource({ uri: 'x://page', name: 'page', read: () => 'x' })
const plain = { name: 'math.add', run: () => ({}) }

test.each<[string, () => unknown, RegExp]>([
  [
    'a tool',
    () => server({ tools: [add, plain] }),
    /^server "test": tools\[1\] is a plain object "math\.add"\. Wrap it in tool\(\{…\}\)$/,
  ],
  [
    'tools by name',
    () => server({ tools: { add } }),
    /^server "test": tools must be a list of what tool\(\{…\}\) returns, not \{/,
  ],
  ['a text', () => server({ tools: 'math.add' }), /^server "test": tools must be a list/],
  [
    'nothing',
    () => server({ tools: [undefined] }),
    /^server "test": tools\[0\] must be what tool\(\{…\}\) returns, not undefined$/,
  ],
  [
    'a tool that is not there yet',
    () => server({ tools: [Promise.resolve(add)] }),
    /^server "test": tools\[0\] is a Promise\. Was an await/,
  ],
  [
    'a resource among the tools',
    () => server({ tools: [page] }),
    /^server "test": tools\[0\] is the resource "page"\. Put it into resources$/,
  ],
  [
    'a resource',
    () => server({ resources: [{ uri: 'x://a', name: 'a' }] }),
    /^server "test": resources\[0\] .*Wrap it in resource\(\{…\}\)$/,
  ],
  [
    'a prompt',
    () => server({ prompts: [{ name: 'greet', get: () => '' }] }),
    /^server "test": prompts\[0\] .*Wrap it in prompt\(\{…\}\)$/,
  ],
  ['a method', () => server({ methods: { 'a/b': 5 } }), /^server "test": the method a\/b must be a function$/],
  ['a tool, later', () => new Registry().register(plain as never), /Wrap it in tool\(\{…\}\)$/],
  ['a resource, later', () => server({}).resources.add({ uri: 'x://a' } as never), /Wrap it in resource\(\{…\}\)$/],
  [
    'a tool of an agent',
    () => agent({ name: 'math', tools: [plain as never] }),
    /^agent "math": tools\[0\] is a plain object/,
  ],
  [
    'no name and no version',
    () => createServer({} as ServerOptions),
    /^a server without a name has 2 faults: name is missing; version is/,
  ],
])('%s', (_what, make, message) => {
  expect(make).toThrow(
    expect.objectContaining({ error_type: 'RegistrationError', message: expect.stringMatching(message) }),
  )
})

test('an agent of a fleet', async () => {
  await expect(openFleet({ agents: {} }, { agents: [{ name: 'math', tools: [add] } as never] })).rejects.toThrow(
    /^agents\[0\] is a plain object "math"\. Wrap it in agent\(\{…\}\)$/,
  )
})

test.each<[string, () => unknown, string[]]>([
  [
    'resource',
    () => resource({ tittle: 'T', read: 'x' } as never),
    ['"tittle"', 'name is missing', 'read must be', 'either uri'],
  ],
  [
    'resource',
    () => resource({ uri: 'no uri', name: 'a', read: () => '', list: () => [] }),
    ['"no uri" is not a URI', 'list is only'],
  ],
  [
    'prompt',
    () => prompt({ arguments: [{ required: true }], icons: [{}] } as never),
    ['name is missing', 'get is missing', 'arguments[0].name', 'icons[0].src'],
  ],
  [
    'agent',
    () => agent({ name: 'A b', plan: 5, brains: {} } as never),
    ['a name has', 'plan must be', 'tools is missing', 'Did you mean brain?'],
  ],
])('%s() names everything that is wrong at once', (_maker, make, faults) => {
  expect(make).toThrow(expect.objectContaining({ error_type: 'RegistrationError' }))
  for (const fault of faults) expect(make).toThrow(fault)
})
