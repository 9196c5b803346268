/**
 * Scores a run, more strictly than the suites do: a warning counts as a failure, and so does a scenario that was cut off, is missing,
 * or would succeed on a dead port too.
 */
import { EXCEPTIONS, SCENARIOS_WITHOUT_CHECKS } from './exceptions.ts'
import type { Check, Scenario } from './results.ts'
import type { Suite, SuiteRun } from './suites.ts'

export interface ScenarioScore {
  readonly scenario: string
  readonly passed: number
  readonly skipped: number
  /** notes of the suite that judge nothing */
  readonly info: number
  readonly problems: readonly string[]
}

const NOTHING = { passed: 0, skipped: 0, info: 0 }

/** `empty` are the checks of this scenario that succeed without a server. */
function judge({ name, checks }: Scenario, empty: ReadonlySet<string>): ScenarioScore {
  if (checks === undefined) {
    return { ...NOTHING, scenario: name, problems: ['it broke off before it wrote its checks'] }
  }
  const successes = checks.filter(({ status }) => status === 'SUCCESS')
  const problems = checks
    .filter((check) => isBad(check) && !isLeftOut(name, check))
    .map(({ id, status, errorMessage }) => `${status} ${id}: ${errorMessage ?? 'no message'}`)
  const proven = successes.some(({ id }) => !empty.has(id))
  if (SCENARIOS_WITHOUT_CHECKS.has(name)) {
    if (proven) problems.push('it makes checks now, and exceptions.ts says it makes none')
  } else if (!proven && problems.length === 0) problems.push('no check succeeded that needs a server')
  const count = (wanted: Check['status']): number => checks.filter(({ status }) => status === wanted).length
  return { scenario: name, passed: successes.length, skipped: count('SKIPPED'), info: count('INFO'), problems }
}

const isBad = ({ status }: Check): boolean => status === 'FAILURE' || status === 'WARNING'

const isLeftOut = (scenario: string, { id }: Check): boolean =>
  EXCEPTIONS.some((entry) => entry.scenario === scenario && entry.check === id)

const isWhollyLeftOut = ({ name }: Scenario): boolean =>
  EXCEPTIONS.some((entry) => entry.scenario === name && entry.check === undefined)

/** The run against the server, held against the run against nobody. */
export function scoreSuite(suite: Suite, run: SuiteRun, control: SuiteRun): ScenarioScore[] {
  const judged = run.scenarios
    .filter((scenario) => !isWhollyLeftOut(scenario))
    .map((scenario) => judge(scenario, successesOf(control, scenario.name)))
  const problems: string[] = []
  if (run.scenarios.length !== suite.scenarios) {
    problems.push(`${run.scenarios.length} scenarios ran; the suite has ${suite.scenarios}`)
  }
  if (run.exitCode !== 0 && !run.scenarios.some(hasFailed)) {
    problems.push(`the suite ended with ${run.exitCode ?? 'a signal'}, and no check says why`)
  }
  return problems.length === 0 ? judged : [...judged, { ...NOTHING, scenario: '(the suite)', problems }]
}

/** What makes the suite itself fail. */
const hasFailed = ({ checks }: Scenario): boolean =>
  checks === undefined || checks.some(({ status }) => status === 'FAILURE')

function successesOf({ scenarios }: SuiteRun, name: string): Set<string> {
  const checks = scenarios.find((scenario) => scenario.name === name)?.checks ?? []
  return new Set(checks.filter(({ status }) => status === 'SUCCESS').map(({ id }) => id))
}

/** The control: against a dead port the suite fails, and so does every scenario in it that makes a check. */
export function checkControl(suite: Suite, control: SuiteRun): string[] {
  const problems = control.scenarios
    .filter(({ name, checks }) => !SCENARIOS_WITHOUT_CHECKS.has(name) && checks !== undefined && !checks.some(isBad))
    .map(({ name }) => `${suite.name}: ${name} passes against a dead port`)
  if (control.scenarios.length !== suite.scenarios) {
    problems.push(`${suite.name}: ${control.scenarios.length} of ${suite.scenarios} scenarios ran against a dead port`)
  }
  if (control.exitCode === 0) problems.push(`${suite.name}: the suite passes against a dead port`)
  return problems
}

/** Entries of exceptions.ts that no run needed. */
export function staleExceptions(runs: readonly SuiteRun[]): string[] {
  const all = runs.flatMap(({ scenarios }) => scenarios)
  const needed = EXCEPTIONS.filter(({ scenario, check }) =>
    all.some(
      ({ name, checks }) => name === scenario && checks?.some((one) => isBad(one) && (check ?? one.id) === one.id),
    ),
  )
  const names = new Set(all.map(({ name }) => name))
  return [
    ...EXCEPTIONS.filter((entry) => !needed.includes(entry)).map(({ scenario, check }) => `${scenario} ${check ?? ''}`),
    ...[...SCENARIOS_WITHOUT_CHECKS.keys()].filter((name) => !names.has(name)),
  ].map((what) => `exceptions.ts: nothing needs ${what.trim()} any more`)
}

/** Every check that passes without the host must pass through it. A missing check counts as a failure. */
export function lostThroughHost(direct: readonly ScenarioScore[], hosted: readonly ScenarioScore[]): string[] {
  return direct.flatMap(({ scenario, passed }, i) => {
    const there = hosted[i]?.scenario === scenario ? hosted[i].passed : 0
    return there >= passed ? [] : [`${scenario}: ${there} checks pass through the host, and ${passed} without it`]
  })
}
