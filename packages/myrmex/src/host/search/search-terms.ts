/** Search terms: stems of the words of a text, without words that every description has. */
import { stem } from '../../english/stem.ts'

/** Words too frequent to be useful. */
const EVERYWHERE = new Set(
  (
    'a an and any are as at be by can do does find for from get has have how i if in into is it its me my need not of on or ' +
    'our some that the their them then there these this to tool tools use used using want we what when which will with you your'
  ).split(' '),
)

/** Undefined for a word that is not indexed. */
export const toTerm = (word: string): string | undefined => (EVERYWHERE.has(word) ? undefined : stem(word))
