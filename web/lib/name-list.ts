import { say } from '../ui/say.ts'

/** "Biscuit, Mielie and Nala"; an empty string without names. */
export const nameList = (names: readonly string[]) =>
  names.length < 2
    ? names.join('')
    : say('{names} and {last}', { names: names.slice(0, -1).join(', '), last: names.at(-1)! })
