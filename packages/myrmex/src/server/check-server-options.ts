/** What `createServer` refuses, besides lists with definitions that nobody checked: missing names, and methods that cannot be served. */
import { DefinitionFaults } from '../tool/definition-faults.ts'
import { LEGACY_METHODS, MODERN_METHODS } from './methods/method-table.ts'
import type { ServerOptions } from './server.ts'

/** Throws a RegistrationError that names everything that is wrong. */
export function checkServerOptions(options: ServerOptions): void {
  const faults = new DefinitionFaults('server', options)
  for (const field of ['name', 'version']) faults.text(field, 'required')
  for (const field of ['title', 'instructions']) faults.text(field, 'optional')
  for (const [name, method] of Object.entries(options.methods ?? {})) {
    if (!name.includes('/') || MODERN_METHODS.has(name) || LEGACY_METHODS.has(name))
      faults.add(`${name} cannot be a custom method: the name is taken or has no vendor/ prefix`)
    if (typeof method !== 'function') faults.add(`the method ${name} must be a function`)
  }
  faults.throwAny()
}
