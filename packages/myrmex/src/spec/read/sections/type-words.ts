/** The words that people use for JSON types. */
export const TYPE_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    string: 'string str text',
    integer: 'integer int',
    number: 'number float double decimal',
    boolean: 'boolean bool',
    object: 'object dict dictionary map',
    array: 'array list',
    null: 'null none',
  }).flatMap(([type, words]) => words.split(' ').map((word) => [word, type])),
)
