/**
 * One attempt to find a value of one type: the rules that are certain so far, and the choices that are still open. Asserting a
 * formula adds to both and detects obvious contradictions.
 */
import type { Atom, Formula, Type } from '../formula/formula.ts'
import type { Literal, SchemaInterner } from '../formula/interned-schema.ts'
import { formulaOf } from '../formula/keywords.ts'

export type Choice = Formula & { op: 'or' }

export class Tableau {
  readonly type: Type
  readonly atoms: Atom[]
  choices: Choice[]
  readonly #nodes: SchemaInterner
  readonly #seen: Map<number, Literal>

  constructor(nodes: SchemaInterner, type: Type, from?: Tableau) {
    this.#nodes = nodes
    this.type = type
    this.atoms = from === undefined ? [] : [...from.atoms]
    this.choices = from === undefined ? [] : [...from.choices]
    this.#seen = new Map(from === undefined ? [] : from.#seen)
  }

  /** the schemas that were asserted so far, whole: every value of this attempt meets all of them */
  get literals(): readonly Literal[] {
    return [...this.#seen.values()]
  }

  /** why a rule of this attempt is not understood, if one is not */
  get opaque(): string | undefined {
    return this.atoms.find((one) => one.is === 'opaque')?.why
  }

  copy(): Tableau {
    return new Tableau(this.#nodes, this.type, this)
  }

  /** False if the formula contradicts a certain rule. */
  assert(formula: Formula): boolean {
    const left: Formula[] = [formula]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const follows = this.#taken(next)
      if (follows === undefined) return false
      left.push(...follows)
    }
    return true
  }

  /** What remains to be asserted; undefined for a contradiction. */
  #taken(formula: Formula): readonly Formula[] | undefined {
    if (formula.op === 'and') return formula.parts
    if (formula.op === 'atom') return this.#add(formula.atom) ? [] : undefined
    if (formula.op === 'literal') {
      const known = this.#seen.get(formula.literal.node.id)
      if (known === undefined) return [this.#expanded(formula.literal)]
      return known.holds === formula.literal.holds ? [] : undefined
    }
    const choice = flattened(formula)
    if (choice.parts.length < 2) return choice.parts.length === 0 ? undefined : choice.parts
    if (!choice.parts.some((part) => this.#isMet(part))) this.choices.push(choice)
    return []
  }

  #expanded(literal: Literal): Formula {
    const { node, holds } = literal
    this.#seen.set(literal.node.id, literal)
    return formulaOf(this.#nodes, node, this.type, holds)
  }

  #isMet(formula: Formula): boolean {
    if (formula.op === 'and') return formula.parts.every((part) => this.#isMet(part))
    return formula.op === 'literal' && this.#seen.get(formula.literal.node.id)?.holds === formula.literal.holds
  }

  #add(atom: Atom): boolean {
    if (atom.is === 'opaque') {
      const same = this.atoms.find((one) => one.is === 'opaque' && one.id === atom.id)
      if (same !== undefined) return (same as typeof atom).holds === atom.holds
    }
    this.atoms.push(atom)
    return true
  }
}

/** Merges nested choices. */
function flattened(choice: Choice): Choice {
  const parts = choice.parts.flatMap((part) => (part.op === 'or' ? flattened(part).parts : [part]))
  return { ...choice, parts }
}
