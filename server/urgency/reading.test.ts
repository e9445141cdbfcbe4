import { expect, it } from 'vitest'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { complaints, type Labelled } from '#test/complaints.ts'
import { newestRules } from './version-reads.ts'

const { rules, reader } = newestRules()
const read = (text: string, species = 'dog', signs: string[] = []) => reader({ species, text, signs })

/** Each pair has the same words with and without what makes them harmless. */
const TRAPS: [trap: string, text: string, level: string, species?: string][] = [
  ['denied', 'no blood, not vomiting, breathing fine, gums are pink', 'routine'],
  ['denied before "but"', 'no blood but he can’t stand', 'emergency'],
  ['denied with "or"', 'no vomiting, blood or diarrhoea', 'routine'],
  ['denied in Afrikaans', 'hy bloei nie, geen bloed nie', 'routine'],
  ['denied in isiZulu', 'akukho gazi, ayihlanzi, iphefumula kahle', 'routine'],
  ['a negation that is the sign', 'he has not peed since yesterday', 'emergency', 'cat'],
  ['the same in Afrikaans', 'hy kan nie piepie nie', 'emergency', 'cat'],
  ['the same in isiZulu', 'ikati alichami', 'emergency', 'cat'],
  ['no trouble with it', 'no trouble peeing, no problem breathing', 'routine', 'cat'],
  ['past', 'was hit by a car last year', 'routine'],
  ['past, and now something else', 'was hit by a car last year and is limping now', 'soon'],
  ['past, and again now', 'had a seizure last year and is fitting again now', 'emergency'],
  ['past in Afrikaans', 'sy is verlede jaar raakgery', 'routine'],
  ['past in isiZulu', 'ishayiswe yimoto ngonyaka odlule', 'routine'],
  ['asked ahead', 'what if a snake bites him', 'routine'],
  ['asked ahead with "if"', 'If he collapses where do I go? He is fine now', 'routine'],
  ['asked ahead with "when"', 'what do I do when a snake bites my dog', 'routine'],
  ['asked ahead with "if" in Afrikaans', 'sê nou hy vreet slakgif, waar gaan ek heen', 'routine'],
  ['asked ahead with "if" in isiZulu', 'ngenzenjani uma inja yami ilunywa yinyoka', 'routine'],
  ['it happened, and an "if" after it', 'he ate rat poison, what if he dies', 'emergency'],
  ['the same with "if" in isiZulu', 'udle ushevu wamagundane, kuzokwenzekani uma efa', 'emergency'],
  ['it happens, and where to go', 'she cannot breathe if it gets worse where do i go', 'emergency'],
  ['not known whether', 'I don’t know if he ate rat poison but he is shaking', 'emergency'],
  ['asked, and then it happened', 'is chocolate bad for dogs? he ate a whole slab', 'urgent'],
  ['a question without a comma', 'can i give her something she cant breathe', 'emergency', 'cat'],
  ['asked ahead in Afrikaans', 'hoe voorkom ek bosluiskoors', 'routine'],
  ['somebody else', 'our other dog died of parvo', 'routine'],
  ['somebody else did it', 'the neighbour’s dog shook my kitten', 'emergency', 'cat'],
  ['what belongs to somebody else', 'drank my neighbours antifreeze', 'emergency'],
  ['what belongs to somebody else', 'he ate the neighbours slug pellets', 'emergency'],
  ['what belongs to somebody else', 'hy het die buurman se rottegif gevreet', 'emergency'],
  ['somebody who is only there', 'while playing with my son he collapsed', 'emergency'],
  ['a place where others are too', 'at the park he collapsed', 'emergency'],
  ['on the couch', 'his gums are white on the couch', 'emergency'],
  ['in somebody’s arms', 'she is having a fit in my arms', 'emergency'],
  ['for the first time', 'she is having a fit for the first time', 'emergency'],
  ['on something of mine', 'she is choking on my sock', 'emergency'],
  ['with a video of it', 'he is choking see video', 'emergency'],
  ['it only doesn’t end', 'she cant stop shaking', 'emergency'],
  ['it only doesn’t end', 'hasnt stopped coughing since yesterday', 'soon'],
  ['it only doesn’t end in Afrikaans', 'hy hou nie op krap nie', 'soon'],
  ['it only doesn’t end in isiZulu', 'ayikwazi ukuyeka ukuhlanza', 'urgent'],
  ['a name that the pet doesn’t hear', 'lying there not responding to his name', 'emergency'],
  ['a name that it has yet to learn', 'puppy not responding to his name, how do I train him', 'routine'],
  ['no answer of a puppy', 'puppy not responding', 'emergency'],
  ['no answer and no lesson', 'not responding to his name, i was training him when he fell', 'emergency'],
  ['never before', 'never happened before he collapsed', 'emergency'],
  ['after a walk', 'she cant breathe after a walk', 'emergency'],
  ['no electricity', 'he cant pee during load shedding', 'emergency'],
  ['a question without a subject after it', 'should i worry gums are blue', 'emergency'],
  ['a seizure in Afrikaans', 'hy het ’n stuipaanval', 'urgent'],
  ['twitching asleep', 'he twitches in his sleep', 'routine'],
  ['panting after a run', 'panting after a run', 'routine'],
  ['heat that is a season', 'she is on heat', 'routine'],
  ['fit that is healthy', 'fit and healthy, needs a check up', 'routine'],
  ['a pet called Lily', 'Lily is due for her booster', 'routine', 'cat'],
  ['a chocolate Labrador', 'how much food for a chocolate lab', 'routine'],
  ['puddles', 'peeing inside, big puddles', 'soon', 'cat'],
  ['straining to poo', 'straining to poo, hard little stools, peeing fine', 'soon', 'cat'],
  ['seems fine now', 'hit by a car an hour ago but seems fine now', 'emergency'],
  ['a slip of the pen', 'he is choaking and has colapsed', 'emergency'],
  [
    'snoring, and far from it a purple tongue',
    'started snoring an hour ago while he was lying on the couch with us and now his tongue is purple',
    'emergency',
  ],
  ['a bark that changed', 'bark sounds weird', 'emergency'],
  ['the same in Afrikaans', 'blaf klink anders', 'emergency'],
  ['the same in isiZulu', 'ukukhonkotha kushintshile', 'emergency'],
  ['a lily that is chewed in Afrikaans', 'kat kou aan lelie', 'emergency', 'cat'],
  ['blood with a slip', 'blood everywere', 'emergency'],
  ['parvo by its name alone', 'parvo?', 'emergency'],
  ['rabies by its name alone', 'hondsdolheid', 'emergency'],
  ['the same in isiZulu', 'inamarabi', 'emergency'],
  ['a rabies injection', 'inja yami idinga umjovo we-rabies, ngingakuthola kuphi', 'routine'],
  ['a bird that sits down in isiZulu', 'inyoni ihlezi phansi', 'emergency', 'bird'],
  ['a bird that is puffed up', 'all puffed up', 'emergency', 'bird'],
  ['what dad put out', 'she licked up the green pellets my dad put out', 'emergency', 'cat'],
  ['dying of hunger', 'he acts like hes dying of starvation after every meal, how many cups', 'routine'],
  ['a second "nie" that only closes the first', 'daar is geen keutels nie', 'emergency', 'rabbit'],
  ['diarrhoea, and no blood', 'diarrhoea but there is no blood', 'soon'],
  ['an exception that is denied', 'fast asleep, not dreaming, 48 breaths a min', 'urgent'],
  ['over by its own words', 'he was poisoned with aldicarb and has been healthy ever since', 'routine'],
  ['fine since, and only an hour ago', 'he was hit by a car an hour ago and is fine since', 'emergency'],
  ['blood of a season', 'dripping blood, and the boys are queueing at the gate', 'routine'],
  ['blood without a season', 'dripping blood from a cut on his leg', 'emergency'],
  ['who did it, and who it was done to', 'my ma het vir die kat panado gegee', 'emergency', 'cat'],
  ['the same word with and without a partner', 'do you hear burglars? he barks all night', 'routine'],
  ['its partner', 'burglars last night and now he is twitching and drooling', 'emergency'],
  ['nothing known, and no question', 'something green and fuzzy grows out of his elbow', 'urgent'],
  ['nothing known, and a question', 'which colour of collar suits a black dog', 'routine'],
  ['nothing known, and a plea', 'something green grows out of his elbow what do i do', 'urgent'],
  ['nothing known, and well', 'he carries his blanket around and is happy', 'routine'],
  [
    'signs denied, and something unknown beside them',
    'no blood, and his ear folded over a green thing yesterday',
    'urgent',
  ],
  ['what a plan pays', 'does your plan cover gastric torsion, snake bite and parvo', 'routine'],
  ['what a plan pays, and how she is', 'what does the plan pay, she cannot breathe', 'emergency'],
  ['a record', 'need the vaccination card, the insurer asks about the snake bite', 'routine'],
  ['a question that names no animal', 'what should go in a snake bite kit', 'routine'],
  ['the same about this animal', 'what should go on her snake bite', 'emergency'],
  ['across the road, and who lives there', 'my dog ran across the road and was hit by a car', 'emergency'],
  ['dots within a sentence', 'he is dying... of boredom, which toys do you like', 'routine'],
  ['too few words to tell', 'please look at her', 'routine'],
  ['kitten isn’t bitten', 'my kitten is better', 'routine', 'cat'],
  ['past, and how he is, without a comma', 'we got him last year he cannot breathe', 'emergency'],
  ['the same with "and"', 'he was neutered last month and is bleeding and it wont stop', 'emergency'],
  ['past before what happened', 'last year he was hit by a car', 'routine'],
  ['past, and today something else, without a comma', 'hit by a car last year today only itching', 'soon'],
  ['past, and now again', 'he was blocked last year and now again', 'emergency', 'cat'],
  ['well after something else', 'he cannot breathe he recovered well from his op in june', 'emergency'],
  ['denied, and how he is, without a comma', 'no vomiting he cannot breathe', 'emergency'],
  ['a good word that is denied', 'hes not breathing fine', 'emergency'],
  ['asked, and how he is, without a comma', 'is this normal he cannot breathe', 'emergency'],
  ['asked, and then it happened, without a comma', 'how deadly is rat poison he ate some', 'emergency'],
  [
    'asked after it happened, without a comma',
    'she is fitting and wont stop is it safe to wait',
    'emergency',
  ],
  ['somebody else tells it, without a comma', 'my husband says she collapsed', 'emergency'],
  ['"his", "my dog" and "it" begin something new', 'no vomiting his gums are white', 'emergency'],
  ['the same after a question', 'are lilies toxic my cat ate some', 'emergency', 'cat'],
  ['home is no past', 'when we got home she was collapsed with white gums', 'emergency'],
  ['somebody drives', 'he cannot breathe, my wife is driving', 'emergency'],
  ['where the owner is', 'he drank antifreeze, i am at work', 'emergency'],
  ['too fast', 'he ate too fast and is choking', 'emergency'],
  ['a dead snake', 'he killed a snake and his face is swelling', 'emergency'],
  ['no answer', 'she isnt responding', 'emergency'],
  ['breath that nobody can see', 'i dont think he is breathing', 'emergency'],
  ['blood that doesn’t stop', 'the bleeding does not stop', 'emergency'],
  ['the same that stopped', 'it is not bleeding any more just itching', 'soon'],
  ['past, and its like twice today', 'had a seizure last year but now hes had two today', 'emergency'],
  ['a strip of pills', 'puppy got into the brufen whole strip gone', 'emergency'],
  ['a bait by its number', 'he picked up a 1080 bait', 'emergency'],
  ['the same before it is laid', 'council is laying 1080 baits next week how do i keep him safe', 'routine'],
  ['a meow that changed', 'found a tick and her meow has changed', 'emergency', 'cat'],
  ['choked, and coughed it up', 'he was choking on a treat yesterday but coughed it up', 'routine'],
  ['breathing that isn’t fast', 'isnt breathing fast just snores', 'routine'],
  ['an exception that is said of something else', 'hit by a car, he is lying on the floor', 'emergency'],
  ['a short word that is misspelt', 'his gums are wite', 'emergency'],
  ['a tongue that is misspelt', 'tounge is blue', 'emergency'],
  ['a fit that is misspelt', 'he is having fitts', 'emergency'],
  ['the same of a harness', 'does the harness fitt a boerboel', 'routine'],
  ['blood that is misspelt', 'blud everywhere wont stop', 'emergency'],
  ['pee that is misspelt', 'cant pea', 'emergency', 'cat'],
  ['dying that is misspelt', 'he is dieing pls', 'emergency'],
  ['the same of hunger', 'acts like hes dieing of hunger all day, which food is best', 'routine'],
  ['a broken neck', 'i think her neck is broken', 'emergency'],
  ['a throat bitten open in Afrikaans', 'die boerboel het haar keel oopgebyt', 'emergency'],
  ['blood-red pee in Afrikaans', 'sy pie is bloedrooi', 'emergency'],
]

