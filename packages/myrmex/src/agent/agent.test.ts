import { expect, test } from 'vitest'
import * as z from 'zod'
import { createServer } from '../server/server.ts'
import type { Module } from '../tool/discovery/module.ts'
import { prompt } from '../tool/prompt.ts'
import { resource } from '../tool/resource.ts'
import { tool } from '../tool/tool.ts'
import { type AgentDefinition, agent } from './agent.ts'

const made = (name: string, version = '1.0.0') =>
  tool({
    name,
    version,
    description: 'For tests.',
    input: z.object({}),
    output: z.object({}),
    errors: {},
    idempotent: true,
    destructive: false,
    security: 'None.',
    examples: [],
    run: () => ({}),
  })

const page = resource({ uri: 'shop://page', name: 'page', read: () => 'x' })
const cry = prompt({ name: 'cry', get: () => 'x' })
const shop = (changes: object = {}) =>
  agent({ name: 'shop', tools: [made('shop.sell')], ...changes } as AgentDefinition)

test('an agent is frozen, has its parts, and says which methods its author wrote', () => {
  const simple = shop({ prompts: [cry], resources: [page] })
  expect(Object.isFrozen(simple)).toBe(true)
  expect(simple).toMatchObject({ kind: 'agent', name: 'shop', version: '0.1.0', own: [], prompts: [cry] })
  expect(Object.keys(simple.methods)).toEqual(['agent/plan', 'agent/critique'])
  expect(shop({ plan: () => {}, critique: () => {} }).own).toEqual(['agent/plan', 'agent/critique'])
  expect(shop({ tools: [made('shop.sell'), made('shop.sell', '2.0.0')] }).tools).toHaveLength(2)
})

test.each<[string, object, RegExp]>([
  ['no name', { name: undefined }, /a name has lower case letters, digits and _/],
  ['a name with a dot', { name: 'my.shop' }, /agent "my\.shop": a name has lower case/],
  ['no tools', { tools: undefined }, /tools is missing/],
  ['tools that are no list', { tools: made('shop.sell') }, /tools must be a list/],
  [
    'a tool that is none',
    { tools: [{ name: 'shop.sell' }] },
    /tools\[0\] is a plain object "shop\.sell"\. Wrap it in tool\(\{…\}\)/,
  ],
  ['a prompt that is none', { prompts: [page] }, /prompts\[0\] is the resource "page"\. Put it into resources/],
  [
    'another module’s tool',
    { tools: [made('bank.pay')] },
    /its tool bank\.pay belongs to the module bank\. Call it shop\.pay, or the agent bank/,
  ],
  ['one tool twice', { tools: [made('shop.sell'), made('shop.sell')] }, /shop\.sell 1\.0\.0 occurs twice in its tools/],
  ['one prompt twice', { prompts: [cry, cry] }, /cry occurs twice/],
  ['one resource twice', { resources: [page, page] }, /shop:\/\/page occurs twice/],
  ['a version that is none', { version: '1' }, /version "1" is not a semantic version/],
  ['a description that is none', { description: 7 }, /description must be a text/],
  ['a plan that is none', { plan: {} }, /plan must be a function/],
])('%s is refused, and the sentence says so', (_what, changes, message) => {
  expect(() => shop(changes)).toThrow(expect.objectContaining({ error_type: 'RegistrationError' }))
  expect(() => shop(changes)).toThrow(message)
})

const moduleOf = (file: string, ...agents: ReturnType<typeof shop>[]): Module => ({
  file,
  agents,
  tools: agents.flatMap(({ tools }) => tools),
  resources: [],
  prompts: [],
  scratch: undefined,
})

test('a server is one agent: a second one is refused before anything of it is there', () => {
  const bank = agent({ name: 'bank', tools: [made('bank.pay')] })
  const server = createServer({ name: 's', version: '1.0.0' })
  server.add(moduleOf('shop.agent.ts', shop()))
  expect(() => server.add(moduleOf('bank.agent.ts', bank))).toThrow(
    'bank.agent.ts: shop and bank cannot share a server, because agent/plan and agent/critique belong to one agent. ' +
      'Serve each one separately.',
  )
  expect(server.registry.find('bank.pay')).toBeUndefined()
  expect(() => createServer({ name: 's', version: '1.0.0' }).add(moduleOf('both.agent.ts', shop(), bank))).toThrow(
    /both\.agent\.ts: shop and bank cannot share/,
  )
})

test('a file that changes brings another agent in the place of the first, and one that goes takes its methods away', () => {
  const server = createServer({ name: 's', version: '1.0.0', methods: { 'vendor/own': () => ({}) } })
  const [before, after] = [moduleOf('shop.agent.ts', shop()), moduleOf('shop.agent.ts', shop({ plan: () => {} }))]
  server.add(before)
  expect(server.agent?.own).toEqual([])
  server.replace(before, after)
  expect(server.agent?.own).toEqual(['agent/plan'])
  expect(server.methods.get('agent/plan')).toBe(after.agents[0]?.methods['agent/plan'])
  server.replace(after, undefined)
  expect(server.agent).toBeUndefined()
  expect([...server.methods.keys()]).toEqual(['vendor/own'])
})

test('an agent cannot take a method that the server answers by itself', () => {
  const server = createServer({ name: 's', version: '1.0.0', methods: { 'agent/plan': () => ({}) } })
  expect(() => server.add(moduleOf('shop.agent.ts', shop()))).toThrow(
    'shop.agent.ts: agent shop answers agent/plan, which this server already answers',
  )
})
