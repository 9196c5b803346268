/** Ids such as p_2 and p_10 in the order of their numbers, and the page that comes after one of them. */
import { sql } from 'kysely'

/** Shorter ids come first, and among those of one length the smaller. */
export const idAfter = (column: string, after: string) =>
  sql<boolean>`(length(${sql.ref(column)}), ${sql.ref(column)}) > (length(${after}), ${after})`

export const idLength = (column: string) => sql<number>`length(${sql.ref(column)})`
