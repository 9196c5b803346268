/** What a tool gives, read from its output schema: every field at any depth, with pointer, meaning and JSON type. */
import { pointer } from '../../../protocol/json.ts'
import { isSecretPath, type SecretNames, secretNames } from '../../../protocol/secret.ts'
import type { SchemaNode } from '../../../spec/schema-view.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { normalizedName, qualifiedNames, toolSubjects } from '../names.ts'
import type { Offer } from '../types.ts'
import { JSON_ARRAY, JSON_OBJECT, type SchemaShape, shapeOf } from './schema-shape.ts'

/** A schema that contains itself would offer fields without end. */
const DEEPEST = 6
const MOST_OFFERS = 400

interface Place {
  readonly path: readonly string[]
  /** what the fields here belong to */
  readonly owners: readonly string[]
  readonly lists: readonly string[]
  readonly always: boolean
  readonly secrets: SecretNames
}

export function offersOf(tool: ToolView): Offer[] {
  if (tool.output === undefined) return []
  const root = tool.output
  const offers: Offer[] = []
  const secrets = secretNames(root)
  if (isSecretPath([], secrets)) return []
  const shape = shapeOf(root, root)
  const owners = [...toolSubjects(tool.name), ...(shape.title === undefined ? [] : [normalizedName(shape.title)])]
  const place: Place = { path: [], owners, lists: [], always: true, secrets }
  // The answer as a whole has no name of its own: only a type can ask for it.
  if (shape.typeId !== undefined) offers.push(offerOf('', shape, place, undefined, []))
  visit(shape, root, place, offers)
  return offers
}

function visit(shape: SchemaShape, root: SchemaNode, place: Place, offers: Offer[]): void {
  if (place.path.length > DEEPEST) return
  for (const [property, child] of shape.properties) {
    if (offers.length >= MOST_OFFERS) return
    // What is secret is not kept, so nothing can refer to it.
    if (place.secrets.has(property)) continue
    const always = place.always && shape.required.has(property)
    field(property, child, root, { ...place, path: [...place.path, property], always }, offers)
  }
}

function field(property: string, node: SchemaNode, root: SchemaNode, place: Place, offers: Offer[]): void {
  const shape = shapeOf(node, root)
  const own = normalizedName(property)
  const items = (shape.jsonTypes & JSON_ARRAY) === 0 ? undefined : shapeOf(shape.items ?? {}, root)
  offers.push(offerOf(property, shape, place, items, qualifiedNames(property, place.owners)))
  if ((shape.jsonTypes & JSON_OBJECT) !== 0) visit(shape, root, { ...place, owners: [own] }, offers)
  if (items === undefined || shape.items === undefined) return
  const first: Place = {
    path: [...place.path, '0'],
    owners: [own],
    lists: [...place.lists, property],
    always: place.always,
    secrets: place.secrets,
  }
  offers.push(offerOf(property, items, first, undefined, qualifiedNames(property, place.owners)))
  if ((items.jsonTypes & JSON_OBJECT) !== 0) visit(items, root, first, offers)
}

function offerOf(
  property: string,
  shape: SchemaShape,
  place: Place,
  items: SchemaShape | undefined,
  names: readonly string[],
): Offer {
  return {
    pointer: pointer(place.path),
    property,
    typeId: shape.typeId,
    names,
    jsonTypes: shape.jsonTypes,
    item: items === undefined ? undefined : { typeId: items.typeId, names, json: items.jsonTypes },
    lists: place.lists,
    always: place.always,
    depth: place.path.length,
  }
}
