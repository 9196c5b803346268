/**
 * Loads the tools that a decision can be about and records their definitions, so that a tool can be decided about before its first call: from
 * files, and from the agents of a fleet, wherever they run. A tool that the ledger does not know is looked for in the fleet of this
 * folder. Client, server and fleet are loaded only here: most decisions need the ledger alone.
 */
import { isTrackedName, type TrackedTool, trackedTools } from '../../ledger/decisions/tracked-tools.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { hasOwnFleet } from '../../serve/demo.ts'
import type { LedgerFlags } from '../../serve/ledger.ts'
import { oneLine, say, withStdoutOnStderr } from '../../serve/terminal.ts'
import type { Module } from '../../tool/discovery/module.ts'
import type { Tool } from '../../tool/tool.ts'

/** Advice for a tool that the ledger does not know. */
export const LOAD_HINT = "Start the server, name the tool's file with --file, or the fleet of its agent with --fleet."

export interface LoadFlags {
  file?: string[]
  fleet?: string
}

export interface LoadedTools {
  readonly known: readonly TrackedTool[]
  /** of the files, whose examples can be executed */
  readonly modules: readonly Module[]
  readonly tools: readonly Tool[]
}

/** Whether tools can be loaded, and so a ledger can be needed that does not exist yet. */
export const canLoad = ({ file, fleet }: LoadFlags): boolean =>
  file !== undefined || fleet !== undefined || hasDefaultFleet()

const hasDefaultFleet = (): boolean => process.env.MYRMEX_FLEET !== undefined || hasOwnFleet()

/** That of the server of these files, unless one is named. */
export async function ledgerOf<T extends LedgerFlags & LoadFlags>(options: T): Promise<T> {
  if (options.file === undefined) return options
  const { chooseFolder, reportLedgerElsewhere } = await import('../choose-folder.ts')
  const flags = chooseFolder(options, options.file)
  reportLedgerElsewhere(flags, options.ledger)
  return flags
}

/** Loads what the flags name, and the fleet of this folder if the ledger does not know one of these names after that. */
export async function loadAndRecord(ledger: Ledger, flags: LoadFlags, names: readonly string[]): Promise<LoadedTools> {
  const { file, fleet } = flags
  const modules = await loadFiles(ledger, file)
  const tools = modules.flatMap((module) => module.tools)
  if (fleet !== undefined) tools.push(...(await loadFleet(ledger, fleet)))
  const known = await trackedTools(ledger)
  const isMissing = names.some((name) => !isTrackedName(known, name))
  if (!isMissing || fleet !== undefined || !hasDefaultFleet()) return { known, modules, tools }
  tools.push(...(await loadFleet(ledger, process.env.MYRMEX_FLEET)))
  return { known: await trackedTools(ledger), modules, tools }
}

async function loadFiles(ledger: Ledger, files: readonly string[] = []): Promise<Module[]> {
  if (files.length === 0) return []
  const { loadServer, reportFailures } = await import('../tools/load.ts')
  const { modules, failures } = await loadServer(files)
  reportFailures(failures)
  await ledger.trust.recordDefinitions(modules.flatMap(({ tools }) => tools))
  return modules
}

/** The tools and agent methods of all agents that can be reached. Its children are ended again. */
async function loadFleet(ledger: Ledger, path: string | undefined): Promise<Tool[]> {
  const [{ findFleet }, { openFleet }] = await Promise.all([
    import('../../agent/fleet/find-fleet.ts'),
    import('../../agent/fleet/fleet.ts'),
  ])
  const { config, folder } = await findFleet(path)
  const fleet = await withStdoutOnStderr(() => openFleet(config, { ledger, folder, stderr: 'ignore' }))
  try {
    for (const { agent, error_type, message } of fleet.problems)
      say(`${agent}: ${error_type}: ${oneLine(message, 500)}`)
    const tools = [...fleet.server.registry]
    await ledger.trust.recordDefinitions(tools.filter(({ origin }) => origin === 'own'))
    const methods = fleet.agents.flatMap(({ name }) =>
      ['plan', 'critique'].flatMap((method) => fleet.host.definition(`agent:${name}.${method}`) ?? []),
    )
    await ledger.trust.pinAll([...tools, ...methods].filter(({ origin }) => origin === 'upstream'))
    return tools
  } finally {
    await fleet.close()
  }
}
