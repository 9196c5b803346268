/** What holds for the names of any tools of any servers: each name means one tool, and no server can take the names of another. */
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
const server = fc.uniqueArray(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 2 }).map((parts) => parts.join('_'))
const original = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...PARTS, 'Git', 'Add', 'X'), { minLength: 1, maxLength: 4 }) },
  { weight: 1, arbitrary: fc.tuple(fc.string({ minLength: 1, maxLength: 200 })) },
)
const spelled = fc
  .tuple(original, fc.constantFrom('_', '-', '.', '', ' '))
  .map(([parts, between]) => (parts as string[]).join(between))
const listing = fc.uniqueArray(spelled, { minLength: 1, maxLength: 6 })
const fleet = fc.uniqueArray(fc.tuple(server, listing, fc.boolean()), {
  minLength: 1,
  maxLength: 4,
  selector: ([name]) => name,
})

interface Made {
  readonly server: string
  readonly original: string
  readonly name: string
}

function registered(servers: readonly (readonly [string, readonly string[], boolean])[]) {
  const registry = new Registry()
  registry.reserve(new Set(servers.map(([name]) => name)))
  const made: Made[] = []
  for (const [owner, listed, isKnown] of servers) {
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

test('whatever its neighbours list, names with the prefix of a server are its own', () => {
  fc.assert(
    fc.property(fleet, (servers) => {
      const { registry } = registered(servers)
      const owners = servers.map(([name]) => name).sort((a, b) => b.length - a.length)
      for (const [owner, tools] of servers)
        for (const name of [
          ...tools,
          ...tools.map((one) => `${owner}_${one}`),
          ...tools.map((one) => `${owner}.${one}`),
        ]) {
          const found = registry.find(name)
          const flat = toSnakeCase(name).replaceAll('.', '_')
          const whose = owners.find((one) => flat.startsWith(`${one}_`))
          // The canonical names of a tool are its own, whatever they look like without the dot.
          const canonical = owners.find((one) => name.startsWith(`${one}.`))
          if (found !== undefined && whose !== undefined && found.name.length < 60)
            expect([whose, canonical], name).toContain(found.name.split('.', 1)[0])
        }
    }),
    { numRuns: propertyRuns(200, 5000) },
  )
})
