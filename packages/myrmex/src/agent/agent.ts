/**
 * `agent({…})`: a module of tools that also plans and judges. Its definition is checked here, completely. Without functions for plan
 * and critique, both work from the schemas of its tools.
 */
import { PROTO } from '../protocol/json.ts'
import type { SecretNames } from '../protocol/secret.ts'
import { madeList } from '../tool/assert-made.ts'
import type { MethodContext } from '../tool/context.ts'
import { DefinitionFaults } from '../tool/definition-faults.ts'
import type { Prompt } from '../tool/prompt.ts'
import type { Resource } from '../tool/resource.ts'
import type { ServedAgent } from '../tool/served-agent.ts'
import type { Tool } from '../tool/tool.ts'
import { DEFAULT_VERSION } from '../tool/version.ts'
import type { Brain, PlanRequest } from './brain/brain.ts'
import type { CritiqueRequest, Verdict } from './critic/verdict.ts'
import type { ToolView } from './fleet/tool-view.ts'
import { CRITIQUE_METHOD, methodsOf, PLAN_METHOD } from './methods.ts'
import type { Plan } from './plan/plan.ts'

/** `request.tools` are the agent's own. Its result is checked before anybody sees it. */
export type PlanFunction = (request: PlanRequest, ctx: MethodContext) => Plan | Promise<Plan>
export type CritiqueFunction = (request: CritiqueRequest, ctx: MethodContext) => Verdict | Promise<Verdict>

export interface AgentDefinition {
  /** the module of all its tools */
  name: string
  tools: readonly Tool[]
  /** semantic version; default 0.1.0 */
  version?: string
  /** what it is good for, in a sentence */
  description?: string
  plan?: PlanFunction
  critique?: CritiqueFunction
  prompts?: readonly Prompt[]
  resources?: readonly Resource[]
  /** the tools its plans use, for an agent that leads a fleet; default: its own tools */
  plansWith?: () => readonly ToolView[]
  /** names of secrets in the values given to it, for an agent that leads a fleet; default: what its own tools mark */
  secretNames?: SecretNames
  /** used without plan or critique; default: the model named by MYRMEX_BRAIN, or the rules */
  brain?: Brain
}

/** A checked definition. Frozen. */
export interface Agent extends ServedAgent {
  readonly plan: PlanFunction | undefined
  readonly critique: CritiqueFunction | undefined
  readonly brain: Brain | undefined
  readonly plansWith: (() => readonly ToolView[]) | undefined
}

export const AGENT_NAME = /^[a-z0-9_]+$/
const MAX_NAME_LENGTH = 64

export function agent(definition: AgentDefinition): Agent {
  check(definition)
  const { name, version = DEFAULT_VERSION, description, tools, plan, critique, brain } = definition
  const own = [...(plan === undefined ? [] : [PLAN_METHOD]), ...(critique === undefined ? [] : [CRITIQUE_METHOD])]
  const made: Agent = {
    kind: 'agent',
    name,
    version,
    description,
    tools: Object.freeze([...tools]),
    resources: Object.freeze([...(definition.resources ?? [])]),
    prompts: Object.freeze([...(definition.prompts ?? [])]),
    plan,
    critique,
    brain,
    plansWith: definition.plansWith,
    own: Object.freeze(own),
    secretNames: async () => definition.secretNames ?? (await import('./brain/known-secrets.ts')).ownSecretNames(made),
    get methods() {
      return methods
    },
  }
  const methods = methodsOf(made)
  return Object.freeze(made)
}

const FIELDS: readonly (keyof AgentDefinition)[] = [
  'name',
  'tools',
  'version',
  'description',
  'plan',
  'critique',
  'prompts',
  'resources',
  'plansWith',
  'secretNames',
  'brain',
]
const PARTS = { tools: 'tool', resources: 'resource', prompts: 'prompt' } as const

/** Throws a RegistrationError that names everything that is wrong. */
function check(definition: AgentDefinition): void {
  const faults = new DefinitionFaults('agent', definition)
  const { name, tools } = definition
  faults.onlyFields(FIELDS)
  const isNamed = typeof name === 'string' && AGENT_NAME.test(name) && name.length <= MAX_NAME_LENGTH && name !== PROTO
  if (!isNamed)
    faults.add(
      `a name has lower case letters, digits and _, and at most ${MAX_NAME_LENGTH} characters (${AGENT_NAME.source})`,
    )
  faults.version('version', 'optional')
  faults.text('description', 'optional')
  for (const field of ['plan', 'critique', 'plansWith']) faults.callback(field, 'optional')
  if (tools === undefined) faults.add('tools is missing; for an agent without tools, write tools: []')
  for (const [field, kind] of Object.entries(PARTS)) checkParts(field as keyof typeof PARTS, kind, definition, faults)
  for (const tool of isNamed && Array.isArray(tools) ? tools : []) {
    if (tool?.kind === 'tool' && tool.module !== name)
      faults.add(
        `its tool ${tool.name} belongs to the module ${tool.module}. Call it ${name}.${bare(tool)}, or the agent ${tool.module}`,
      )
  }
  faults.throwAny()
}

const bare = ({ name }: Tool): string => name.slice(name.lastIndexOf('.') + 1)

function checkParts(
  field: keyof typeof PARTS,
  kind: 'tool' | 'resource' | 'prompt',
  definition: AgentDefinition,
  faults: DefinitionFaults,
): void {
  const parts = definition[field]
  if (parts === undefined) return
  const made = faults.attempt(() => madeList<Tool | Resource | Prompt>(parts, kind)) ?? []
  const keys = made.map(keyOf)
  for (const key of new Set(keys.filter((one, index) => keys.indexOf(one) < index)))
    faults.add(`${key} occurs twice in its ${field}`)
}

/** Several versions of one tool are allowed. The same version twice is a mistake. */
function keyOf(part: Tool | Resource | Prompt): string {
  if (part.kind === 'tool') return `${part.name} ${part.version}`
  return part.kind === 'prompt' ? part.name : (part.uri ?? part.template?.text ?? part.name)
}
