/** An answer too long for memory: its JSON is sent in pieces while it's being made. The contract doesn't check it. */
export class Streamed<T> {
  /** The type of the whole answer. */
  declare readonly whole?: T
  readonly pieces: AsyncIterable<string>
  constructor(pieces: AsyncIterable<string>) {
    this.pieces = pieces
  }
}

/** A piece of a text in JSON, without the quotes around it. */
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
