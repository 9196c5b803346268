/** What a suite left behind: one folder a scenario, with its checks in it unless the scenario broke off. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Check {
  readonly id: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export interface Scenario {
  readonly name: string
  /** undefined: it broke off before it wrote any */
  readonly checks: readonly Check[] | undefined
}

/** server-tools-list-2026-11-15T20-24-55-510Z */
const FOLDER = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/

export function readResults(folder: string): Scenario[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).map((entry) => {
    const name = FOLDER.exec(entry)?.[1]
    if (name === undefined) throw new Error(`${join(folder, entry)} is not named as the suites name their results`)
    const file = join(folder, entry, 'checks.json')
    return { name, checks: existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Check[]) : undefined }
  })
}
