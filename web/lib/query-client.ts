import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, failed } from './api.ts'

/** No answer, or one that says to come back later: worth another try by itself. */
const passing = (error: unknown) => error instanceof ApiError && [0, 502, 503, 504].includes(error.status)

/** `say` shows what has no place of its own on the page. */
export function makeQueryClient(say: (message: string) => void) {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 30_000, retry: (tries, error) => tries < 2 && passing(error) },
      mutations: { retry: false },
    },
    // A query's failure is shown by its page; here only a session that ended is dealt with.
    queryCache: new QueryCache({
      onError: (error) => void (error instanceof ApiError && error.unauthorized && failed(error)),
    }),
    mutationCache: new MutationCache({
      onError(error, _input, _result, mutation) {
        const message = failed(error)
        if (!mutation.meta?.showsFailure) say(message)
      },
    }),
  })
}
