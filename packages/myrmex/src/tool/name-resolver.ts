/**
 * The names under which tools and prompts are found: canonical `server.item`, flat `server_item` and bare `item`. A name belongs to the
 * owner before its first dot, otherwise to the owner with the longest name that it begins with, so that no item takes over the name of another
 * owner's item that is not here at the moment. An owner is the first part of a canonical name, such as a server of a host.
 */
import { flatName, hashedName, toSnakeCase } from './name.ts'

export interface NamedItem {
  /** canonical */
  readonly name: string
  /** the name that it has without its owner */
  readonly bare: string
}

export interface ItemNames extends NamedItem {
  /** flat, or with a hash if the flat name is another's */
  readonly flat: string
  /** whether the bare name can mean nothing else */
  readonly isBareUnique: boolean
}

export interface NameOwners {
  /** owners of names, whether their items are here or not */
  readonly reserved: ReadonlySet<string>
  /** owners whose items are all known */
  readonly known: ReadonlySet<string>
}

/** In the order of the items. Canonical names must be unique. */
export function resolveNames(items: readonly NamedItem[], { reserved, known }: NameOwners): ItemNames[] {
  const isOwn = ownsName({ reserved, known })
  // One owner, as on most servers, has all names: they need not be spelled out.
  const isOnly = reserved.union(known).size === 1
  // An item of an owner that is not here could have any bare name, so none is known to be unique.
  const isComplete = reserved.isSubsetOf(known)
  const named = items.map(({ name, bare }) => ({ name, bare, flat: flatName(name) }))
  const flats = Map.groupBy(named, ({ flat }) => flat)
  const bares = Map.groupBy(named, ({ bare }) => bare)
  return named.map(({ name, bare, flat }) => {
    const owner = ownerOf(name)
    const sameFlat = flats.get(flat) ?? []
    // The same flat name twice: of one owner, or shortened.
    const isFlat = sameFlat.length === 1 || sameFlat.filter((one) => ownerOf(one.name) === owner).length === 1
    return {
      name,
      bare,
      flat: isFlat && (isOnly || isOwn(owner, name.replaceAll('.', '_'))) ? flat : hashedName(name),
      isBareUnique: isComplete && bares.get(bare)?.length === 1 && (isOnly || isOwn(owner, bare)),
    }
  })
}

/** Whether an owner may have a name, however a server writes it: `git.commit`, `Git-Commit` or `git_commit`. */
export function ownsName({ reserved, known }: NameOwners): (owner: string, name: string) => boolean {
  const all = reserved.union(known)
  const owners = [...all].sort((a, b) => b.length - a.length)
  return (owner, name) => {
    const spelling = toSnakeCase(name)
    const first = ownerOf(spelling)
    if (first !== spelling && all.has(first)) return first === owner
    const flat = spelling.replaceAll('.', '_')
    return (owners.find((one) => flat.startsWith(`${one}_`)) ?? owner) === owner
  }
}

/** Of a canonical name, or of its module. */
export const ownerOf = (name: string): string => name.split('.', 1)[0] as string
