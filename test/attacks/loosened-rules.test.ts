/**
 * The policy and the constitution are files that are loaded again while a host runs.
 *
 * Attacker: a process of the same user that can write the policy and the constitution of a host with a locked ledger
 * Attack: removes a rule that asks or an article, raises a limit, or adds a caller, and lets the running host load it.
 * Stopped by: a running host with a locked ledger takes over only rules that are as strict or stricter, and says what it left out.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { captureScreen } from '@myrmex/testing/cli/screen'
import { serve } from '@myrmex/testing/gated-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseConstitution } from '../../packages/myrmex/src/pipeline/rules/constitution.ts'
import { loosenedRules } from '../../packages/myrmex/src/pipeline/rules/loosened-rules.ts'
import { parsePolicy } from '../../packages/myrmex/src/pipeline/rules/policy.ts'
import { reloadRulesOnChange } from '../../packages/myrmex/src/serve/reload-rules.ts'

const ASKS = { name: 'large', tools: ['shop.*'] }
const ANN = { id: 'ann', token_sha256: 'a'.repeat(64), scopes: ['shop.*'], profile: 'desk' }
const JWT = { issuer: 'https://id.example', audience: 'https://tools.example', jwks_url: 'https://id.example/jwks' }
const ARTICLE = {
  name: 'spend',
  text: 'Not much.',
  tools: ['shop.*'],
  at_most: { argument: '/n', amount: 50, per: 'day' },
}
const POLICY = {
  approvals: [ASKS],
  limits: { all: { calls: 10, per_ms: 1000 }, tools: { 'shop.sell': { calls: 5, per_ms: 1000 } } },
  principals: [ANN],
}
const CONSTITUTION = { articles: [ARTICLE] }
const rules = (policy: object, constitution: object = CONSTITUTION) => ({
  policy: parsePolicy(policy),
  constitution: parseConstitution(constitution),
})
const limits = (calls: number, per_ms: number, tools: object = POLICY.limits.tools) => ({
  ...POLICY,
  limits: { all: { calls, per_ms }, tools },
})

test.each<[string, object, object?]>([
  ['the approval rule "large" was changed or removed', { ...POLICY, approvals: [] }],
  ['the approval rule "large" was changed or removed', { ...POLICY, approvals: [{ ...ASKS, tools: ['shop.x'] }] }],
  [
    'the approval rule "free" allows calls',
    {
      ...POLICY,
      approvals: [ASKS, { name: 'free', tools: ['*'], otherwise: 'allow', when: [{ argument: '/n', below: 5 }] }],
    },
  ],
  ['the limit of all calls was raised or removed', limits(11, 1000)],
  ['the limit of all calls was raised or removed', limits(10, 999)],
  ['the limit of shop.sell was raised or removed', limits(10, 1000, {})],
  [
    'the limit of shop.* replaces another one',
    limits(10, 1000, { ...POLICY.limits.tools, 'shop.*': { calls: 1, per_ms: 1 } }),
  ],
  [
    'the principal eve is new, or has a new token',
    { ...POLICY, principals: [ANN, { ...ANN, id: 'eve', token_sha256: 'b'.repeat(64) }] },
  ],
  ['the principal ann has another id', { ...POLICY, principals: [{ ...ANN, id: 'boss' }] }],
  ['the principal ann has more scopes: *', { ...POLICY, principals: [{ ...ANN, scopes: ['*'] }] }],
  ['the principal ann has another profile', { ...POLICY, principals: [{ ...ANN, profile: 'other' }] }],
  ['jwt was changed', { ...POLICY, jwt: JWT }],
  ['no caller has a token any more', { ...POLICY, principals: [] }],
  ['the article "spend" was changed or removed', POLICY, {}],
  ['the time zone of the constitution was changed', POLICY, { ...CONSTITUTION, time_zone: 'Asia/Tokyo' }],
])('is looser: %s', (what, policy, constitution) => {
  expect(loosenedRules(rules(POLICY), rules(policy, constitution))).toContain(what)
})

test.each<[string, object, object?]>([
  ['the same', POLICY],
  ['one more rule that asks', { ...POLICY, approvals: [ASKS, { name: 'all', tools: ['*'] }] }],
  ['a lower limit', limits(5, 2000)],
  ['fewer scopes', { ...POLICY, principals: [{ ...ANN, scopes: ['shop.sell'] }] }],
  ['one more article', POLICY, { articles: [ARTICLE, { ...ARTICLE, name: 'more' }] }],
])('is not looser: %s', (_what, policy, constitution) => {
  expect(loosenedRules(rules(POLICY), rules(policy, constitution))).toEqual([])
})

test('a running host with a locked ledger loads stricter rules and no looser ones', async () => {
  const screen = captureScreen()
  const folder = mkdtempSync(join(tmpdir(), 'rules-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (policy: object): void => writeFileSync(join(folder, 'myrmex.policy.json'), JSON.stringify(policy))
  const { server } = await serve([])
  server.pipeline.setRules(parsePolicy(POLICY), server.pipeline.constitution)
  const lock = { isLocked: true }
  const watch = await reloadRulesOnChange({ rulesFolder: folder }, server.pipeline, lock)
  onTestFinished(() => watch.close())
  const approvals = (): string[] => server.pipeline.policy.approvals.map(({ name }) => name)
  const said = (): string => screen.lines().join('')
  write({ ...POLICY, approvals: [ASKS, { ...ASKS, name: 'stricter' }] })
  await vi.waitFor(() => expect(approvals()).toEqual(['large', 'stricter']))
  write({ ...POLICY, approvals: [ASKS] })
  await vi.waitFor(() => expect(said()).toContain('  the approval rule "stricter" was changed or removed'))
  expect(said()).toContain('the ledger is locked and a file cannot loosen them; they apply after a restart')
  expect(approvals()).toEqual(['large', 'stricter'])
  // In open mode everybody who can write the file is the operator.
  lock.isLocked = false
  write({ ...POLICY, approvals: [ASKS] })
  await vi.waitFor(() => expect(approvals()).toEqual(['large']))
})
