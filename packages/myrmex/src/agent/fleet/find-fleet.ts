/** Finds the fleet that a command is about: a fleet file, a folder with one, a folder of agent files, or one agent file. */
import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { loadOperatorFile } from '../../serve/operator-file.ts'
import { withStdoutOnStderr } from '../../serve/terminal.ts'
import { toolFiles } from '../../tool/discovery/discover.ts'
import { describeFailure, moduleFailure } from '../../tool/discovery/load-error.ts'
import { loadModule } from '../../tool/discovery/module.ts'
import { type FleetConfig, parseFleet } from './config.ts'

export const FLEET_FILE = 'myrmex.fleet.json'
const KIND = { name: 'fleet', defaultName: FLEET_FILE, empty: { agents: {} }, parse: parseFleet }

export interface FleetSource {
  readonly config: FleetConfig
  /** relative paths start here */
  readonly folder: string
}

export async function findFleet(path: string | undefined): Promise<FleetSource> {
  if (path === undefined) {
    if (existsSync(FLEET_FILE)) {
      await requireFolder('.')
      return fromFile(FLEET_FILE)
    }
    throw ToolError.of(
      'FileNotFoundError',
      `There is no ${FLEET_FILE} here. Use --fleet with a fleet file, a folder of agent files (*.agent.ts), or an agent file.`,
    )
  }
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw ToolError.of('FileNotFoundError', `--fleet: ${path} does not exist`)
  if (!found.isDirectory()) return path.endsWith('.json') ? fromFile(path) : fromAgents([resolve(path)], path)
  const file = join(path, FLEET_FILE)
  if (existsSync(file)) return fromFile(file)
  const agents = (await toolFiles(resolve(path), false)).filter((name) => /\.agent\.\w+$/.test(basename(name)))
  return fromAgents(agents, path)
}

const fromFile = async (file: string): Promise<FleetSource> => ({
  config: await loadOperatorFile(file, KIND),
  folder: dirname(resolve(file)),
})

/** All in this process. A file must be loaded to know the name of its agent. */
async function fromAgents(files: readonly string[], path: string): Promise<FleetSource> {
  const agents: FleetConfig['agents'] = Object.create(null)
  for (const file of files) {
    for (const name of await namesIn(file)) {
      if (agents[name] !== undefined)
        throw ToolError.of('RegistrationError', `Two files have the agent ${name}: ${agents[name].module} and ${file}.`)
      agents[name] = { module: file }
    }
  }
  if (Object.keys(agents).length > 0) return { config: { agents }, folder: resolve('.') }
  throw ToolError.of(
    'ValidationError',
    `--fleet: ${path} has no ${FLEET_FILE} and no agent file (*.agent.ts, *.agent.js) with an agent.`,
  )
}

/** A file with tools and no agent counts as an agent with the name of their module. */
async function namesIn(file: string): Promise<string[]> {
  const { agents, tools } = await withStdoutOnStderr(() => loadModule(file)).catch((thrown: unknown) => {
    throw ToolError.of('RegistrationError', `${file} does not load: ${describeFailure(moduleFailure(file, thrown))}`)
  })
  return agents.length > 0 ? agents.map(({ name }) => name) : [...new Set(tools.map(({ module }) => module))]
}
