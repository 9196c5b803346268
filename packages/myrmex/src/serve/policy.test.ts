import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { EMPTY_POLICY } from '../pipeline/rules/policy.ts'
import { pointer } from '../protocol/json.ts'
import { JsonLocations } from '../protocol/json-location.ts'
import { loadPolicy } from './operator-file.ts'

let folder: string
const before = process.cwd()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'myrmex-policy-'))
  process.chdir(folder)
})
afterEach(async () => {
  delete process.env.MYRMEX_POLICY
  await rm('myrmex.policy.json', { force: true })
})
afterAll(async () => {
  process.chdir(before)
  await rm(folder, { recursive: true, force: true })
})

const write = (text: string, name = 'myrmex.policy.json') => writeFile(name, text)

test('the file in the working directory is used if it is there', async () => {
  expect(await loadPolicy()).toBe(EMPTY_POLICY)
  await write('{"audit": {"keep_days": 7}}')
  expect(await loadPolicy()).toMatchObject({ audit: { keep_days: 7 } })
})

test('a file that was named is used and must be there', async () => {
  await write('{"audit": {"keep_days": 8}}', 'other.json')
  expect(await loadPolicy('other.json')).toMatchObject({ audit: { keep_days: 8 } })
  await expect(loadPolicy('gone.json')).rejects.toThrow('The policy file gone.json does not exist')
  process.env.MYRMEX_POLICY = 'gone.json'
  await expect(loadPolicy()).rejects.toThrow('gone.json does not exist')
  process.env.MYRMEX_POLICY = 'other.json'
  expect(await loadPolicy()).toMatchObject({ audit: { keep_days: 8 } })
  await expect(loadPolicy(folder)).rejects.toThrow(/cannot be read/)
})

test.each([
  ['a comma too many', '{\n  "audit": {"keep_days": 7,}\n}', /^myrmex\.policy\.json:2:28: invalid JSON/],
  ['an end too early', '{\n  "audit": {', /^myrmex\.policy\.json:2:13: invalid JSON/],
  ['nothing', '', /^myrmex\.policy\.json:1:1: invalid JSON/],
  ['a comment', '{\n  // hello\n}', /^myrmex\.policy\.json:2:3: invalid JSON/],
  ['text behind the end', '{}\n}', /^myrmex\.policy\.json:2:1: invalid JSON/],
  [
    'an anchor in two places',
    '{"audit": {"anchors": [{"file": "a", "url": "http://x"}]}}',
    /: expected exactly one of file, command and url/,
  ],
  ['a bare word', '{"audit": yes}', /^myrmex\.policy\.json:1:11: invalid JSON/],
  ['an unknown key', '{\n  "audit": {},\n  "limit": {}\n}', /^myrmex\.policy\.json:3:3: \/limit is not known.*limits/],
  [
    'a wrong value',
    '{\n  "audit": {\n    "keep_days": "90"\n  }\n}',
    /^myrmex\.policy\.json:3:5: \/audit\/keep_days is "90"/,
  ],
  [
    'something missing',
    '{"approvals": [\n  {"name": "x"}\n]}',
    /^myrmex\.policy\.json:2:3: \/approvals\/0\/tools is missing/,
  ],
  [
    'a depth that exhausts the stack',
    `{"a":\n${'{"a":'.repeat(5000)}1${'}'.repeat(5001)}`,
    /^myrmex\.policy\.json:2:996: the policy is nested more than 200 levels deep$/,
  ],
  ['such a depth that never ends', '{"a":'.repeat(5000), /^myrmex\.policy\.json:1:1: invalid JSON/],
  ['a name that occurs twice', '{\n"approvals": [],\n"audit": {},\n"approvals": []}', /:4:1: \/approvals occurs twice/],
])('%s is refused with its line and column', async (_what, text, message) => {
  await write(text)
  await expect(loadPolicy()).rejects.toThrow(message)
})

test('every wrong location is reported, each with its line', async () => {
  await write('{\n"limit": {},\n"audit": {"keep_days": -1}\n}')
  const told = await loadPolicy().catch((error: Error) => error.message)
  expect(
    String(told)
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['myrmex.policy.json:3:11:', 'myrmex.policy.json:2:1:'])
})

test('a byte order mark harms nobody', async () => {
  await write('\ufeff{}')
  expect(await loadPolicy()).toEqual(EMPTY_POLICY)
})

test('places are found in whatever JSON.parse takes, and broken is what it refuses', () => {
  const spaced = fc.constantFrom(0, 1, 3, '\t')
  fc.assert(
    fc.property(fc.jsonValue(), spaced, (value, space) => {
      const text = JSON.stringify(value, null, space)
      const places = new JsonLocations(text)
      expect(places.syntaxError).toBeUndefined()
      expect(places.duplicates).toEqual([])
      const visit = (item: unknown, path: PropertyKey[]): void => {
        if (typeof item === 'object' && item !== null) {
          for (const [key, child] of Object.entries(item))
            visit(child, [...path, Array.isArray(item) ? Number(key) : key])
          return
        }
        const { line, column } = places.locationOf(pointer(path))
        const rest = (text.split('\n')[line - 1] as string).slice(column - 1)
        const name = typeof path.at(-1) === 'string' ? `${JSON.stringify(path.at(-1))}:${space === 0 ? '' : ' '}` : ''
        expect(rest.startsWith(name + JSON.stringify(item))).toBe(true)
      }
      visit(value, [])
    }),
  )
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(50), fc.constantFrom('', ',', '}', '"', 'x', '\n'), (value, at, change) => {
      const text = JSON.stringify(value)
      const changed = text.slice(0, at) + change + text.slice(at + 1)
      let valid = true
      try {
        JSON.parse(changed)
      } catch {
        valid = false
      }
      expect([changed, new JsonLocations(changed).syntaxError === undefined]).toEqual([changed, valid])
    }),
  )
})
