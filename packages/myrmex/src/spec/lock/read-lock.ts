/**
 * Reads and validates the lock file: its form, every name and version against its definition, every definition against its hash.
 * Faults are reported with their line. Reading is safe for any content.
 */
import { ToolError } from '../../protocol/errors.ts'
import { isObject, type JsonObject, pointer } from '../../protocol/json.ts'
import { deeperThan, JsonLocations, locationAt } from '../../protocol/json-location.ts'
import { formatName, formatValue } from '../../tool/difference/format.ts'
import { definitionFaults } from './definition-schema.ts'
import {
  hashOf,
  LOCK_FILE,
  LOCKFILE_VERSION,
  type Lock,
  type LockedTool,
  type Release,
  writeLock,
} from './lock-file.ts'

export interface LockFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

const MAX_SHOWN = 10

/** `file` is what the messages call it. */
export function readLock(text: string, file: string = LOCK_FILE): Lock {
  const { lock, faults } = checkLock(text)
  if (lock !== undefined && faults.length === 0) return lock
  const lines = faults.slice(0, MAX_SHOWN).map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`)
  if (faults.length > MAX_SHOWN) lines.push(`and ${faults.length - MAX_SHOWN} more`)
  throw ToolError.of('ValidationError', lines.join('\n'), { faults: faults.map((fault) => ({ ...fault })) })
}

/** All that is wrong with a lock file; the lock only if nothing is. */
export function checkLock(given: string): { readonly lock?: Lock; readonly faults: readonly LockFault[] } {
  const text = given.replace(/^\ufeff/, '')
  const early = beforeReading(text)
  if (early !== undefined) return { faults: [early] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const { line, column } = new JsonLocations(text).syntaxError ?? { line: 1, column: 1 }
    const why = (error as Error).message.replace(/ in JSON at position .*$/s, '')
    return { faults: [{ line, column, message: `not JSON: ${formatValue(why)}. ${RESTORE}` }] }
  }
  const reading = new Reading()
  const lock = reading.lock(value)
  // A file as we write it has no duplicates, and its locations are not needed.
  if (reading.wrong.length === 0 && writeLock(lock) === text.replaceAll('\r\n', '\n')) return { lock, faults: [] }
  const places = new JsonLocations(text)
  const twice = places.duplicates.map((path) => ({
    path,
    message: 'is there twice, and only one of them would count.',
  }))
  const faults = [...twice, ...reading.wrong].map(({ path, message }) => ({
    ...places.locationOf(path),
    message: `${path === '' ? 'the lock file' : formatValue(path)}: ${message}`,
  }))
  return faults.length === 0 ? { lock, faults } : { faults }
}

const RESTORE = 'Take the file back from version control.'
/** Far more than a readable definition has. A deeper file could exhaust the machine. */
const MAX_DEPTH = 200
const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/m

/** What would keep the file from being read at all. */
function beforeReading(text: string): LockFault | undefined {
  if (text.trim() === '') return { line: 1, column: 1, message: `is empty. ${RESTORE}` }
  const marker = text.replaceAll('\r\n', '\n').search(MARKER)
  if (marker !== -1) {
    const message =
      'a merge conflict was left here. Keep the entries of both sides (a version that both released differently gets ' +
      'a new number on one of them), delete the marker lines, and run myrmex spec lock.'
    return { line: text.replaceAll('\r\n', '\n').slice(0, marker).split('\n').length, column: 1, message }
  }
  const deep = deeperThan(MAX_DEPTH, text)
  if (deep === undefined) return undefined
  return {
    line: locationAt(text, deep).line,
    column: 1,
    message: `is nested deeper than ${MAX_DEPTH} levels. ${RESTORE}`,
  }
}

class Reading {
  readonly wrong: { readonly path: string; readonly message: string }[] = []

  #wrong(path: readonly PropertyKey[], message: string): void {
    this.wrong.push({ path: pointer(path), message })
  }

  lock(value: unknown): Lock {
    const tools = new Map<string, LockedTool>()
    if (!this.#isOurs(value) || !isObject(value.tools)) return { tools }
    for (const [name, entry] of Object.entries(value.tools)) {
      const path = ['tools', name]
      if (!this.#has(entry, ['file', 'versions'], path)) continue
      tools.set(name, { file: this.#file(entry.file, path), versions: this.#versions(name, entry.versions, path) })
    }
    return { tools }
  }

  #isOurs(value: unknown): value is Record<string, unknown> {
    const version = isObject(value) ? value.lockfileVersion : undefined
    if (typeof version === 'number' && version > LOCKFILE_VERSION) {
      const known = `this one reads lockfileVersion ${LOCKFILE_VERSION}, the file has ${version}`
      this.#wrong(['lockfileVersion'], `was written by a newer Myrmex: ${known}. Update Myrmex.`)
      return false
    }
    if (!this.#has(value, ['lockfileVersion', 'tools'], [])) return false
    if (version !== LOCKFILE_VERSION) this.#wrong(['lockfileVersion'], `must be ${LOCKFILE_VERSION}. ${RESTORE}`)
    if (!isObject(value.tools)) this.#wrong(['tools'], `must be an object of tools by their names. ${RESTORE}`)
    return true
  }

  /** An object with these fields and no others. */
  #has(value: unknown, fields: readonly string[], path: readonly PropertyKey[]): value is Record<string, unknown> {
    if (!isObject(value)) {
      this.#wrong(path, `must be an object with ${fields.join(' and ')}.`)
      return false
    }
    for (const field of fields) if (!Object.hasOwn(value, field)) this.#wrong(path, `${field} is missing.`)
    for (const field of Object.keys(value)) {
      if (!fields.includes(field)) this.#wrong([...path, field], 'does not belong here.')
    }
    return fields.every((field) => Object.hasOwn(value, field))
  }

  #file(file: unknown, path: readonly PropertyKey[]): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a path
    const good = typeof file === 'string' && file !== '' && !/^[/\\]|^[A-Za-z]:|\\|[\u0000-\u001f]/.test(file)
    if (!good) this.#wrong([...path, 'file'], 'must be a path relative to the lock file, with / between its steps.')
    return good ? file : ''
  }

  #versions(name: string, value: unknown, path: readonly PropertyKey[]): Map<string, Release> {
    const versions = new Map<string, Release>()
    if (!isObject(value) || Object.keys(value).length === 0) {
      this.#wrong([...path, 'versions'], 'must be an object of at least one release by its version.')
      return versions
    }
    for (const [version, release] of Object.entries(value)) {
      const at = [...path, 'versions', version]
      const read = this.#release(release, at)
      if (read === undefined) continue
      const { definition } = read
      if (definition.name !== name)
        this.#wrong(at, `the definition is of ${formatValue(definition.name)}, not of ${formatName(name)}.`)
      if (definition.version !== version)
        this.#wrong(at, `the definition has version ${formatValue(definition.version)}.`)
      versions.set(version, read)
    }
    return versions
  }

  #release(value: unknown, path: readonly PropertyKey[]): Release | undefined {
    if (!this.#has(value, ['hash', 'definition'], path)) return undefined
    const faults = definitionFaults(value.definition)
    for (const { path: below, message } of faults) this.#wrong([...path, 'definition', ...below], message)
    if (faults.length > 0) return undefined
    const definition = value.definition as JsonObject as Release['definition']
    const hash = hashOf(definition)
    if (value.hash !== hash) {
      const message =
        'the definition is not the one that the hash was made of. A release never changes: take it back from version ' +
        'control, and give what changed a version of its own.'
      this.#wrong([...path, 'hash'], message)
    }
    return { hash, definition }
  }
}
