/**
 * The planner's terms. A tool has needs (inputs) and offers (fields of its output). An offer matches a need if their semantic
 * types or names and their JSON types agree. A known value can fill a need as well.
 */
import type { SchemaNode } from '../../spec/schema-view.ts'
import type { ToolView } from '../fleet/tool-view.ts'

/** What something means: what its schema says in `type_id`, and the names it also goes by. */
export interface Meaning {
  readonly typeId: string | undefined
  /** normalised: snake case, singular, with what it belongs to */
  readonly names: readonly string[]
}

export interface TypedMeaning extends Meaning {
  /** a bit for each JSON type that it may have (schema/json-schema/kinds.ts) */
  readonly jsonTypes: number
}

/** One input of a tool. */
export interface Need extends TypedMeaning {
  /** its location in the arguments */
  readonly path: readonly string[]
  /** the property as it is written */
  readonly property: string
  readonly required: boolean
  /** what the items are, where it takes a list */
  readonly item: TypedMeaning | undefined
  /** the only values it takes */
  readonly values: readonly unknown[] | undefined
  /** used when no value is given */
  readonly defaultValue: unknown
  /** its value is money that the call may spend */
  readonly isMoney: boolean
  /** the call may spend its value or a multiple of it, such as an amount for each day */
  readonly isSpent: boolean
  readonly description: string | undefined
  readonly schema: SchemaNode
  /** the schema that the references in it lead into */
  readonly rootSchema: SchemaNode
  /** what it is made of, where it is an object that may be put together from its parts */
  readonly parts: readonly Need[]
}

/** One field of what a tool answers. */
export interface Offer extends TypedMeaning {
  readonly tool: ToolView
  readonly pointer: string
  readonly property: string
  readonly item: TypedMeaning | undefined
  /** the lists that the pointer takes the first item of */
  readonly lists: readonly string[]
  /** in every answer, if the lists on the way have an item */
  readonly always: boolean
  readonly depth: number
}

/** A tool with what it needs and gives. */
export interface Candidate {
  readonly tool: ToolView
  readonly needs: readonly Need[]
  readonly offers: readonly Offer[]
}

/** An offer that can fill a need. */
export interface Match {
  readonly offer: Offer
  /** both sides say the same `type_id`; otherwise only their names agree */
  readonly sameType: boolean
  /** the need takes a list and the offer is one item of such a list */
  readonly wrapped: boolean
  /** every JSON type that the offer may have is one the need takes */
  readonly alwaysFits: boolean
}

/** A value of the context or of the goal's text. */
export interface KnownValue {
  /** semantic type or name that it was given under */
  readonly key: string
  readonly value: unknown
  readonly from: 'context' | 'text'
}

/** A value chosen for a need. */
export interface ChosenValue {
  readonly value: unknown
  /** a sentence for the plan's assumptions */
  readonly note?: string
  /** a share of the budget, which is computed when the plan is known */
  readonly isBudgetShare?: true
}
