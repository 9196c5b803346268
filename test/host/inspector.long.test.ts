/**
 * The Inspector's command line, directly and through the host, in both eras: all that one request can show. Each step starts two
 * processes that take a second of the machine; `same-answers.test.ts` is the short form, with clients that stay connected.
 */

import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { inspector } from './clients/inspector.ts'
import { sdk2 } from './clients/sdk2.ts'
import { Comparison } from './comparison.ts'
import { hostedNames, type ItemNames, type ListedItem, OWN_NAMES } from './listed-names.ts'
import { SCENARIOS } from './scenarios.ts'
import { ScriptedUser } from './scripted-user.ts'
import { Session } from './session.ts'
import type { Step } from './steps/step.ts'

const chosen = (steps: readonly Step[]): Step[] => steps.filter(({ lasting }) => lasting !== true)

const CASES = SCENARIOS.map(({ foreign, steps }) => ({ foreign, steps: chosen(steps), name: foreign.name }))

/**
 * A server that is asked directly leaves out what asks for more than the Inspector can answer. The host answers for many clients, and
 * such tools are listed to all of them.
 */
function offeredIn(here: unknown, there: unknown): unknown {
  if (!Array.isArray(here) || !Array.isArray(there)) return here
  return here.filter(({ name }: ListedItem) => there.some((one: ListedItem) => one.name === name))
}

/** The revision that it speaks with the host knows no such field, and the Inspector shows of a list what it knows. */
const known = (items: unknown): unknown =>
  Array.isArray(items) ? items.map(({ execution: _, ...rest }: ListedItem) => rest) : items

/** What the host calls the tools of each server. */
async function namesIn(ground: Comparison): Promise<Map<string, ItemNames>> {
  const names = new Map<string, ItemNames>()
  if (ground.host === undefined || sdk2[0] === undefined) return names
  const lister = await sdk2[0].open({ kind: 'http', url: ground.host.url }, new ScriptedUser([]))
  for (const { name } of CASES) names.set(name, await hostedNames(lister, name))
  await lister.close()
  return names
}

// Each era has a host and folders of its own: what one changes, the other must not see.
describe.concurrent.each(inspector)('$name', (client) => {
  const isLegacy = client === inspector[0]
  let ground: Comparison
  let names: Map<string, ItemNames>

  beforeAll(async () => {
    // The Inspector is started with that home too, and passes it on to servers.
    ground = await Comparison.open(CASES, { env: { HOME: tmpdir() }, rootless: true })
    names = await namesIn(ground)
  })
  afterAll(() => ground?.close())

  // In their order: some see what those before them did.
  test.for(CASES)('every step with $name gives the same', async ({ foreign, name, steps }, { expect }) => {
    const direct = await Session.open(client, ground.direct(foreign), OWN_NAMES)
    const hosted = await Session.open(client, ground.hosted({ foreign, name }), names.get(name) ?? OWN_NAMES)
    for (const step of steps) {
      const [there, here] = await Promise.all([step.run(direct), step.run(hosted)])
      const [shown, wanted] = isLegacy ? [here, there] : [known(here), known(there)]
      const allowed = step.hosted === undefined ? wanted : expect.toBeOneOf([wanted, step.hosted])
      expect.soft(offeredIn(shown, wanted), step.name).toEqual(allowed)
    }
    expect(steps).not.toHaveLength(0)
  })
})
