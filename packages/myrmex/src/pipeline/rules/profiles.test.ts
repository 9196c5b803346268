/** What a profile covers, by servers, names and patterns; and that it covers nothing of a server that it does not reach. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CoveredDefinition, isInProfile, type Profile, reachesServer } from './profiles.ts'

const of = (more: Partial<Profile>): Profile => ({ name: 'p', readOnly: false, ...more })
const one = (
  name: string,
  destructive = false,
  origin: CoveredDefinition['origin'] = 'upstream',
): CoveredDefinition => ({
  ...{ name, destructive, origin },
})
const NAMES = [
  ...['github.get_issue', 'github.get_user', 'github.close_issue', 'git.get_log', 'files.search', 'notes.search'],
  ...['resource:github:repo://a', 'resource:files:file:///a', 'prompt:github.greet', 'agent:ops.plan', 'method:x'],
]
const covered = (profile: Partial<Profile>): string[] => NAMES.filter((name) => isInProfile(of(profile), one(name)))

test.each<[Partial<Profile>, readonly string[]]>([
  [{}, NAMES],
  [{ servers: ['github'] }, NAMES.filter((name) => /^(resource:|prompt:)?github[.:]/.test(name))],
  [{ servers: [] }, []],
  [{ tools: ['github.*'] }, ['github.get_issue', 'github.get_user', 'github.close_issue']],
  [{ tools: ['github.get_*'] }, ['github.get_issue', 'github.get_user']],
  [{ tools: ['*.search'] }, ['files.search', 'notes.search']],
  [{ tools: ['git*.get_*'] }, ['github.get_issue', 'github.get_user', 'git.get_log']],
  [{ tools: ['*.*_issue', 'resource:files'] }, ['github.get_issue', 'github.close_issue', 'resource:files:file:///a']],
  [
    { servers: ['github'], tools: ['*.get_*', 'files.search'] },
    ['github.get_issue', 'github.get_user', 'resource:github:repo://a', 'prompt:github.greet'],
  ],
  [{ tools: [] }, []],
])('%j', (profile, names) => {
  expect(covered(profile)).toEqual(names)
})

test('read-only covers no tool that changes state, and no method', () => {
  expect(isInProfile(of({ readOnly: true }), one('github.get_issue', true))).toBe(false)
  expect(isInProfile(of({ readOnly: true }), one('github.get_issue'))).toBe(true)
  expect(isInProfile(of({ readOnly: true }), one('method:x'))).toBe(false)
})

test('the tools that search are covered if they are the host’s own, whatever a server calls its tools', () => {
  expect(isInProfile(of({ tools: [] }), one('myrmex.search_tools', false, 'own'))).toBe(true)
  expect(isInProfile(of({ tools: [] }), one('myrmex.search_tools'))).toBe(false)
})

test('what covers something of a server reaches the server', () => {
  const part = fc.constantFrom('a', 'ab', 'get_x', '*', 'a*', '*b', 'get_*')
  const pattern = fc.tuple(part, part).map(([module, tool]) => `${module}.${tool}`)
  const name = fc.tuple(fc.constantFrom('a', 'ab', 'b'), fc.constantFrom('get_x', 'a', 'b'))
  fc.assert(
    fc.property(fc.array(pattern, { minLength: 1, maxLength: 3 }), name, (tools, [server, tool]) => {
      if (isInProfile(of({ tools }), one(`${server}.${tool}`))) expect(reachesServer(of({ tools }), server)).toBe(true)
    }),
  )
})
