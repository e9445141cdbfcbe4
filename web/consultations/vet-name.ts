/** "Dr Anika Naidoo" becomes "Dr Naidoo". */
export const shortVet = (name: string) => name.replace(/^Dr\.? .* (\S+)$/, 'Dr $1')
