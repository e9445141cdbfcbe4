import { readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { me } from '#contract/accounts.ts'
import { sentenceOf } from '#contract/errors.ts'
import { addPet, listBreeds, listPets, listSpecies, updatePet } from '#contract/pets.ts'
import { breeds, subscriptions } from '#server/db/schema.ts'
import { fileOf, sendForm } from '#test/forms.ts'
import { largePhoto, photo, pictureFacts } from '#test/pictures.ts'
import { createWorld } from '#test/world.ts'

const world = await createWorld()
const labrador = (await world.rows(breeds, { name: 'Labrador Retriever' }))[0]!.id

const biscuit = () => ({
  name: 'Biscuit',
  pet_species: 1,
  breed: labrador,
  sex: 1 as const,
  dob: '2021-03-04',
  desexed: true,
  agreed: true,
  terms: '1',
})

async function memberWithCard() {
  const member = await world.member()
  await world.card(member.id)
  return member
}

const upload = (token: string, content: Buffer) =>
  sendForm<{ filename?: string }>(world.app, '/upload', token, { image: fileOf(content, 'cat.jpg') })

it('what a pet can be: eleven species under their fixed ids, and complete breeds of dog and cat only [PET-1, D7]', async () => {
  const species = await world.nobody.call(listSpecies, {})
  expect(species.map(({ id, name }) => `${id} ${name}`).join(', ')).toBe(
    '1 Dog, 2 Cat, 3 Rabbit, 4 Guinea Pig, 5 Bird, 6 Rat, 7 Mouse, 8 Snake, 9 Turtle, 10 Unicorn, 11 Other',
  )
  const all = await world.nobody.call(listBreeds, {})
  expect(all.filter(({ species_id }) => species_id === 1).length).toBeGreaterThanOrEqual(190)
  expect(all.filter(({ species_id }) => species_id === 2).length).toBeGreaterThanOrEqual(60)
  expect(all.every(({ species_id }) => species_id <= 2)).toBe(true)
  const names = all.map(({ species_id, name }) => `${species_id} ${name}`)
  for (const known of ['1 Boerboel', '1 Africanis', '1 Rhodesian Ridgeback', '1 Unknown', '2 Unknown'])
    expect(names).toContain(known)
})

it('adding a pet takes a place of the membership and waits 48 hours for cover [PET-5, PET-8]', async () => {
  const member = await memberWithCard()
  const pet = await member.call(addPet, biscuit())
  expect(pet).toMatchObject({
    name: 'Biscuit',
    species_id: 1,
    breed: { name: 'Labrador Retriever' },
    sex: 1,
    dob: '2021-03-04',
    microchip: '',
    pet_image: null,
  })
  expect(pet.cover).toEqual({ state: 'waiting', from: expect.any(String), why: null })
  const inside = await member.call(listPets, {})
  expect(inside.map(({ id }) => id)).toEqual([member.pet.id, pet.id])
  expect((await member.call(me, {})).subscription!.pets).toEqual([member.pet.id, pet.id])
  world.advance({ hours: 49 })
  const later = world.nobody.with(await world.signIn(member.id))
  expect((await later.call(listPets, {})).at(-1)!.cover).toEqual({
    state: 'covered',
    from: null,
    why: null,
  })
})

it('adding a pet happens once per key: another press after a lost answer gets the same pet [PET-5]', async () => {
  const member = await memberWithCard()
  const key = { 'idempotency-key': 'press-1' }
  const first = await member.send(addPet, biscuit(), key)
  const again = await member.send(addPet, biscuit(), key)
  expect([again.status, again.body.id]).toEqual([200, first.body.id])
  expect(await member.refusal(addPet, { ...biscuit(), name: 'Rex' }, key)).toBe('IDEMPOTENCY_KEY_REUSED')
  const [stranger, next] = [await memberWithCard(), { 'idempotency-key': 'press-2' }]
  expect((await stranger.send(addPet, biscuit(), key)).body.id).not.toBe(first.body.id)
  expect((await member.send(addPet, biscuit(), next)).body.id).not.toBe(first.body.id)
  expect(await member.call(listPets, {})).toHaveLength(3)
})

it('adding a pet needs consent, details, and a breed of its own species for dogs and cats [PET-2]', async () => {
  const member = await memberWithCard()
  const refused = async (change: object) =>
    (await member.send(addPet, { ...biscuit(), ...change })).body.errors
  expect(await refused({ agreed: false })).toEqual([
    'You must agree to terms and conditions in order to proceed.',
  ])
  for (const change of [
    { name: ' ' },
    { breed: '' },
    { pet_species: 2 },
    { pet_species: 99 },
    { pet_species: 32_768 },
  ])
    expect(await refused(change)).toEqual(['Missing pet details.'])
  for (const dob of ['2090-01-01', '1900-01-01']) {
    const { status, body } = await member.send(addPet, { ...biscuit(), dob })
    expect([status, body.fields]).toEqual([400, { dob: sentenceOf('PET_DOB_WRONG') }])
  }
  for (const dob of ['2026-02-30', '0000-01-01', 'soon'])
    expect((await member.send(addPet, { ...biscuit(), dob })).status).toBe(400)
  expect(await refused({ microchip: '123' })).toEqual(['A microchip number has 15 digits.'])
  const rabbit = await member.call(addPet, { ...biscuit(), pet_species: 3, breed: null })
  expect([rabbit.breed, rabbit.cover]).toEqual([null, { state: 'not_eligible', from: null, why: 'species' }])
})

it('adding a pet accepts 0 as female, numbers as digits, and what only the client agreed to [PET-1]', async () => {
  const member = await memberWithCard()
  const { agreed: _, terms: __, ...plain } = biscuit()
  const reply = await member.send(addPet, {
    ...plain,
    sex: 0,
    pet_species: '1',
    breed: String(labrador),
    microchip: '985141000123456',
  })
  expect(reply.body).toMatchObject({ sex: 2, species_id: 1, microchip: '985141000123456' })
})

it('adding a pet needs a payment method, except from the partner insurer [PET-6]', async () => {
  const member = await world.member()
  expect((await member.send(addPet, biscuit())).body.errors).toEqual([
    'You need to add payment method to your profile before adding pet.',
  ])
  await world.change(subscriptions, member.subscription.id, { source: 'insurer', stripeSubscription: null })
  expect((await member.send(addPet, biscuit())).status).toBe(200)
})

it('adding a pet is left to the partner if the membership is theirs [ACC-4]', async () => {
  const member = await memberWithCard()
  await world.change(subscriptions, member.subscription.id, {
    subsId: 'ps_1',
    source: 'petstock',
    stripeSubscription: null,
  })
  expect(await member.refusal(addPet, biscuit())).toBe('PETS_MANAGED_BY_PARTNER')
})

it('adding a pet stops at five [PET-5]', async () => {
  const member = await memberWithCard()
  for (let n = 2; n <= 5; n++) await member.call(addPet, biscuit())
  expect(await member.refusal(addPet, biscuit())).toBe('MEMBERSHIP_FULL')
  expect(await member.call(listPets, {})).toHaveLength(5)
})

it('adding a pet without a membership leaves pets uncovered, five at most [PET-5]', async () => {
  const owner = await world.owner()
  await world.card(owner.id)
  for (let n = 1; n <= 5; n++) expect((await owner.call(addPet, biscuit())).cover.why).toBe('membership')
  expect((await owner.send(addPet, biscuit())).status).toBe(409)
})

it('changing a pet keeps its species and breed, and can end its cover [PET-3, PET-8]', async () => {
  const member = await memberWithCard()
  const pet = await member.call(addPet, biscuit())
  const changed = await member.send(updatePet, {
    id: pet.id,
    name: 'Bix',
    species_id: 2,
    breed_id: 1,
    sex: 2,
    dob: '',
    microchip: '',
    pawcare_out: true,
  })
  expect(changed.body).toMatchObject({
    name: 'Bix',
    species_id: 1,
    breed_id: labrador,
    sex: 2,
    dob: null,
    cover: { state: 'opted_out' },
  })
  expect(changed.body.pawcare_pets[0]!.opt_out).not.toBeNull()
})

it("changing a pet can't restart a cover that was ended; the field shows the refusal [PET-8]", async () => {
  const member = await memberWithCard()
  const [out, young, inside] = [
    await member.call(addPet, biscuit()),
    await member.call(addPet, { ...biscuit(), dob: world.now().toISOString().slice(0, 10) }),
    await member.call(addPet, biscuit()),
  ]
  const says = 'PawCare was ended for this pet, and that can’t be undone.'
  for (const { id } of [out, young]) {
    await member.call(updatePet, { id, pawcare_out: true })
    const refused = await member.send(updatePet, { id, name: 'Bix', pawcare_out: false })
    expect([refused.status, refused.body]).toEqual([
      409,
      { errors: [says], code: 'PAWCARE_ENDED', fields: { pawcare_out: says } },
    ])
    // Nothing of it was saved. Saying it again, or nothing about cover, still works.
    expect((await member.call(listPets, {})).map(({ name }) => name)).not.toContain('Bix')
    expect((await member.send(updatePet, { id, pawcare_out: true })).status).toBe(200)
    expect((await member.send(updatePet, { id, name: 'Biscuit' })).status).toBe(200)
  }
  const { body } = await member.send(updatePet, { id: inside.id, pawcare_out: false })
  expect(body.cover.state).toBe('waiting')
})

const stored = () => {
  try {
    return readdirSync(path.join(world.env.dataDir, 'files/pets'))
  } catch {
    return []
  }
}

it('pictures are re-encoded in sizes for a list and a page, without the place where they were taken [PET-4]', async () => {
  const member = await memberWithCard()
  const { body } = await upload(member.token, await photo())
  const pet = await member.call(addPet, { ...biscuit(), pet_image: body.filename })
  const got = await world.app.inject(pet.pet_image!)
  expect([got.statusCode, got.headers['content-type'], got.headers['cache-control']]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=31536000, immutable',
  ])
  expect(await pictureFacts(got.rawPayload)).toEqual({
    width: 800,
    height: 800,
    exif: undefined,
    format: 'jpeg',
  })
  const small = await world.app.inject(pet.pet_image!.replace('-800.jpg', '-160.webp'))
  expect(small.rawPayload.subarray(8, 12).toString()).toBe('WEBP')
  expect(
    (await member.send(updatePet, { id: pet.id, name: 'Biscuit', pet_image: pet.pet_image })).body.pet_image,
  ).toBe(pet.pet_image)
})

