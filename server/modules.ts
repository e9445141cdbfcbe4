import { registerHooks, type ResolveFnOutput } from 'node:module'

const ITSELF = /\/node_modules\/drizzle-orm\/.*\.js$/
const PACKAGE = /^drizzle-orm(\/|$)/
const found = new Map<string, ResolveFnOutput>()

/**
 * Node parses a package's exports again for every import of the package, and for each of the package's own files
 * to learn that they are modules. This package's exports take 170 kB, and parsing them was a third of the start.
 */
export const findModulesOnce = () =>
  registerHooks({
    resolve(specifier, context, next) {
      const { parentURL = '' } = context
      if (specifier.startsWith('.') && ITSELF.test(parentURL))
        return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
      if (!PACKAGE.test(specifier)) return next(specifier, context)
      const known = found.get(specifier) ?? next(specifier, context)
      found.set(specifier, known)
      return { ...known, shortCircuit: true }
    },
  })
