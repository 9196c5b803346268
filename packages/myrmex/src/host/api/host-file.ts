/** The configuration that the API edits, and the machine whose clients it knows. */
import { dirname, resolve } from 'node:path'
import type { Machine } from '../config/clients/known-clients.ts'
import { thisMachine } from '../config/clients/this-machine.ts'
import { conflict } from './api-error.ts'

/** Throws 409 if the host has none, as one that a program opened. */
export function hostFileOf(configFile: string | undefined): string {
  if (configFile === undefined) throw conflict('This host has no configuration file, so it cannot be edited.')
  return resolve(configFile)
}

/** Files of projects are those of the folder of the configuration. */
export const machineOf = (configFile: string): Machine => ({ ...thisMachine(), cwd: dirname(configFile) })