it('pictures can only be used by the person who uploaded them [PET-4]', async () => {
  const [one, other] = [await memberWithCard(), await memberWithCard()]
  const { body } = await upload(one.token, await photo('png'))
  expect((await other.send(addPet, { ...biscuit(), pet_image: body.filename })).body.errors).toEqual([
    'Please choose the picture again.',
  ])
})

it('pictures are recognised by content, not by name, and nothing of a refused one is kept [PET-4]', async () => {
  const owner = await world.owner()
  const before = stored().length
  const jpeg = await photo()
  const hostile = [
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    Buffer.from('GIF89a<script>'),
    await photo('webp'),
    await photo('gif'),
    jpeg.subarray(0, jpeg.length / 3),
    Buffer.from('not a picture'),
    Buffer.alloc(0),
  ]
  for (const content of hostile) {
    const { status, body } = await upload(owner.token, content)
    expect({ status, body }).toEqual({
      status: 415,
      body: { errors: ['Error : Incorrect file type'], code: 'PICTURE_WRONG_TYPE' },
    })
  }
  const large = await upload(owner.token, Buffer.alloc(16_777_217))
  expect([large.status, large.body.errors]).toEqual([413, ['Error : Exceeded size 16MB']])
  expect((await upload(owner.token, Buffer.alloc(16_777_216))).status).toBe(415)
  expect(stored()).toHaveLength(before)
})

