/**
 * The constitution: what no call may do, whatever was approved. Like the policy it is parsed strictly. It is compiled once per
 * tool, so that a tool without an article pays nothing.
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import { couldMean } from '../../tool/possible-resources.ts'
import type { Tool } from '../../tool/tool.ts'
import { isNamed, ruleCoversTool } from '../../tool/tool-aliases.ts'
import { type Fact, factOf } from './article/fact.ts'
import { type Quota, quotaOf } from './article/quota.ts'
import { type ArgumentTest, compileCondition } from './condition.ts'
import {
  type ArticleSource,
  type Constitution,
  constitutionJsonSchema,
  constitutionSchema,
} from './constitution-schema.ts'
import { parseStrictly } from './operator-file.ts'
import type { Condition } from './operator-schema.ts'

export type { Constitution } from './constitution-schema.ts'

export const EMPTY_CONSTITUTION: Constitution = Object.freeze({ time_zone: 'UTC', articles: [] })

/** Throws a ValidationError that names every wrong location; its details have them as `issues`. */
export const parseConstitution = (value: unknown): Constitution =>
  parseStrictly(value, {
    name: 'constitution',
    schema: constitutionSchema(),
    jsonSchema: constitutionJsonSchema,
    secrets: new Set(),
  })

/** Conditions that must all hold. */
export interface Conditions {
  readonly source: readonly Condition[]
  readonly test: ArgumentTest
}

/** An article, compiled for one tool. */
export interface Article {
  readonly name: string
  readonly text: string
  /** which calls of the tool it is about */
  readonly when: Conditions | undefined
  readonly ask: Conditions | undefined
  readonly forbid: Conditions | undefined
  readonly quota: Quota | undefined
  readonly facts: readonly Fact[]
}

const NONE: readonly Article[] = Object.freeze([])
const compiled = new WeakMap<Constitution, WeakMap<Tool, readonly Article[]>>()

/** The articles that apply to a tool. */
export function articlesFor(constitution: Constitution, tool: Tool): readonly Article[] {
  if (constitution.articles.length === 0) return NONE
  const known = getOrMake(compiled, constitution, () => new WeakMap<Tool, readonly Article[]>())
  return getOrMake(known, tool, () =>
    constitution.articles
      .flatMap((written) => {
        if (written.tools.some((pattern) => ruleCoversTool(pattern, tool)))
          return concerning(constitution, written, tool)
        return written.tools.some((pattern) => couldMean(tool, pattern))
          ? withoutConditions(concerning(constitution, written, tool))
          : []
      })
      .filter(({ ask, forbid, quota, facts }) => ask ?? forbid ?? quota ?? facts[0]),
  )
}

function concerning(constitution: Constitution, written: ArticleSource, tool: Tool): Article {
  return {
    name: written.name,
    text: written.text,
    when: conditions(written.when),
    ask: conditions(written.ask),
    forbid: conditions(written.forbid),
    quota: quotaOf(written, tool, constitution.time_zone),
    // A tool that supplies facts is not subject to facts: otherwise two facts could wait for each other forever.
    facts: knowsFacts(constitution, tool) ? [] : (written.only_if ?? []).map(factOf),
  }
}

/** For a call that could reach the tool of the article under another name: conditions may be about the name. */
function withoutConditions(article: Article): Article {
  const always = (given: Conditions | undefined): Conditions | undefined => given && { ...given, test: () => true }
  return { ...article, when: undefined, ask: always(article.ask), forbid: always(article.forbid) }
}

const knowsFacts = ({ articles }: Constitution, tool: Tool): boolean =>
  articles.some(({ only_if = [] }) => only_if.some(({ fact }) => isNamed([fact.tool], tool)))

function conditions(written: readonly Condition[] | undefined): Conditions | undefined {
  if (written === undefined) return undefined
  const judges = written.map(compileCondition)
  return { source: written, test: (args) => judges.every((holds) => holds(args)) }
}
