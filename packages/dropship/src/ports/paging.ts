/** Which part of a list is wanted: the records after the last one of the previous page, and how many. */
export interface Paging {
  readonly after?: string
  readonly limit?: number
}
