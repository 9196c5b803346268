/** Edits of files by several requests at the same time: one runs after the other, whether or not the one before it failed. */
export function editsInTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
}
