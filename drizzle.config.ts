/** Read by drizzle-kit, which `npm run migration` fetches: nobody else needs its 50 MB. */
export default {
  dialect: 'postgresql',
  schema: './server/db/schema.ts',
  out: './server/db/migrations',
  casing: 'snake_case',
}