it('pictures are deleted after a day if no pet uses them [PET-4]', async () => {
  const owner = await world.owner()
  const before = stored().length
  await upload(owner.token, await photo())
  expect(stored()).toHaveLength(before + 4)
  await world.pass({ hours: 25 })
  expect(stored().length).toBeLessThan(before + 4)
})

it('pictures of a phone’s 50 megapixels are stored like any other [PET-4]', async () => {
  const owner = await world.owner()
  expect((await upload(owner.token, await largePhoto())).status).toBe(200)
})

it('pictures that the file store fails to delete can’t be used meanwhile, and are deleted later [PET-4]', async () => {
  const owner = await world.owner()
  const filename = (await upload(owner.token, await photo())).body.filename!
  const remove = vi.spyOn(world.world.files, 'remove').mockRejectedValueOnce(new Error('The bucket is away'))
  await world.pass({ hours: 25 })
  expect(remove).toHaveBeenCalled()
  remove.mockRestore()
  const late = owner.with(await world.signIn(owner.id))
  expect(await late.refusal(addPet, { ...biscuit(), pet_image: filename })).toBe('PICTURE_NOT_YOURS')
  expect(stored().some((name) => name.startsWith(filename))).toBe(true)
  await world.pass({ minutes: 11 })
  expect(stored().some((name) => name.startsWith(filename))).toBe(false)
})
