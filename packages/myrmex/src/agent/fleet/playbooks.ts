/** The playbooks of a fleet: loaded from the files that its configuration names. A file that does not load is a problem, not the end. */
import { pathToFileURL } from 'node:url'
import { moduleFile } from '../../host/config/module-file.ts'
import { isPlaybook, type Playbook } from '../playbook.ts'
import { type FleetProblem, fleetProblem } from './problem.ts'

export interface Playbooks {
  readonly playbooks: readonly Playbook[]
  readonly problems: readonly FleetProblem[]
}

export async function loadPlaybooks(files: readonly string[], folder: string): Promise<Playbooks> {
  const playbooks: Playbook[] = []
  const problems: FleetProblem[] = []
  for (const file of files) {
    try {
      const exported = (await import(pathToFileURL(moduleFile(file, folder)).href)) as Record<string, unknown>
      const found = Object.values(exported).flat().filter(isPlaybook)
      if (found.length === 0) throw new Error(`${file} exports no playbook. Export what playbook({…}) returns.`)
      playbooks.push(...found)
    } catch (thrown) {
      problems.push(fleetProblem(file, thrown))
    }
  }
  return { playbooks, problems }
}
