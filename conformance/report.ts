/** What the run prints: a line a suite, and a table of its scenarios where one failed or all are asked for. */
import type { ScenarioScore } from './score.ts'

const sum = (judged: readonly ScenarioScore[], count: (one: ScenarioScore) => number): number =>
  judged.reduce((total, one) => total + count(one), 0)

export const passedIn = (judged: readonly ScenarioScore[]): number => sum(judged, ({ passed }) => passed)
export const failedIn = (judged: readonly ScenarioScore[]): number => sum(judged, ({ problems }) => problems.length)

export function suiteReport(name: string, judged: readonly ScenarioScore[], verbose: boolean): string {
  const counts = [
    `${judged.length} scenarios`,
    `${passedIn(judged)} passed`,
    `${failedIn(judged)} failed`,
    `${sum(judged, ({ skipped }) => skipped)} skipped`,
    `${sum(judged, ({ info }) => info)} info`,
  ]
  const line = `${name}: ${counts.join(', ')}`
  return verbose || failedIn(judged) > 0 ? [line, ...table(judged)].join('\n') : line
}

function table(judged: readonly ScenarioScore[]): string[] {
  const width = Math.max(...judged.map(({ scenario }) => scenario.length), 'scenario'.length)
  const row = (scenario: string, passed: string, failed: string): string =>
    `  ${scenario.padEnd(width)}  ${passed.padStart(6)}  ${failed.padStart(6)}`
  return [
    row('scenario', 'passed', 'failed'),
    ...judged.flatMap(({ scenario, passed, problems }) => [
      row(scenario, String(passed), String(problems.length)),
      ...problems.map((problem) => `    ${problem}`),
    ]),
  ]
}
