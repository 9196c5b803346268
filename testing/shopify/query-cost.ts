/**
 * What a query costs by Shopify's published table: scalars and enums nothing, an object 1, a connection 2 and as many nodes as are
 * asked for, a mutation 10. Before it runs by what is asked for, afterwards by what there was.
 */
import {
  type FieldNode,
  type GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'

type Variables = Readonly<Record<string, unknown>>
/** undefined: it did not run yet */
type Found = unknown

const CONNECTION = 2
const OBJECT = 1
const MUTATION = 10
/** What a connection without `first` is counted as; the real API refuses it. */
const UNSAID = 250

export function costOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Variables,
  data?: Found,
): number {
  const root = operation.operation === 'mutation' ? schema.getMutationType() : schema.getQueryType()
  if (root === undefined || root === null) return 0
  const ran = data !== undefined
  const selected = (set: SelectionSetNode, typeName: string, found: Found): number =>
    set.selections.reduce((sum, one) => sum + (one.kind === 'Field' ? field(one, typeName, found) : 0), 0)

  const field = (node: FieldNode, typeName: string, parent: Found): number => {
    const type = schema.getType(typeName)
    const definition = isObjectType(type) ? type.getFields()[node.name.value] : undefined
    const named = definition && getNamedType(definition.type)
    if (named === undefined || isLeafType(named) || node.selectionSet === undefined) return 0
    const found = ran ? (parent as Record<string, Found> | null)?.[node.alias?.value ?? node.name.value] : undefined
    if (ran && (found === null || found === undefined)) return 0
    if (named.name.endsWith('Connection')) return connection(node, named.name, found)
    const base = typeName === 'Mutation' ? MUTATION : OBJECT
    if (!Array.isArray(found)) return base + selected(node.selectionSet, named.name, found)
    return found.reduce(
      (sum: number, one) => sum + base + selected(node.selectionSet as SelectionSetNode, named.name, one),
      0,
    )
  }

  const connection = (node: FieldNode, typeName: string, found: Found): number => {
    const nodes = node.selectionSet?.selections.find((one) => one.kind === 'Field' && one.name.value === 'nodes')
    const edges = node.selectionSet?.selections.find((one) => one.kind === 'Field' && one.name.value === 'edges')
    const inner =
      (nodes as FieldNode | undefined)?.selectionSet ??
      (
        (edges as FieldNode | undefined)?.selectionSet?.selections.find(
          (one) => one.kind === 'Field' && one.name.value === 'node',
        ) as FieldNode | undefined
      )?.selectionSet
    if (inner === undefined) return CONNECTION
    const item = nodeType(schema, typeName)
    if (!ran) return CONNECTION + sizeOf(node, variables) * (OBJECT + selected(inner, item, undefined))
    const { nodes: listed, edges: paired } = found as { nodes?: Found[]; edges?: { node: Found }[] }
    const items = listed ?? paired?.map((edge) => edge.node) ?? []
    return items.reduce((sum: number, one) => sum + OBJECT + selected(inner, item, one), CONNECTION)
  }

  return selected(operation.selectionSet, root.name, data)
}

function nodeType(schema: GraphQLSchema, connection: string): string {
  const type = schema.getType(connection)
  const nodes = isObjectType(type) ? type.getFields().nodes : undefined
  return nodes === undefined ? '' : getNamedType(nodes.type).name
}

function sizeOf(node: FieldNode, variables: Variables): number {
  const given = node.arguments?.find(({ name }) => name.value === 'first' || name.value === 'last')?.value
  if (given?.kind === 'IntValue') return Number(given.value)
  if (given?.kind === 'Variable') return Number(variables[given.name.value] ?? UNSAID)
  return UNSAID
}
