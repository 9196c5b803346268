/**
 * What holds for the names of any tools of any servers, also of those that are not here: each name means one tool, and a name that begins
 * with that of a server means a tool of this server or nothing.
 */
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TOOL_NAME_PATTERN } from '../../protocol/envelope.ts'
import { toSnakeCase } from '../../tool/name.ts'
import { Registry } from '../../tool/registry.ts'
import { tool } from '../../tool/tool.ts'
import { withAliases } from '../../tool/tool-aliases.ts'
import { toolNames } from './tool-names.ts'

const PARTS = ['git', 'hub', 'add', 'a', 'b', 'x', 'git_hub', 'gits', 'files', 'my', 'long'.repeat(20)]
// Few, so that the name of one often begins with that of another.
const OWNER_PARTS = ['git', 'hub', 'a', 'b', 'long'.repeat(4)]
const server = fc
  .uniqueArray(fc.constantFrom(...OWNER_PARTS), { minLength: 1, maxLength: 2 })
  .map((parts) => parts.join('_'))
const original = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...PARTS, 'Git', 'Add', 'X'), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(fc.string({ minLength: 1, maxLength: 200 })) },
)
const spelled = fc
  .tuple(original, fc.constantFrom('_', '-', '.', '', ' '))
  .map(([parts, between]) => (parts as string[]).join(between))
const listing = fc.uniqueArray(spelled, { minLength: 1, maxLength: 6 })
const fleet = fc.uniqueArray(
  fc.record({ owner: server, tools: listing, isKnown: fc.boolean(), isHere: fc.boolean() }),
  { minLength: 1, maxLength: 4, selector: ({ owner }) => owner },
)

interface ListingServer {
  readonly owner: string
  readonly tools: readonly string[]
  /** its long names are in the ledger */
  readonly isKnown: boolean
  readonly isHere: boolean
}

interface Made {
  readonly server: string
  readonly original: string
  readonly name: string
}

function registered(servers: readonly ListingServer[]) {
  const registry = new Registry()
  registry.reserve(new Set(servers.map(({ owner }) => owner)))
  const made: Made[] = []
  for (const { owner, tools: listed, isKnown, isHere } of servers) {
    if (!isHere) continue
    const names = toolNames(
      owner,
      listed.map((name) => ({ name })),
      () => isKnown,
    )
    for (const [index, { name, alias, takenBy }] of names.entries()) {
      if (takenBy !== undefined) continue
      const its = listed[index] as string
      registry.register(
        withAliases(tool({ ...BODY, name, description: 'One of them.' }, 'upstream'), {
          canonical: alias,
          original: its,
        }),
      )
      made.push({ server: owner, original: its, name })
    }
  }
  return { registry, made }
}

const BODY = {
  version: '1.0.0',
  input: { type: 'object' },
  output: { type: 'object' },
  errors: {},
  idempotent: true,
  destructive: false,
  security: 'Reads only.',
  examples: [],
  run: () => ({}),
} as const

test('every tool has names of its own, and is found by each of them', () => {
  fc.assert(
    fc.property(fleet, (servers) => {
      const { registry, made } = registered(servers)
      const listed = registry.listed()
      expect(listed).toHaveLength(made.length)
      expect(new Set(listed.map(({ listedAs }) => listedAs)).size).toBe(made.length)
      for (const { listedAs, tool: one } of listed) {
        expect(listedAs).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(one.name).toMatch(TOOL_NAME_PATTERN)
        expect(one.name.length).toBeLessThanOrEqual(128)
        expect(registry.find(listedAs)).toBe(one)
        expect(registry.find(one.name)).toBe(one)
      }
    }),
    { numRuns: propertyRuns(200, 5000) },
  )
})

/**
 * Whose a name is: with a dot, that of the server before it; otherwise that of the server with the longest name that it begins with, in any
 * spelling. Undefined: of nobody in particular.
 */
function ownerOfName(name: string, owners: readonly string[]): string | undefined {
  const [first = '', ...rest] = toSnakeCase(name).split('.')
  if (rest.length > 0 && owners.includes(first)) return first
  const flat = [first, ...rest].join('_')
  return owners.toSorted((a, b) => b.length - a.length).find((one) => flat.startsWith(`${one}_`))
}

test('whatever its neighbours list, names with the prefix of a server are its own, also while it is not here', () => {
  fc.assert(
    fc.property(fleet, (servers) => {
      const { registry, made } = registered(servers)
      const owners = servers.map(({ owner }) => owner)
      const originals = servers.flatMap(({ tools }) => tools)
      const names = new Set([
        ...originals,
        ...owners.flatMap((owner) => originals.flatMap((one) => [`${owner}_${one}`, `${owner}.${one}`])),
        ...registry.listed().map(({ listedAs }) => listedAs.replace(/_[0-9a-f]{8}$/, '')),
        ...made.map(({ name }) => name),
      ])
      for (const one of [...names].flatMap((name) => [
        name,
        toSnakeCase(name),
        toSnakeCase(name).replaceAll('.', '_'),
      ])) {
        const found = registry.find(one)
        const whose = ownerOfName(one, owners)
        if (found !== undefined && whose !== undefined)
          expect([one, found.module.split('.', 1)[0]]).toEqual([one, whose])
      }
    }),
    { numRuns: propertyRuns(200, 5000) },
  )
})