/** Signs as owners describe them, in three languages. */
const SAID: [sign: string, text: string, species?: string][] = [
  ['two-step', 'he got two step over the wall and is foaming'],
  ['snake-bite', 'rinkhals bite on the leg'],
  ['biliary-early', 'bosluise op hom en hy is lusteloos'],
  ['human-painkiller', 'nginike ikati ipanado', 'cat'],
  ['gut-stasis', 'bunny not eating or pooping', 'rabbit'],
  ['bird-down', 'fluffed up on the cage floor', 'bird'],
  ['bloat', 'isisu sikhukhumele, izama ukuhlanza akuphumi lutho'],
]

/** The share of complaints of a level for which `holds`, in percent. */
function share(set: Labelled[], level: string, holds: (read: string) => boolean) {
  const of = set.filter((one) => one.level === level)
  const found = of.filter((one) => holds(reader(one).level))
  return (100 * found.length) / of.length
}

it.each(TRAPS)('the rules read %s: %s → %s [TRI-2]', (_, text, level, species) => {
  expect(read(text, species)).toMatchObject({ level })
})

it.each(SAID)('the rules find %s in “%s” [TRI-2]', (sign, text, species) => {
  expect(read(text, species).reasons.map((reason) => reason.sign)).toContain(sign)
})

