/** Everyone who has a consultation open hears what happens in it here. */
export const consultationRoom = (id: number) => `consultation:${id}`
