/**
 * Servers nobody here wrote, each directly and through the host, by clients nobody here wrote: every tool, resource, template, prompt
 * and completion, questions, progress, logs and subscriptions give the same.
 */
import { LONG } from '@myrmex/testing/long'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { Comparison } from './comparison.ts'
import { normalisedName } from './listed-names.ts'
import { SCENARIOS } from './scenarios.ts'
import { Session } from './session.ts'

/** The short form has one client of each era, and each server by one of them. */
const CLIENTS = LONG ? [sdk1, ...sdk2] : [sdk1, ...sdk2.slice(1)]

const CASES = CLIENTS.flatMap((client, number) =>
  SCENARIOS.filter((_, index) => LONG || index % CLIENTS.length === number).map(({ foreign, steps, own }) => ({
    client,
    foreign,
    steps,
    name: own ? `${foreign.name}_${number}` : foreign.name,
    title: `${foreign.name} by ${client.name}`,
  })),
)

let ground: Comparison
/** some servers take seconds to end, and nobody waits for them but the last */
const closing: Promise<void>[] = []

beforeAll(async () => {
  ground = await Comparison.open(CASES)
})
afterAll(async () => {
  await Promise.all(closing)
  await ground?.close()
})

describe.each(CASES)('$title', ({ client, foreign, steps, name }) => {
  let direct: Session
  let hosted: Session

  beforeAll(async () => {
    ;[direct, hosted] = await Promise.all([
      Session.open(client, ground.direct(foreign)),
      Session.open(client, ground.hosted({ foreign, name })),
    ])
  })
  afterAll(() => {
    closing.push(direct?.close(), hosted?.close())
  })

  test.each(steps)('$name', async ({ run, hosted: instead }) => {
    const [there, here] = await Promise.all([run(direct), run(hosted)])
    expect(here).toEqual(instead === undefined ? there : expect.toBeOneOf([there, instead]))
  })

  test('nothing that it offers is left untried', async () => {
    const offered = await Promise.all([direct.tools(), direct.resources(), direct.templates(), direct.prompts()])
    const tried = new Set(steps.map(({ tries = '' }) => normalisedName(tries)))
    const names = offered.flat().map(({ name, uri, uriTemplate }) => normalisedName(String(uriTemplate ?? uri ?? name)))
    expect(names.filter((one) => !tried.has(one))).toEqual([])
  })
})