it.each(complaints('parts'))(
  'the rules read the part of the body: $text → $level [TRI-2]',
  ({ text, level, species }) => {
    expect(read(text, species)).toMatchObject({ level })
  },
)

it.each(['seen', 'kept-out'] as const)(
  'the rules call at least 95 of 100 emergencies emergency or urgent, and at most 5 of 100 routine ones emergency: %s [TRI-2]',
  (half) => {
    const set = complaints(half)
    expect(share(set, 'emergency', (level) => level === 'emergency' || level === 'urgent')).toBeGreaterThan(
      95,
    )
    expect(share(set, 'routine', (level) => level === 'emergency')).toBeLessThan(5)
  },
)

it('a ticked sign raises the level, and words never lower it [TRI-2]', () => {
  expect(read('he is fine', 'cat', ['no-urine'])).toEqual({
    level: 'emergency',
    reasons: [{ sign: 'no-urine', words: null }],
    version: rules.version,
  })
  expect(read('', 'dog', ['none', 'no such sign']).level).toBe('routine')
})

it('the rules repeat the owner’s own words as the reason [TRI-2]', () => {
  expect(read('Help! My Boerboel Collapsed').reasons[0]).toEqual({
    sign: 'collapse-pale',
    words: 'Collapsed',
  })
})

it('a line that isn’t a complaint is reported, and the lines after it are read [TRI-2]', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'complaints-'))
  const file = path.join(folder, 'some.jsonl')
  writeFileSync(
    file,
    '{"species":"dog","text":"he collapsed"}\nno JSON\n\n{"species":"dog","text":"a booster"}\n',
  )
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/urgency.ts', '--read', file], {
    encoding: 'utf8',
  })
  rmSync(folder, { recursive: true })
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { level: string }).level),
  ).toEqual(['emergency', 'routine'])
  expect([stderr, status]).toEqual([expect.stringContaining('Line 2 of'), 1])
})
