// Runs one scenario against the targets that take part in it and gives each target's figure.
import type { Scenario } from './aims.ts'
import type { Figure } from './measure/figure.ts'
import { measureHttp } from './measure/http.ts'
import { measureInProcess } from './measure/inproc.ts'
import { measureList } from './measure/list.ts'
import type { Pace } from './measure/rounds.ts'
import { measureStart } from './measure/start.ts'
import { measureStdio } from './measure/stdio.ts'
import { manyToolsCount, type Target, type TargetName, targets } from './targets.ts'

export const descriptions: Record<Scenario, string> = {
  ledger: 'add over stdio, 64 in flight, legacy era: all gates and the SQLite audit, beside all gates without record',
  stdio: 'add over stdio, 64 in flight, legacy era',
  stdio_modern: 'add over stdio, 64 in flight, 2026-07-28',
  http: 'add over HTTP, 32 connections, 2026-07-28',
  inproc: 'add in process, 64 in flight, legacy era',
  echo10k: 'echo of 10 kB over stdio, 64 in flight, legacy era',
  list1000: 'tools/list of 1,000 tools over stdio, warm',
  start: 'spawn to first answered tools/list over stdio',
}

export function measure(scenario: Scenario, names: readonly TargetName[], pace: Pace): Promise<Map<string, Figure>> {
  const pick = <T>(part: (target: Target) => T | undefined) =>
    new Map(
      names.flatMap((name): [string, T][] => {
        const value = part(targets[name])
        return value === undefined ? [] : [[name, value]]
      }),
    )
  const stdio = pick((target) => target.stdio)
  switch (scenario) {
    case 'ledger':
    case 'stdio':
      return measureStdio(stdio, { era: 'legacy', work: 'add', inFlight: 64 }, pace)
    case 'stdio_modern':
      return measureStdio(stdio, { era: 'modern', work: 'add', inFlight: 64 }, pace)
    case 'echo10k':
      return measureStdio(stdio, { era: 'legacy', work: 'echo10k', inFlight: 64 }, pace)
    case 'http':
      return measureHttp(
        pick((target) => target.http),
        32,
        pace,
      )
    case 'inproc':
      return measureInProcess(
        pick((target) => target.inProcess),
        pace,
      )
    case 'list1000':
      return measureList(
        pick((target) => target.manyTools),
        manyToolsCount,
        pace,
      )
    case 'start':
      return measureStart(stdio, pace)
  }
}
