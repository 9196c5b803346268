/** The fields of a tool's output schema, at any depth, with pointer, meaning and JSON type. */
import { pointer } from '../../../protocol/json.ts'
import { isSecretPath, secretNames } from '../../../protocol/secret.ts'
import { KIND } from '../../../schema/json-schema/kinds.ts'
import type { ToolView } from '../../fleet/tool-view.ts'
import { normalizedName, qualifiedNames, toolSubjects } from '../names.ts'
import type { Offer } from '../types.ts'
import { type SchemaShape, shapeOf } from './schema-shape.ts'

/** A schema that contains itself would offer fields without end. */
const MAX_DEPTH = 6
const MAX_OFFERS = 400

type OfferLocation = Pick<Offer, 'tool' | 'lists' | 'always'> & {
  readonly path: readonly string[]
  /** what the fields here belong to */
  readonly owners: readonly string[]
}

export function offersOf(tool: ToolView): Offer[] {
  const root = tool.output
  if (root === undefined) return []
  const secrets = secretNames(root)
  if (isSecretPath([], secrets)) return []
  const offers: Offer[] = []

  const addFields = (shape: SchemaShape, location: OfferLocation): void => {
    if (location.path.length > MAX_DEPTH) return
    for (const [property, child] of shape.properties) {
      if (offers.length >= MAX_OFFERS) return
      // Secrets are not stored, so nothing can refer to them.
      if (secrets.has(property)) continue
      const always = location.always && shape.required.has(property)
      addField(property, shapeOf(child, root), { ...location, path: [...location.path, property], always })
    }
  }
  const addField = (property: string, shape: SchemaShape, location: OfferLocation): void => {
    const owners = [normalizedName(property)]
    const names = qualifiedNames(property, location.owners)
    const items = (shape.jsonTypes & KIND.ARRAY) === 0 ? undefined : shapeOf(shape.items ?? {}, root)
    offers.push(offerOf(property, shape, location, items, names))
    if ((shape.jsonTypes & KIND.OBJECT) !== 0) addFields(shape, { ...location, owners })
    if (items === undefined || shape.items === undefined) return
    const first = { ...location, path: [...location.path, '0'], owners, lists: [...location.lists, property] }
    offers.push(offerOf(property, items, first, undefined, names))
    if ((items.jsonTypes & KIND.OBJECT) !== 0) addFields(items, first)
  }

  const shape = shapeOf(root, root)
  const owners = [...toolSubjects(tool.name), ...(shape.title === undefined ? [] : [normalizedName(shape.title)])]
  const whole: OfferLocation = { tool, path: [], owners, lists: [], always: true }
  // The result as a whole has no name of its own: only a type can ask for it.
  if (shape.typeId !== undefined) offers.push(offerOf('', shape, whole, undefined, []))
  addFields(shape, whole)
  return offers
}

function offerOf(
  property: string,
  { typeId, jsonTypes }: SchemaShape,
  { tool, path, lists, always }: OfferLocation,
  items: SchemaShape | undefined,
  names: readonly string[],
): Offer {
  const item = items && { typeId: items.typeId, names, jsonTypes: items.jsonTypes }
  return { tool, pointer: pointer(path), property, typeId, names, jsonTypes, item, lists, always, depth: path.length }
}
