/**
 * The Inspector's command line, directly and through the host. A process for every request is slow, so the usual run takes a few
 * steps with each server; `HOST_EVERY=1` takes all that one request can show, in both eras.
 */
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { inspector } from './clients/inspector.ts'
import { sdk2 } from './clients/sdk2.ts'
import { Ground } from './ground.ts'
import { hostedNames, type Listed, type Names, OWN } from './names.ts'
import { Session } from './session.ts'
import type { Step } from './steps/step.ts'
import { TRIED } from './tried.ts'
import { User } from './user.ts'

const EVERY = process.env.HOST_EVERY !== undefined
const CHOSEN = new Set([
  'get-structured-content answers',
  'get-resource-reference fails in its own words',
  'demo://resource/dynamic/text/42 is read',
  'args-prompt is got with {"city":"Austin","state":"Texas"}',
  'read_text_file answers',
  'create_entities answers',
  'sequentialthinking answers',
])

const chosen = (steps: readonly Step[]): Step[] =>
  steps.filter(({ name, lasting }) => lasting !== true && (EVERY || CHOSEN.has(name)))

const CASES = inspector.slice(EVERY ? 0 : 1).flatMap((client, number) =>
  TRIED.map(({ foreign, steps, own }) => ({
    client,
    foreign,
    steps: chosen(steps),
    name: own ? `${foreign.name}_${number}` : foreign.name,
    title: `${foreign.name} by ${client.name}`,
  })),
)

/**
 * A server that is asked directly leaves out what asks for more than the Inspector can answer. The host answers for many clients, and
 * such tools are listed to all of them.
 */
function offeredIn(here: unknown, there: unknown): unknown {
  if (!Array.isArray(here) || !Array.isArray(there)) return here
  return here.filter(({ name }: Listed) => there.some((one: Listed) => one.name === name))
}

let ground: Ground
const names = new Map<string, Names>()

beforeAll(async () => {
  // The Inspector is started with that home too, and servers are told of it.
  ground = await Ground.open(CASES, { HOME: tmpdir() })
  if (ground.host === undefined || sdk2[0] === undefined) return
  const lister = await sdk2[0].open({ kind: 'http', url: ground.host.url }, new User([]))
  for (const { name } of CASES) names.set(name, await hostedNames(lister, name))
  await lister.close()
})
afterAll(() => ground?.close())

describe.concurrent.each(CASES)('$title', ({ client, foreign, steps, name }) => {
  // In their order: some see what those before them did.
  test('every step gives the same', { timeout: 600_000 }, async ({ expect }) => {
    const direct = await Session.open(client, ground.direct(foreign), OWN)
    const hosted = await Session.open(client, ground.hosted({ foreign, name }), names.get(name) ?? OWN)
    for (const step of steps) {
      const [there, here] = await Promise.all([step.run(direct), step.run(hosted)])
      expect.soft(offeredIn(here, there), step.name).toEqual(there)
    }
    expect(steps).not.toHaveLength(0)
  })
})
