/** Does the same many times at the same moment. */
export const atOnce = <T>(count: number, act: (n: number) => T) =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))
