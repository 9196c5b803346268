/**
 * Attacker: a remote caller
 * Attack: evades a rule about an argument with a value of another type, of which the server behind the host makes the forbidden one.
 * Stopped by: arguments that do not fit the schema are passed on only if no rule, no article and no cost reads the arguments of the tool.
 */
import { rawClient } from '@myrmex/testing/host/raw-client'
import { enter, statefulHost, whereabouts } from '@myrmex/testing/host/stateful-server'
import { expect, onTestFinished, test } from 'vitest'
import { parseConstitution } from '../../packages/myrmex/src/pipeline/rules/constitution.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'

const FORBIDDEN = { argument: '/folder', equals: '/secret' }
const RULES = {
  'of the policy': {
    policy: parsePolicy({
      approvals: [{ name: 'secret', tools: ['git.enter'], when: [FORBIDDEN], otherwise: 'allow' }],
    }),
  },
  'of the constitution': {
    constitution: parseConstitution({
      articles: [{ name: 'secret', text: 'Nobody enters it.', tools: ['git.*'], forbid: [FORBIDDEN] }],
    }),
  },
}

test.each(Object.entries(RULES))('a value of another type evades no rule %s', async (_, rules) => {
  const { host } = await statefulHost('child', {}, rules)
  const client = await rawClient(host.server, { era: 'legacy' })
  onTestFinished(() => client.close())
  // The server makes "/secret" of it.
  const refused = await enter(client, ['/secret'] as unknown as string)
  expect(refused).toMatchObject({ isError: true, structuredContent: { error_type: 'SchemaError' } })
  expect(await enter(client, '/secret')).toMatchObject({ isError: true })
  expect((await whereabouts(client)).folder).toBe('/')
  expect(await enter(client, '/open')).not.toHaveProperty('isError')
  expect((await whereabouts(client)).folder).toBe('/open')
})
