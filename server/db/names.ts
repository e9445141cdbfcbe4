import { sql, type SQLWrapper } from 'drizzle-orm'
import { NAMELESS_ADMIN, USER_TYPES } from '#contract/accounts.ts'

/* Names of people, as statements select them. Where a left join found nobody, they are null. */

interface Named {
  firstName: SQLWrapper
  lastName: SQLWrapper
}

export const fullName = <T extends string | null = string>({ firstName, lastName }: Named) =>
  sql<NoInfer<T>>`trim(${firstName} || ' ' || ${lastName})`

/** How owners and colleagues address a vet. */
export const doctorName = <T extends string | null = string>(vet: Named) =>
  sql<NoInfer<T>>`trim('Dr ' || ${fullName(vet)})`

export const adminName = <T extends string | null = string>(admin: Named) =>
  sql<NoInfer<T>>`case ${fullName(admin)} when '' then ${NAMELESS_ADMIN} else ${fullName(admin)} end`

export const staffName = <T extends string | null = string>(one: Named & { type: SQLWrapper }) =>
  sql<NoInfer<T>>`case ${one.type} when ${USER_TYPES.vet} then ${doctorName(one)} else ${adminName(one)} end`
