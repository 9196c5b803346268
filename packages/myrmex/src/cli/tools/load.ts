/** Loads files and folders from the command line into a server. */

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'
import { say, withStdoutOnStderr } from '../../serve/terminal.ts'
import { createServer, type Server } from '../../server/server.ts'
import type { ServerOptions } from '../../server/server-options.ts'
import { discover } from '../../tool/discovery/discover.ts'
import { Definitions } from '../../tool/discovery/duplicates.ts'
import { describeFailure, type FailedModule, failurePlace, moduleFailure } from '../../tool/discovery/load-error.ts'
import { loadModule, type Module } from '../../tool/discovery/module.ts'
import { missingToolPath, TOOL_FILE_NAMES } from '../../tool/discovery/tool-file-names.ts'
import { shownFailure, shownPath } from './shown-path.ts'

export type LoadOptions = Partial<Pick<ServerOptions, 'name' | 'ledger' | 'policy' | 'constitution'>>

/** A folder is served without its broken files, which are reported. */
export function reportFailures(failures: readonly FailedModule[]): void {
  for (const failure of failures.map(shownFailure)) {
    const { module, file, error_type, error } = failure
    if (file === module) say(`${failurePlace(failure)} skipped: ${error_type}: ${error}`)
    else say(`${module} skipped: ${describeFailure(failure)}`)
  }
}

/** A module that loaded, and whether the command line names its file. */
interface Loaded {
  readonly module: Module
  readonly isNamed: boolean
}

/** Broken files in a folder are skipped. A file that is named must load. */
export async function loadServer(paths: readonly string[], options: LoadOptions = {}) {
  const loaded: Loaded[] = []
  const failures: FailedModule[] = []
  for (const path of paths) {
    const full = resolve(path)
    const found = await stat(full).catch(() => undefined)
    if (found === undefined) throw missingToolPath(path)
    if (found.isDirectory()) {
      const discovery = await withStdoutOnStderr(() => discover(full))
      if (discovery.modules_scanned === 0) say(`${path} has no tool files (${TOOL_FILE_NAMES})`)
      loaded.push(...discovery.modules.map((module) => ({ module, isNamed: false })))
      failures.push(...discovery.failed_modules)
    } else {
      const module = await withStdoutOnStderr(() => loadModule(full)).catch((error) => {
        throw doesNotLoad(moduleFailure(full, error))
      })
      loaded.push({ module, isNamed: true })
    }
  }
  const server = createServer({ name: 'myrmex', version: MYRMEX_VERSION, ...options })
  const modules: Module[] = []
  const definitions = new Definitions()
  for (const { module, isNamed } of loaded) {
    const failure = definitions.add(module) ?? addTo(server, module)
    if (failure === undefined) modules.push(module)
    else if (isNamed) throw doesNotLoad(failure)
    else failures.push(failure)
  }
  return { server, modules, failures }
}

function addTo(server: Server, module: Module): FailedModule | undefined {
  try {
    server.add(module)
    return undefined
  } catch (thrown) {
    return moduleFailure(module.file, thrown)
  }
}

const doesNotLoad = (failure: FailedModule): ToolError =>
  ToolError.of(
    'RegistrationError',
    `${shownPath(failure.module)} does not load: ${describeFailure(shownFailure(failure))}`,
  )
