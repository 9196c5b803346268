/** Loads files and folders from the command line into a server. */

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'
import { say, withStdoutOnStderr } from '../../serve/terminal.ts'
import { createServer, type ServerOptions } from '../../server/server.ts'
import { discover, type FailedModule, moduleFailure } from '../../tool/discovery/discover.ts'
import { loadModule, type Module } from '../../tool/discovery/module.ts'

export type LoadOptions = Partial<Pick<ServerOptions, 'name' | 'ledger' | 'policy' | 'constitution'>>

/** A folder is served without its broken files, which are reported. */
export function reportFailures(failures: readonly FailedModule[]): void {
  for (const { module, error_type, error } of failures) say(`${module} skipped: ${error_type}: ${error}`)
}

/** Broken files in a folder are skipped. A file that is named must load. */
export async function loadServer(paths: readonly string[], options: LoadOptions = {}) {
  const modules: Module[] = []
  const failures: FailedModule[] = []
  for (const path of paths) {
    const full = resolve(path)
    const found = await stat(full).catch(() => undefined)
    if (found === undefined) throw ToolError.of('FileNotFoundError', `${path} does not exist`)
    if (found.isDirectory()) {
      const discovery = await withStdoutOnStderr(() => discover(full))
      if (discovery.modules.length + discovery.failed_modules.length === 0) {
        say(`${path} has no tool files (*.tools.ts or *.tools.js)`)
      }
      modules.push(...discovery.modules)
      failures.push(...discovery.failed_modules)
    } else {
      modules.push(
        await withStdoutOnStderr(() => loadModule(full)).catch((error) => {
          const { error: why, error_type } = moduleFailure(path, error)
          throw ToolError.of('RegistrationError', `${path} does not load: ${error_type}: ${why}`)
        }),
      )
    }
  }
  const server = createServer({ name: 'myrmex', version: MYRMEX_VERSION, ...options })
  for (const module of modules) server.add(module)
  return { server, modules, failures }
}
