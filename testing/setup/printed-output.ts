/**
 * A test that provokes output captures it. All other output of a test process is recorded here with the name of the test,
 * and `tests-folder.ts` fails the run at its end with the list.
 */
import { appendFileSync } from 'node:fs'
import process from 'node:process'
import { expect } from 'vitest'
import { PRINTED_OUTPUT } from './tests-folder.ts'

const WATCHED = Symbol.for('myrmex.tests.printed-output')

function note(text: string): void {
  // Node passes the stderr of a child of execFileSync on, also when it is empty.
  if (text === '') return
  const { testPath, currentTestName } = expect.getState()
  appendFileSync(PRINTED_OUTPUT(), `${testPath}: ${currentTestName ?? 'outside of a test'}: ${text.trim()}\n`)
}

type Print = (...args: unknown[]) => boolean

function watch(target: object, method: string): void {
  const methods = target as Record<string, Print>
  const print = methods[method]?.bind(target) as Print
  methods[method] = (...args) => {
    note(String(args[0]))
    return print(...args)
  }
}

// Test files that share a process share its streams.
if (!(WATCHED in process)) {
  Object.defineProperty(process, WATCHED, { value: true })
  for (const stream of [process.stdout, process.stderr]) watch(stream, 'write')
  // Vitest prints these itself, past the streams.
  for (const method of ['log', 'info', 'debug', 'warn', 'error']) watch(console, method)
}
