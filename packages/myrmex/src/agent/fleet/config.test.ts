import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import schemaFile from '../../../schema/myrmex.fleet.schema.json' with { type: 'json' }
import { type FleetConfig, fleetJsonSchema, parseFleet } from './config.ts'
import { resolveAgents } from './resolve-agents.ts'

/** How a file names a variable. */
const v = (name: string): string => `$\{${name}}`

const WHOLE = {
  $schema: './node_modules/myrmex/schema/myrmex.fleet.schema.json',
  agents: {
    supplier: { module: './supplier.agent.ts' },
    ads: { command: 'node', args: ['ads.js'], env: { KEY: `a-${v('ADS_KEY')}` }, cwd: 'ads', timeout_ms: 60_000 },
    helpdesk: {
      url: `http://127.0.0.1:${v('PORT')}/mcp`,
      headers: { 'x-team': v('TEAM') },
      token_env: 'HELPDESK_TOKEN',
    },
  },
}
const ENV = { ADS_KEY: 'k', PORT: '7350', TEAM: 'blue', HELPDESK_TOKEN: 't0p' }
const of = (place: object): FleetConfig => parseFleet({ agents: { one: place } })
const around = (env: NodeJS.ProcessEnv = ENV) => ({ folder: '/srv/fleet', env })

test('a fleet has agents in this process, in children and behind URLs', () => {
  expect(parseFleet(WHOLE)).toEqual(WHOLE)
  expect(Object.fromEntries(resolveAgents(parseFleet(WHOLE), around()))).toMatchObject({
    supplier: { where: 'in-process', file: '/srv/fleet/supplier.agent.ts' },
    ads: {
      where: 'child',
      settings: {
        name: 'ads',
        endpoint: {
          where: 'child',
          command: 'node',
          args: ['ads.js'],
          env: { MYRMEX_LEDGER: '.myrmex/agents/ads/ledger.db', KEY: 'a-k' },
          cwd: '/srv/fleet/ads',
        },
        timeoutMs: 60_000,
      },
    },
    helpdesk: {
      where: 'url',
      settings: {
        endpoint: {
          where: 'url',
          url: 'http://127.0.0.1:7350/mcp',
          headers: { 'x-team': 'blue', authorization: 'Bearer t0p' },
        },
        timeoutMs: 30_000,
      },
    },
  })
})

test('a program with a slash in it is seen from the folder of the file, any other is looked for in the path', () => {
  const command = (text: string) =>
    (resolveAgents(of({ command: text }), around()).get('one') as { settings: { endpoint: object } }).settings.endpoint
  expect(command('./bin/run')).toMatchObject({ command: '/srv/fleet/bin/run', cwd: '/srv/fleet' })
  expect(command('node')).toMatchObject({ command: 'node' })
})

test.each<[string, unknown, RegExp]>([
  ['nothing', null, /the whole is null/],
  ['no agents', {}, /\/agents is missing/],
  ['a misspelt word', { agent: {} }, /\/agent is not known here\. Did you mean agents\?/],
  [
    'a misspelt field',
    { agents: { a: { modul: './x' } } },
    /\/agents\/a\/modul is not known here\. Did you mean module\?/,
  ],
  ['a bad name', { agents: { 'my-shop': { module: './x' } } }, /\/agents\/my-shop is no name of an agent/],
  [
    'no place',
    { agents: { a: {} } },
    /\/agents\/a is \{\}: must have exactly one of module, command, url; there is none/,
  ],
  ['two places', { agents: { a: { module: 'x', url: 'y' } } }, /exactly one of .*; there are module and url/],
  [
    'a field of another place',
    { agents: { a: { module: 'x', args: [] } } },
    /\/agents\/a\/args is .*: belongs to command, and this agent has module/,
  ],
  [
    'a token where its variable should be named',
    { agents: { a: { url: 'u', token_env: 'sk-123' } } },
    /token_env.*environment variable/,
  ],
  ['a time that is none', { agents: { a: { url: 'u', timeout_ms: 0 } } }, /\/agents\/a\/timeout_ms is 0/],
])('%s is refused, and the place is named', (_what, value, message) => {
  expect(() => parseFleet(value)).toThrow(expect.objectContaining({ error_type: 'ValidationError' }))
  expect(() => parseFleet(value)).toThrow(message)
})

test('what may be a secret is never shown', () => {
  const wrong = {
    agents: { a: { url: 7, headers: { authorization: { secret: 'hush' } }, token_env: 'hush hush', hushed: 'hush' } },
  }
  const error = (() => {
    try {
      return parseFleet(wrong)
    } catch (thrown) {
      return thrown
    }
  })() as Error & { error_details: unknown }
  expect(error.message).toContain('/agents/a/token_env')
  expect(error.message + JSON.stringify(error.error_details)).not.toMatch(/hush\b/)
})

describe('variables', () => {
  test('one that is not set is an error that names it and the place; all of them are reported at once', () => {
    expect(() => resolveAgents(parseFleet(WHOLE), around({}))).toThrow(
      'The fleet cannot be opened. ' +
        '/agents/ads/env/KEY needs the environment variable ADS_KEY, which is not set; ' +
        '/agents/helpdesk/url needs the environment variable PORT, which is not set; ' +
        '/agents/helpdesk/headers/x-team needs the environment variable TEAM, which is not set; ' +
        '/agents/helpdesk/token_env needs the environment variable HELPDESK_TOKEN, which is not set',
    )
  })

  test('a URL that is none, or not of the web, is refused without being shown', () => {
    expect(() => resolveAgents(of({ url: `file:///${v('TEAM')}` }), around())).toThrow(
      /\/agents\/one\/url is no http or https URL$/,
    )
    expect(() => resolveAgents(of({ url: 'nowhere' }), around())).toThrow(/is no http or https URL/)
  })
})

test('the file with the JSON Schema for editors is what the schema gives; scripts/json-schemas.ts writes it', () => {
  expect(schemaFile).toEqual(JSON.parse(JSON.stringify(fleetJsonSchema())))
})

test('the JSON Schema for editors takes what is valid and refuses what is not', () => {
  const check = new Ajv({ strict: false, logger: false }).compile(fleetJsonSchema())
  expect(check(WHOLE)).toBe(true)
  expect(check({ agents: { a: { modul: 'x' } } })).toBe(false)
  expect(check({ agents: { a: { module: 'x', url: 'y' } } })).toBe(false)
  expect(check({ agents: { 'my-shop': { module: 'x' } } })).toBe(false)
})
