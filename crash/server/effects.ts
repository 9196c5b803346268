/** What the tools really did, counted outside the ledger. */
import { readFileSync } from 'node:fs'

export interface Effect {
  readonly tool: string
  readonly id: string
  /** the call that did it */
  readonly call: string
}

/** By tool and thing. */
export type Effects = ReadonlyMap<string, readonly Effect[]>

/** A tool writes its line in one piece; one that is not whole would be a mistake of this test. */
export function readEffects(file: string): Effects {
  const effects = new Map<string, Effect[]>()
  const lines = readFileSync(file, 'utf8').split('\n')
  if (lines.pop() !== '') throw new Error(`${file} ends in the middle of a line`)
  for (const line of lines) {
    const [tool = '', id = '', call = ''] = line.split(' ')
    const name = `${tool} ${id}`
    const known = effects.get(name)
    if (known === undefined) effects.set(name, [{ tool, id, call }])
    else known.push({ tool, id, call })
  }
  return effects
}
